/// The notifications of a property of an object that is observed.
///
/// It is not API: the code that ``KVModel(_:)`` generates uses it. What a property does only when it is observed is
/// compiled once for each type of value, rather than for each property; the key is known by its number.
@frozen public struct _KVObserved {
  @usableFromInline let registrar: _KVReference<_KVRegistrar>
  @usableFromInline let key: InternedKey

  /// Creates the notifications of a property; nil if its setter need not notify.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - number: The number of the key.
  ///   - keys: The keys of the class.
  @inlinable @inline(__always)
  public init?(_ object: some KVObservable, _ number: Int, _ keys: @autoclosure () -> _KVKeys) {
    guard let registrar = object._activeRegistrar, registrar.borrow({ $0.isBusy }) else { return nil }
    let key = keys().keys[number]
    // The registrar is not retained: the object keeps it.
    let notifies = registrar.borrow {
      $0.mayObserve(key) && (!$0.isSuppressing || $0.shouldNotifySetter(key))
    }
    guard notifies else { return nil }
    self.registrar = registrar
    self.key = key
  }

  /// Sets a property and notifies of the change.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - new: The new value.
  ///   - read: Returns the value.
  ///   - exchange: Exchanges the value for another one.
  @inlinable @inline(never)
  public func set<Value>(
    of object: AnyObject, to new: consuming Value, _ read: () -> Value, exchange: (inout Value) -> Void
  ) {
    guard registrar.borrow({ $0.needsOldValue(key) || $0.wantsNewValue(key) }) else {
      exchange(&new)
      return registrar.borrow { $0.didChange(key, of: object) }
    }
    var value = copy new
    registrar.borrow { registrar in
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
  ///   - object: The object.
  ///   - new: The new value.
  ///   - read: Returns the value.
  ///   - write: Sets the value, with the calls of `willSet` and `didSet`.
  @inlinable @inline(never)
  public func set<Value>(
    of object: AnyObject, to new: Value, _ read: () -> Value, write: (Value) -> Void
  ) {
    let old = read()
    registrar.borrow { registrar in
      let pending = registrar.needsWillChange(key) ? registrar.begin(key, of: object, from: old, to: new) : nil
      write(new)
      registrar.didChange(key, of: object, from: old, to: read(), since: pending)
    }
  }

  /// Sets an overridden property with `willSet` or `didSet`, and notifies of the change once, though the superclass notifies
  /// of each value that it stores.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - new: The new value.
  ///   - read: Returns the value.
  ///   - write: Sets the value, with what `willSet` and `didSet` do.
  @inline(never)
  public func setOverridden<Value>(
    of object: AnyObject, to new: Value, _ read: () -> Value, write: (Value) -> Void
  ) {
    set(of: object, to: new, read, write: { value in registrar.object.withoutNotifying(of: key) { write(value) } })
  }

  /// Sets an overridden property whose setter need not notify.
  ///
  /// Where a caller notifies of the change, the superclass does not notify either.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - number: The number of the key.
  ///   - keys: The keys of the class.
  ///   - write: Sets the value, with what `willSet` and `didSet` do.
  @inline(never)
  public static func setSilently(
    of object: some KVObservable, _ number: Int, _ keys: @autoclosure () -> _KVKeys, write: () -> Void
  ) {
    guard let registrar = object._activeRegistrar, registrar.borrow({ $0.isSuppressing }) else { return write() }
    registrar.object.withoutNotifying(of: keys().keys[number], write)
  }

  /// Begins a change in place.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - read: Returns the value.
  /// - Returns: The change, whose `end` notifies of it.
  @inline(never)
  public func change<Value>(of object: AnyObject, _ read: () -> Value) -> _KVChangeInPlace<Value> {
    _KVChangeInPlace(ModifyChange(object, registrar, key, read))
  }
}
