/// The notifications of an object that is observed.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it. What a property does only when it is observed is
/// compiled once for each type of value, rather than for each property; the key is known by its number.
public struct _KVObserved {
  @usableFromInline let registrar: Unmanaged<_KVRegistrar>

  /// Creates the notifications of an object; nil if none of its keys is observed.
  @inlinable @inline(__always)
  public init?(_ object: some KVObservable) {
    guard let registrar = object._activeRegistrar, registrar._withUnsafeGuaranteedRef({ $0.isBusy }) else { return nil }
    self.registrar = registrar
  }

  /// Sets a property and notifies of the change.
  ///
  /// - Parameters:
  ///   - number: The number of the key.
  ///   - keys: The keys of the class.
  ///   - object: The object.
  ///   - new: The new value.
  ///   - read: Returns the value.
  ///   - exchange: Exchanges the value for another one.
  @inlinable @inline(never)
  public func set<Value>(
    _ number: Int, _ keys: _KVKeys, of object: AnyObject, to new: Value, _ read: () -> Value,
    exchange: (inout Value) -> Void
  ) {
    var value = new
    guard let key = observedKey(number, keys) else { return exchange(&value) }
    registrar._withUnsafeGuaranteedRef { registrar in
      guard registrar.needsWillChange(key) else {
        exchange(&value)
        return registrar.didChange(key, of: object, from: value, to: new, since: nil)
      }
      // The old value is copied out first: an observer that runs before the change may read or set the property.
      let old = read()
      let pending = registrar.begin(key, of: object, from: old, to: new)
      exchange(&value)
      registrar.didChange(key, of: object, from: old, to: new, since: pending)
    }
  }

  /// Sets a property with `willSet` or `didSet`, which may change its value, and notifies of the change.
  ///
  /// - Parameters:
  ///   - number: The number of the key.
  ///   - keys: The keys of the class.
  ///   - object: The object.
  ///   - new: The new value.
  ///   - read: Returns the value.
  ///   - write: Sets the value, with the calls of `willSet` and `didSet`.
  @inlinable @inline(never)
  public func set<Value>(
    _ number: Int, _ keys: _KVKeys, of object: AnyObject, to new: Value, _ read: () -> Value, write: (Value) -> Void
  ) {
    guard let key = observedKey(number, keys) else { return write(new) }
    let old = read()
    registrar._withUnsafeGuaranteedRef { registrar in
      let pending = registrar.needsWillChange(key) ? registrar.begin(key, of: object, from: old, to: new) : nil
      write(new)
      registrar.didChange(key, of: object, from: old, to: read(), since: pending)
    }
  }

  /// Begins a change in place; nil if nobody observes the property.
  ///
  /// - Parameters:
  ///   - number: The number of the key.
  ///   - keys: The keys of the class.
  ///   - object: The object.
  ///   - read: Returns the value.
  /// - Returns: The change, whose `end` notifies of it.
  @inline(never)
  public func change<Value>(
    _ number: Int, _ keys: _KVKeys, of object: AnyObject, _ read: () -> Value
  ) -> _KVChangeInPlace<Value>? {
    observedKey(number, keys).map { _KVChangeInPlace(ChangeInPlace(object, registrar, $0, read)) }
  }

  /// Returns the key of a number, if the setter of the property has to notify.
  @inlinable @inline(__always)
  func observedKey(_ number: Int, _ keys: _KVKeys) -> KVKey? {
    let key = keys.keys[number]
    // The registrar is not retained: the object keeps it.
    let notifies = registrar._withUnsafeGuaranteedRef {
      $0.mayObserve(key) && (!$0.isSuppressing || $0.shouldNotifySetter(key))
    }
    return notifies ? key : nil
  }
}
