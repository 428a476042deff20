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
    // As `notifySetting`, in memory: generic code would look up the types that it is made of.
    let (boxer, stride) = (value.boxer, max(1, (valueSize + valueAlignmentMask) & ~valueAlignmentMask))
    withUnsafeTemporaryAllocation(byteCount: 3 * stride, alignment: valueAlignmentMask + 1) { memory in
      let old = memory.baseAddress.unsafelyUnwrapped
      let (copy, stored) = (old + stride, old + 2 * stride)
      let hasOld = registrar.wantsOldValue(key)
      if hasOld { read(object, noAddress, old) }
      defer { if hasOld { boxer.destroy(old) } }
      let beginning =
        registrar.needsWillChange(key) ? registrar.willChange(notice(of: object, hasOld ? old : nil, new)) : nil
      boxer.initialize(copy, copyOf: new)
      registrar.suppressing(key, .setter) { write(object, noAddress, copy) }
      let hasNew = registrar.wantsNewValue(key)
      if hasNew { read(object, noAddress, stored) }
      defer { if hasNew { boxer.destroy(stored) } }
      registrar.didChange(
        notice(of: object, hasOld ? old : nil, hasNew ? UnsafeRawPointer(stored) : nil), since: beginning)
    }
  }

  private func notice(
    of object: AnyObject, _ old: UnsafeMutableRawPointer?, _ new: UnsafeRawPointer?
  ) -> _KVChangeNotice {
    _KVChangeNotice(
      object: object, key: key, valueType: value.type, oldAddress: UnsafeRawPointer(old), newAddress: new,
      boxer: value.boxer)
  }

  /// Writes a copy of a value of the accessor's type to an object by a setter that throws, and notifies of the change if
  /// it does not.
  ///
  /// Observers that were called before the change are called after it, even if the setter throws.
  func writeNotifying(
    copyOf new: UnsafeRawPointer, to object: AnyObject, by write: ThrowingWriteFunction
  ) throws {
    let new = UnsafeMutableRawPointer(mutating: new)
    guard !flags.contains(.needsNoNotification), let registrar = registrar(of: object),
      registrar.shouldNotifyKeyedWrite(key)
    else { return try write(Owner(object), new) }
    func open<Value>(_ type: Value.Type) throws {
      let old = readTyped(object, as: type)
      let beginning = registrar.begin(key, of: object, from: old, to: asMemory(new, type).pointee)
      var isSet = false
      defer {
        if isSet || beginning != nil {
          registrar.didChange(key, of: object, from: old, to: readTyped(object, as: type), since: beginning)
        }
      }
      try registrar.suppressing(key, .setter) { try write(Owner(object), new) }
      isSet = true
    }
    try _openExistential(value.type, do: open)
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
  /// have stored something else than the new value.
  @inline(__always)
  final func notifySetting<Value, Failure: Error>(
    _ key: KVKey, of object: AnyObject, to new: Value, reading read: () throws(Failure) -> Value, _ set: () -> Void
  ) throws(Failure) {
    let old = wantsOldValue(key) ? try read() : nil
    var beginning: AnyObject?
    if needsWillChange(key) {
      beginning = _KVChangeNotice.with(key, of: object, from: old ?? new, to: new, hasOld: old != nil) {
        willChange($0)
      }
    }
    set()
    let stored = wantsNewValue(key) ? try? read() : nil
    _KVChangeNotice.with(
      key, of: object, from: old ?? new, to: stored ?? new, hasOld: old != nil, hasNew: stored != nil
    ) { didChange($0, since: beginning) }
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
