/// Writes by key, and notifies of the change if the property does not notify itself.
@usableFromInline
enum NotifyingWrite {
  /// Copies a value of the accessor's type into an object.
  static func write(_ address: UnsafeRawPointer, by accessor: Accessor, to object: AnyObject, _ info: TypeInfo) {
    guard
      !accessor.flags.contains(.needsNoNotification),
      let registrar = registrar(of: object, info), registrar.shouldNotifyKeyedWrite(accessor.key)
    else { return accessor.writeCopy(of: address, to: Owner(object)) }
    writeNotifying(address, by: accessor, object, registrar)
  }

  /// Copies a value of the accessor's type into an object, and looks up the type of the object.
  @usableFromInline @inline(never)
  static func write(_ address: UnsafeRawPointer, by accessor: Accessor, to object: AnyObject) {
    write(address, by: accessor, to: object, TypeInfo.of(object: object))
  }

  /// Sets a reflected property whose wrapper stores the value by reference.
  static func write<Property: KVReferenceProperty>(
    _ value: Any?, to property: Property, named name: String, of owner: Any
  ) throws(CoercionFailure) {
    let newValue = try Coercion().convert(value, to: Property.Value.self)
    let info = TypeInfo.of(owner)
    guard
      info.isObservable, case let object = object(in: owner), let registrar = registrar(of: object, info),
      let key = KVKey.existing(name), registrar.shouldNotifyKeyedWrite(key)
    else { return property.wrappedValue = newValue }
    withUnsafePointer(to: property.wrappedValue) { old in
      withUnsafePointer(to: newValue) { new in
        let change = _KVChangeNotice(
          object: object, key: key, valueType: Property.Value.self, oldAddress: old, newAddress: new,
          boxer: Boxer<Property.Value>.self)
        registrar.bracket(change, suppressing: .setter) { property.wrappedValue = newValue }
      }
    }
  }

  /// Returns the registrar of an object of an observable type, or `nil` if the object has never been observed.
  static func registrar(of object: AnyObject, _ info: TypeInfo) -> _KVRegistrar? {
    if info.isKVObject {
      return unsafeDowncast(object, to: KVObject.self)._activeRegistrar?.takeUnretainedValue()
    }
    return (object as? any KVObservable)?._activeRegistrar?.takeUnretainedValue()
  }

  @inline(never)
  private static func writeNotifying(
    _ new: UnsafeRawPointer, by accessor: Accessor, _ object: AnyObject, _ registrar: _KVRegistrar
  ) {
    func open<T>(_ type: T.Type) {
      let oldValue = accessor.readTyped(object, as: type)
      withUnsafePointer(to: oldValue) { old in
        let beginning = registrar.begin(
          _KVChangeNotice(
            object: object, key: accessor.key, valueType: type, oldAddress: old, newAddress: new,
            boxer: Boxer<T>.self))
        registrar.suppressing(accessor.key, .setter) { accessor.writeCopy(of: new, to: Owner(object)) }
        // The setter may have stored something else.
        withUnsafePointer(to: accessor.readTyped(object, as: type)) { stored in
          registrar.didChange(
            _KVChangeNotice(
              object: object, key: accessor.key, valueType: type, oldAddress: old, newAddress: stored,
              boxer: Boxer<T>.self), since: beginning)
        }
      }
    }
    _openExistential(accessor.value.type, do: open)
  }
}
