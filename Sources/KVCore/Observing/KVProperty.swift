/// An observable stored property of a class.
///
/// ```swift
/// final class Person: KVObject {
///   @KVProperty var name = "Ada"
/// }
/// ```
///
/// The value is stored in the object, as that of any property. Until the object is observed, setting the property costs
/// one test more than setting a plain property. After that, every set notifies the observers, from Swift or by key
/// (KVO.14). Setting an equal value notifies them, too (KVO.5).
///
/// The class inherits from ``KVObject`` or conforms to ``KVObservable``. In a struct or in another class, the property
/// does not compile.
///
/// A change in place (`person.tags.append("x")`, `person.scores["x"] = 1`, passing as `inout`) happens where the value
/// is stored, and notifies once, as a setting of the whole value (COL.6). The value is copied only while an observer
/// wants the old value or needs to run before the change. As with a plain stored property, the change must not use the
/// property itself until it has ended.
@propertyWrapper
public struct KVProperty<Value> {
  @usableFromInline var value: Value

  /// Creates the storage of a property.
  ///
  /// - Parameter wrappedValue: The initial value.
  @inlinable @inline(__always)
  public init(wrappedValue: Value) { value = wrappedValue }

  /// Unavailable: an observable property belongs to a class.
  @available(*, unavailable, message: "@KVProperty belongs to a class that is a KVObject or conforms to KVObservable")
  public var wrappedValue: Value {
    get { value }
    set { value = newValue }
  }

  /// The value in an object; called by the compiler.
  ///
  /// The storage is an autoclosure, so that its key path is created only if observers have to be notified
  /// (Docs/Decisions/0003).
  ///
  /// - Parameters:
  ///   - root: The object.
  ///   - property: The key path of the property, as an autoclosure.
  ///   - storage: The key path of its storage, as an autoclosure.
  /// - Returns: The value.
  @inlinable @inline(__always)
  public static subscript<Root: KVObservable>(
    _enclosingInstance root: Root,
    wrapped property: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Value>,
    storage storage: @autoclosure @escaping () -> ReferenceWritableKeyPath<Root, Self>
  ) -> Value {
    get { root[keyPath: storage()].value }
    set {
      // The accesses are written out here, where the compiler knows the property and needs no key path. The values are
      // swapped, so that the old value is released after the access; this saves a retain, too. Nothing is called during
      // an access, so that the accesses need not be tracked.
      guard let registrar = root._activeRegistrar else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
        return
      }
      // The location of the value identifies the property, and costs less than a key path.
      let location = PropertyLocation(
        withUnsafeMutablePointer(to: &root[keyPath: storage()].value) { UInt(bitPattern: $0) }, of: Value.self, in: root
      )
      guard let key = observedKey(location, root, registrar, storage, property) else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
        return
      }
      var value = newValue
      guard registrar._withUnsafeGuaranteedRef({ $0.needsWillChange(key) }) else {
        swap(&root[keyPath: storage()].value, &value)
        return notifyDidChange(root, registrar, key, value, newValue, nil)
      }
      // The old value is copied out first: an observer that runs before the change may read or set the property.
      let old = root[keyPath: storage()].value
      let pending = notifyWillChange(root, registrar, key, old, newValue)
      swap(&root[keyPath: storage()].value, &value)
      notifyDidChange(root, registrar, key, old, newValue, pending)
    }
    _modify {
      // One `yield`, since Swift inlines no accessor that has several.
      let change = root._activeRegistrar.flatMap { beginModifying(root, $0, property, storage) }
      // Also if the body throws: it may have changed the value.
      defer { change?.end(root, root[keyPath: storage()].value) }
      yield &root[keyPath: storage()].value
    }
  }
}

extension KVProperty: Sendable where Value: Sendable {}

extension KVProperty: ObservablePropertyStorage {
  var anyValue: Any { value }
}

extension KVProperty: Equatable where Value: Equatable {}
extension KVProperty: Hashable where Value: Hashable {}

extension KVProperty: Encodable where Value: Encodable {
  /// Encodes the value alone.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: What the value throws.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension KVProperty: Decodable where Value: Decodable {
  /// Decodes the value alone.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: What the value throws.
  public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
}

/// Returns the key of the property at a location if a change of it has to be notified.
///
/// Keys with manual notification are not among the observed keys of a registrar (KVO.15).
@usableFromInline
func observedKey<Root: AnyObject, Value>(
  _ location: PropertyLocation, _ root: Root, _ registrar: Unmanaged<_KVRegistrar>,
  _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>,
  _ property: () -> ReferenceWritableKeyPath<Root, Value>
) -> KVKey? {
  guard let key = PropertyKeys.key(at: location, in: root, storage, property) else { return nil }
  return registrar._withUnsafeGuaranteedRef({ $0.shouldNotifySetter(key) }) ? key : nil
}

/// A change in place of an observed property.
@usableFromInline
struct ChangeInPlace<Value> {
  let registrar: Unmanaged<_KVRegistrar>
  let key: KVKey
  /// The old value, if an observer wants it or runs before the change; the change copies what it changes then.
  let old: Value?
  let pending: AnyObject?

  /// Notifies of the change.
  @usableFromInline
  func end(_ object: AnyObject, _ new: Value) {
    if let old { return notifyDidChange(object, registrar, key, old, new, pending) }
    withUnsafePointer(to: new) { new in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.didChange(
          _KVChangeNotice(object: object, key: key, valueType: Value.self, newAddress: new, boxer: Boxer<Value>.self),
          since: nil)
      }
    }
  }
}

/// Begins a change in place of a property of an object that has a registrar; nil if nobody observes the property.
@usableFromInline @inline(never)
func beginModifying<Root: AnyObject, Value>(
  _ root: Root, _ registrar: Unmanaged<_KVRegistrar>, _ property: () -> ReferenceWritableKeyPath<Root, Value>,
  _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>
) -> ChangeInPlace<Value>? {
  guard registrar._withUnsafeGuaranteedRef({ $0.isBusy }) else { return nil }
  let storage = storage()
  guard let key = PropertyKeys.key(of: storage, in: root, property),
    registrar._withUnsafeGuaranteedRef({ $0.shouldNotifySetter(key) })
  else { return nil }
  guard registrar._withUnsafeGuaranteedRef({ $0.needsOldValue(key) }) else {
    return ChangeInPlace(registrar: registrar, key: key, old: nil, pending: nil)
  }
  var old = root[keyPath: storage].value
  var pending: AnyObject?
  if registrar._withUnsafeGuaranteedRef({ $0.needsWillChange(key) }) {
    pending = withUnsafePointer(to: old) { old in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.willChange(
          _KVChangeNotice(object: root, key: key, valueType: Value.self, oldAddress: old, boxer: Boxer<Value>.self))
      }
    }
    // An observer that ran before the change may have set the property.
    old = root[keyPath: storage].value
  }
  return ChangeInPlace(registrar: registrar, key: key, old: old, pending: pending)
}

/// Notifies the registrar before a change; returns what ``notifyDidChange(_:_:_:_:_:_:)`` is passed.
@inlinable @inline(never)
func notifyWillChange<Value>(
  _ object: AnyObject, _ registrar: Unmanaged<_KVRegistrar>, _ key: KVKey, _ old: Value,
  _ new: Value
) -> AnyObject? {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.willChange(
          _KVChangeNotice(
            object: object, key: key, valueType: Value.self, oldAddress: old, newAddress: new,
            boxer: Boxer<Value>.self))
      }
    }
  }
}

/// Notifies the registrar after a change.
@inlinable @inline(never)
func notifyDidChange<Value>(
  _ object: AnyObject, _ registrar: Unmanaged<_KVRegistrar>, _ key: KVKey, _ old: Value,
  _ new: Value, _ beginning: AnyObject?
) {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.didChange(
          _KVChangeNotice(
            object: object, key: key, valueType: Value.self, oldAddress: old, newAddress: new,
            boxer: Boxer<Value>.self), since: beginning)
      }
    }
  }
}
