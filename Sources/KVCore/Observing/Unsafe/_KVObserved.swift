/// The notifications of an object that is observed.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it.
public struct _KVObserved {
  @usableFromInline let registrar: Unmanaged<_KVRegistrar>

  /// Creates the notifications of an object; nil if nobody observes it.
  @inlinable @inline(__always)
  public init?(_ object: some KVObservable) {
    guard let registrar = object._activeRegistrar, registrar._withUnsafeGuaranteedRef({ $0.isBusy }) else { return nil }
    self.registrar = registrar
  }

  /// Sets a property and notifies of the change.
  ///
  /// It is compiled once for each type of value, rather than for each property.
  @inlinable @inline(never)
  public func set<Value>(
    _ key: _KVKeys.Key, of object: AnyObject, to new: Value, _ read: () -> Value, exchange: (inout Value) -> Void
  ) {
    setAndRead(key, of: object, to: new, read, exchange: exchange, new: { new })
  }

  /// Sets a property whose observers in Swift may change its value, and notifies of the change.
  @inlinable @inline(never)
  public func setAndRead<Value>(
    _ key: _KVKeys.Key, of object: AnyObject, to new: Value, _ read: () -> Value, exchange: (inout Value) -> Void
  ) {
    setAndRead(key, of: object, to: new, read, exchange: exchange, new: read)
  }

  @inlinable @inline(__always)
  func setAndRead<Value>(
    _ key: _KVKeys.Key, of object: AnyObject, to new: Value, _ read: () -> Value, exchange: (inout Value) -> Void,
    new stored: () -> Value
  ) {
    registrar._withUnsafeGuaranteedRef { registrar in
      var value = new
      guard registrar.shouldNotifySetter(key.key) else { return exchange(&value) }
      guard registrar.needsWillChange(key.key) else {
        exchange(&value)
        return registrar.didChange(key.key, of: object, from: value, to: stored(), since: nil)
      }
      // The old value is copied out first: an observer that runs before the change may read or set the property.
      let old = read()
      let pending = registrar.begin(key.key, of: object, from: old, to: new)
      exchange(&value)
      registrar.didChange(key.key, of: object, from: old, to: stored(), since: pending)
    }
  }

  /// Begins a change in place; nil if nobody observes the property.
  public func change<Value>(_ key: _KVKeys.Key, of object: AnyObject, _ read: () -> Value) -> _KVChangeInPlace<Value>? {
    registrar._withUnsafeGuaranteedRef { $0.shouldNotifySetter(key.key) }
      ? _KVChangeInPlace(object, registrar, key.key, read) : nil
  }
}
