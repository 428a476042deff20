/// A change in place of an observed property.
@usableFromInline
struct ModifyChange<Value> {
  private let registrar: _KVReference<_KVRegistrar>
  private let key: InternedKey
  /// The old value, if an observer wants it or runs before the change; the change copies what it changes then.
  private var old: Value?
  private var pending: AnyObject?

  /// Begins a change of a property; nil if nobody has to be notified of it.
  ///
  /// It is inlined, since the compiler knows the property and the type of the value where the property is used.
  @inlinable @inline(__always)
  init?<Root: KVObservable>(
    _ root: Root, _ property: () -> ReferenceWritableKeyPath<Root, Value>,
    _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>
  ) {
    guard let registrar = root._activeRegistrar, registrar.borrow({ $0.isBusy }) else { return nil }
    let location = PropertyLocation(
      withAddress(of: &root[keyPath: storage()].value) { $0.number }, of: Value.self, in: root)
    guard let key = PropertyKeys.observedKey(at: location, in: root, registrar, storage, property) else { return nil }
    self.init(root, registrar, key) { root[keyPath: storage()].value }
  }

  /// Begins a change of an observed property, whose value a closure reads.
  @usableFromInline
  init(_ object: AnyObject, _ reference: _KVReference<_KVRegistrar>, _ key: InternedKey, _ read: () -> Value) {
    self.registrar = reference
    self.key = key
    let registrar = reference.object
    guard registrar.needsOldValue(key) else { return }
    let old = read()
    self.old = old
    if registrar.needsWillChange(key) {
      pending = _KVChangeNotice.with(key, of: object, from: old, to: old, hasNew: false) { registrar.willChange($0) }
      // An observer that ran before the change may have set the property.
      self.old = read()
    }
  }

  /// Notifies of the change.
  @usableFromInline
  func end(_ object: AnyObject, _ new: Value) {
    registrar.borrow { registrar in
      _KVChangeNotice.with(key, of: object, from: old ?? new, to: new, hasOld: old != nil) {
        registrar.didChange($0, since: pending)
      }
    }
  }
}
