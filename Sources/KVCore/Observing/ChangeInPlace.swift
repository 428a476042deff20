/// A change in place of an observed property.
@usableFromInline
struct ChangeInPlace<Value> {
  private let registrar: _KVReference<_KVRegistrar>
  private let key: KVKey
  /// The old value, if an observer wants it or runs before the change; the change copies what it changes then.
  private var old: Value?
  private var pending: AnyObject?

  /// Begins a change of a property of an object that has a registrar; nil if nobody observes the property.
  @usableFromInline @inline(never)
  init?<Root: AnyObject>(
    _ root: Root, _ reference: _KVReference<_KVRegistrar>, _ property: () -> ReferenceWritableKeyPath<Root, Value>,
    _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>
  ) {
    let registrar = reference.object
    guard registrar.isBusy, case let storage = storage(),
      let key = PropertyKeys.key(of: storage, in: root, property), registrar.shouldNotifySetter(key)
    else { return nil }
    self.init(root, reference, key) { root[keyPath: storage].value }
  }

  /// Begins a change of an observed property, whose value a closure reads.
  init(_ object: AnyObject, _ reference: _KVReference<_KVRegistrar>, _ key: KVKey, _ read: () -> Value) {
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
