extension Accessor {
  /// Returns whether a write has to notify: false if the property notifies itself, if the key has manual notification,
  /// or if the object has never been observed.
  @inlinable @inline(__always)
  func needsNotification(of object: AnyObject) -> Bool {
    !flags.contains(.needsNoNotification) && registrar(of: object) != nil
  }

  /// The registrar of an object of the accessor's type, or nil if the object has never been observed.
  @usableFromInline
  func registrar(of object: AnyObject) -> _KVRegistrar? {
    if flags.contains(.isOfKVObject) { return asObject(object, KVObject.self).registrarSlot.registrar }
    return otherRegistrar(of: object)
  }

  @inline(never)
  private func otherRegistrar(of object: AnyObject) -> _KVRegistrar? {
    func registrar<Owner: KVObservable>(as type: Owner.Type) -> _KVRegistrar? {
      asObject(object, Owner.self)._activeRegistrar?.object
    }
    return observableOwner.flatMap { registrar(as: $0) }
  }

  /// Sets the property of an object to a value in memory, which is uninitialised afterwards, unless the property has the
  /// value already; returns whether the property has it then.
  @inlinable @inline(__always)
  func store<Value>(
    from memory: AddressOf<Value>, in object: AnyObject, _ options: TransferOptions, by areEqual: (Value, Value) -> Bool
  ) -> Bool {
    // The value in memory is compared where it is, after the property was read.
    if options.skippingEqual {
      let present = readTyped(object, as: Value.self)
      if areEqual(memory.pointee, present) {
        memory.deinitialize(count: 1)
        return true
      }
    }
    let needsNotification = needsNotification(of: object)
    if !needsNotification, !options.checking {
      // The property takes the value over, which is not retained once more.
      write(object, noAddress, Address(memory))
      return true
    }
    if !needsNotification {
      // `writeTyped` would take a copy, and copy that.
      withMemory(of: Value.self) { copy in
        copy.initialize(to: memory.pointee)
        write(object, noAddress, Address(copy))
      }
    } else {
      writeNotifying(copyOf: Address(memory), to: object)
    }
    var isStored = true
    if options.checking {
      let present = readTyped(object, as: Value.self)
      isStored = areEqual(memory.pointee, present)
    }
    memory.deinitialize(count: 1)
    return isStored
  }

  /// Writes a copy of a value of the accessor's type to an object, and notifies of the change if the property does not
  /// notify itself.
  ///
  /// The property is read at most once before and once after the write, and only for observers that want it (KVO.1). It is
  /// not read after the write if that has stored the value as it is.
  @usableFromInline @inline(never)
  func writeNotifying(copyOf new: Address, to object: AnyObject) {
    guard !flags.contains(.needsNoNotification), let registrar = registrar(of: object),
      registrar.shouldNotifyKeyedWrite(key)
    else { return writeCopy(of: new, to: Owner(object)) }
    let isStored = declaration.isStored
    notifySetting(of: object, to: new, registrar, storesIt: isStored) { copy in
      value.boxer.initialize(copy, copyOf: new)
      if isStored {
        write(object, noAddress, copy)
      } else {
        registrar.suppressing(key, .setter) { write(object, noAddress, copy) }
      }
      return true
    }
  }

  /// Writes a copy of a value of the accessor's type to an object by a setter that throws, and notifies of the change if
  /// it does not.
  func writeNotifying(
    copyOf new: Address, to object: AnyObject, by write: ThrowingWriteFunction
  ) throws {
    let owner = Owner(object)
    guard !flags.contains(.needsNoNotification), let registrar = registrar(of: object),
      registrar.shouldNotifyKeyedWrite(key)
    else { return try write(owner, new) }
    var failure: (any Error)?
    notifySetting(of: object, to: new, registrar) { _ in
      do { try registrar.suppressing(key, .setter) { try write(owner, new) } } catch { failure = error }
      return failure == nil
    }
    if let failure { throw failure }
  }

  @inline(__always)
  private func notifySetting(
    of object: AnyObject, to new: Address, _ registrar: _KVRegistrar, storesIt: Bool = false, _ set: (Address) -> Bool
  ) {
    registrar.notifySetting(
      key, of: object, to: new, value.type, value.boxer, (valueSize, valueAlignmentMask), storesIt: storesIt,
      reading: { read(object, noAddress, $0) }, set)
  }
}

extension TypeInfo {
  /// The registrar of an object of the type, or nil if the object cannot be observed or has never been.
  func registrar(of object: AnyObject) -> _KVRegistrar? {
    if isKVObject { return asObject(object, KVObject.self).registrarSlot.registrar }
    return isObservable ? (object as? any KVObservable)?._activeRegistrar?.object : nil
  }
}

extension KVReferenceProperty {
  /// Sets the property, which reflection has found in an owner under a name, and notifies of the change.
  func set(_ value: Any?, named name: String, of owner: Any) throws(CoercionFailure) {
    let new = try Coercion().convert(value, to: Value.self)
    let info = TypeInfo.of(owner)
    guard info.isObject, case let object = object(in: owner), let registrar = info.registrar(of: object),
      let key = InternedKey.existing(name), registrar.shouldNotifyKeyedWrite(key)
    else { return wrappedValue = new }
    _KVChangeNotice.with(key, of: object, from: wrappedValue, to: new) { change in
      registrar.bracket(change, suppressing: .setter) { wrappedValue = new }
    }
  }
}
