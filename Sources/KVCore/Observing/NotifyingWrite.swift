/// Writes by key, and tells of it where the property does not do so itself.
enum NotifyingWrite {
  /// Copies a value of the accessor's type into an object.
  static func write(_ address: UnsafeRawPointer, by accessor: Accessor, to object: AnyObject, _ info: TypeInfo) {
    guard
      !accessor.flags.contains(.needsNoNotification), info.isObservable,
      let registrar = registrar(of: object, info), registrar.tells(accessor.key)
    else { return accessor.writeCopy(of: address, to: Owner(object)) }
    tell(address, by: accessor, object, registrar)
  }

  /// Returns the registrar of an object whose type is observable, if anybody ever observed it.
  static func registrar(of object: AnyObject, _ info: TypeInfo) -> KVRegistrar? {
    if info.isKVObject {
      return unsafeDowncast(object, to: KVObject.self)._activeRegistrar?.takeUnretainedValue()
    }
    return (object as? any KVObservable)?._activeRegistrar?.takeUnretainedValue()
  }

  @inline(never)
  private static func tell(
    _ new: UnsafeRawPointer, by accessor: Accessor, _ object: AnyObject, _ registrar: KVRegistrar
  ) {
    func open<T>(_ type: T.Type) {
      let oldValue = accessor.readTyped(object, as: type)
      withUnsafePointer(to: oldValue) { old in
        let change = KVChangeNotice(
          object: object, key: accessor.key, valueType: type, oldAddress: UnsafeRawPointer(old), newAddress: new)
        registrar.bracket(change) { accessor.writeCopy(of: new, to: Owner(object)) }
      }
    }
    _openExistential(accessor.value.type, do: open)
  }
}
