extension Accessor {
  /// Returns whether a write need not notify: the property notifies itself, the key has manual notification, or the
  /// object has never been observed.
  @inlinable @inline(__always)
  func canBeSetInSilence(of object: AnyObject) -> Bool {
    flags.contains(.needsNoNotification) || registrar(of: object) == nil
  }

  /// The registrar of an object of the accessor's type, or nil if the object has never been observed.
  @usableFromInline
  func registrar(of object: AnyObject) -> _KVRegistrar? {
    .active(of: object, isKVObject: flags.contains(.isOfKVObject))
  }

  /// Writes a value of the accessor's type to an object, and notifies of the change if the property does not notify
  /// itself.
  @inlinable @inline(__always)
  func writeNotifying<Value>(_ value: Value, to object: AnyObject) {
    if canBeSetInSilence(of: object) { return writeTyped(value, to: object) }
    withUnsafePointer(to: value) { writeNotifying(copyOf: UnsafeRawPointer($0), to: object) }
  }

  /// Sets the property of an object to a value, unless it has it already; returns whether the property has it then.
  @inlinable @inline(__always)
  func store<Value>(
    _ value: Value, in object: AnyObject, _ options: TransferOptions, unless isStored: (Value) -> Bool
  ) -> Bool {
    if options.skippingEqual, isStored(readTyped(object, as: Value.self)) { return true }
    writeNotifying(value, to: object)
    return !options.checking || isStored(readTyped(object, as: Value.self))
  }

  /// Writes a copy of a value of the accessor's type to an object, and notifies of the change if the property does not
  /// notify itself.
  ///
  /// The property is read at most once before and once after the write, and only for observers that want it (KVO.1).
  @usableFromInline @inline(never)
  func writeNotifying(copyOf new: UnsafeRawPointer, to object: AnyObject) {
    guard !flags.contains(.needsNoNotification), let registrar = registrar(of: object),
      registrar.shouldNotifyKeyedWrite(key)
    else { return writeCopy(of: new, to: Owner(object)) }
    notifySetting(of: object, to: new, registrar) { copy in
      value.boxer.initialize(copy, copyOf: new)
      registrar.suppressing(key, .setter) { write(object, noAddress, copy) }
      return true
    }
  }

  /// Writes a copy of a value of the accessor's type to an object by a setter that throws, and notifies of the change if
  /// it does not.
  func writeNotifying(
    copyOf new: UnsafeRawPointer, to object: AnyObject, by write: ThrowingWriteFunction
  ) throws {
    let owner = Owner(object)
    let value = UnsafeMutableRawPointer(mutating: new)
    guard !flags.contains(.needsNoNotification), let registrar = registrar(of: object),
      registrar.shouldNotifyKeyedWrite(key)
    else { return try write(owner, value) }
    var failure: (any Error)?
    notifySetting(of: object, to: new, registrar) { _ in
      do { try registrar.suppressing(key, .setter) { try write(owner, value) } } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  @inline(__always)
  private func notifySetting(
    of object: AnyObject, to new: UnsafeRawPointer, _ registrar: _KVRegistrar, _ set: (UnsafeMutableRawPointer) -> Bool
  ) {
    registrar.notifySetting(
      key, of: object, to: new, value.type, value.boxer, (valueSize, valueAlignmentMask),
      reading: { read(object, noAddress, $0) }, set)
  }
}

extension TypeInfo {
  /// The registrar of an object of the type, or nil if the object cannot be observed or has never been.
  func registrar(of object: AnyObject) -> _KVRegistrar? {
    isObservable ? .active(of: object, isKVObject: isKVObject) : nil
  }
}

extension _KVRegistrar {
  @inline(__always)
  fileprivate static func active(of object: AnyObject, isKVObject: Bool) -> _KVRegistrar? {
    isKVObject
      ? unsafeDowncast(object, to: KVObject.self).registrarSlot.registrar
      : (object as? any KVObservable)?._activeRegistrar?.takeUnretainedValue()
  }
}

extension _KVRegistrar {
  /// Notifies of a setting before and after a function that makes it.
  ///
  /// The value is read at most once before and once after, and only if an observer may want it (KVO.1). The setter may
  /// have stored something else than the new value. All values are in memory: generic code would look up the types that
  /// it is made of.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - object: The object.
  ///   - new: The address of the new value.
  ///   - type: The type of the values.
  ///   - boxer: The boxer of the type.
  ///   - layout: The size of the values, and their alignment less one.
  ///   - read: Reads the present value into memory.
  ///   - set: Sets the value, with memory for a copy of it, which it leaves uninitialized. It returns whether it did; if
  ///     not, only observers that were called before are called after it.
  @inline(__always)
  final func notifySetting<Failure: Error>(
    _ key: KVKey, of object: AnyObject, to new: UnsafeRawPointer, _ type: Any.Type, _ boxer: any ValueBoxing.Type,
    _ layout: (size: Int, alignmentMask: Int), reading read: (UnsafeMutableRawPointer) throws(Failure) -> Void,
    _ set: (UnsafeMutableRawPointer) -> Bool
  ) throws(Failure) {
    let stride = max(1, (layout.size + layout.alignmentMask) & ~layout.alignmentMask)
    try withUnsafeTemporaryAllocation(byteCount: 3 * stride, alignment: layout.alignmentMask + 1) {
      memory throws(Failure) in
      let old = memory.baseAddress.unsafelyUnwrapped
      let (copy, stored) = (old + stride, old + 2 * stride)
      let hasOld = wantsOldValue(key)
      if hasOld { try read(old) }
      defer { if hasOld { boxer.destroy(old) } }
      let oldAddress = hasOld ? UnsafeRawPointer(old) : nil
      let beginning =
        needsWillChange(key)
        ? willChange(
          _KVChangeNotice(
            object: object, key: key, valueType: type, oldAddress: oldAddress, newAddress: new, boxer: boxer))
        : nil
      if !set(copy), beginning == nil { return }
      let hasNew = wantsNewValue(key) && (try? read(stored)) != nil
      defer { if hasNew { boxer.destroy(stored) } }
      didChange(
        _KVChangeNotice(
          object: object, key: key, valueType: type, oldAddress: oldAddress,
          newAddress: hasNew ? UnsafeRawPointer(stored) : nil, boxer: boxer), since: beginning)
    }
  }

  /// Notifies of a setting of a value in a box.
  final func notifySetting<Failure: Error>(
    _ key: KVKey, of object: AnyObject, to new: Any?, reading read: () throws(Failure) -> Any?, _ set: () -> Void
  ) throws(Failure) {
    let boxer = Boxer<Any?>.self
    try withUnsafePointer(to: new) { new throws(Failure) in
      try notifySetting(
        key, of: object, to: new, Any?.self, boxer, boxer.layout,
        reading: { memory throws(Failure) in memory.initializeMemory(as: Any?.self, to: try read()) }
      ) { _ in
        set()
        return true
      }
    }
  }
}

extension KVReferenceProperty {
  /// Sets the property, which reflection has found in an owner under a name, and notifies of the change.
  func set(_ value: Any?, named name: String, of owner: Any) throws(CoercionFailure) {
    let new = try Coercion().convert(value, to: Value.self)
    let info = TypeInfo.of(owner)
    guard info.isObject, case let object = object(in: owner), let registrar = info.registrar(of: object),
      let key = KVKey.existing(name), registrar.shouldNotifyKeyedWrite(key)
    else { return wrappedValue = new }
    _KVChangeNotice.with(key, of: object, from: wrappedValue, to: new) { change in
      registrar.bracket(change, suppressing: .setter) { wrappedValue = new }
    }
  }
}
