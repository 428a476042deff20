/// An observable stored property of a class.
///
/// ```swift
/// final class Person: KVObject {
///   @KVProperty var name = "Ada"
/// }
/// ```
///
/// The value is stored in the object, as that of any property. Until the object is observed, setting the property costs
/// a test and a check of exclusive access more than setting a plain property. After that, every set notifies the
/// observers, from Swift or by key (KVO.14). Setting an equal value notifies them, too (KVO.5).
///
/// The class inherits from ``KVObject`` or conforms to ``KVObservable``. In a struct or in another class, the property
/// does not compile.
///
/// A change in place (`person.tags.append("x")`, `person.scores["x"] = 1`, passing as `inout`) happens where the value
/// is stored, and notifies once, as a setting of the whole value (COL.6). The value is copied only while an observer
/// wants the old value or needs to run before the change. As with a plain stored property, the change must not use the
/// property itself until it has ended.
@propertyWrapper
@frozen public struct KVProperty<Value> {
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
  /// (Docs/Decisions/0010).
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
      guard let registrar = root._activeRegistrar, registrar.borrow({ $0.isBusy }) else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
        return
      }
      // The location of the value identifies the property, and costs less than a key path.
      let location = PropertyLocation(
        withAddress(of: &root[keyPath: storage()].value) { $0.number }, of: Value.self, in: root
      )
      guard let key = PropertyKeys.observedKey(at: location, in: root, registrar, storage, property) else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
        return
      }
      var value = newValue
      guard registrar.borrow({ $0.needsWillChange(key) }) else {
        swap(&root[keyPath: storage()].value, &value)
        return registrar.borrow { $0.didChange(key, of: root, from: value, to: newValue, since: nil) }
      }
      // The old value is copied out first: an observer that runs before the change may read or set the property.
      let old = root[keyPath: storage()].value
      let pending = registrar.borrow { $0.begin(key, of: root, from: old, to: newValue) }
      swap(&root[keyPath: storage()].value, &value)
      registrar.borrow { $0.didChange(key, of: root, from: old, to: newValue, since: pending) }
    }
    _modify {
      // One `yield`, since Swift inlines no accessor that has several.
      let change = ModifyChange(root, property, storage)
      // Also if the body throws: it may have changed the value.
      defer { change?.end(root, root[keyPath: storage()].value) }
      yield &root[keyPath: storage()].value
    }
  }
}

extension KVProperty: Sendable where Value: Sendable {}

extension KVProperty: ObservablePropertyStorage {
  static var valueType: Any.Type { Value.self }
  var anyValue: Any { value }
}

extension KVProperty: Equatable where Value: Equatable {}
extension KVProperty: Hashable where Value: Hashable {}

extension KVProperty: Encodable where Value: Encodable {
  /// Encodes the value alone.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The error of the value.
  public func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension KVProperty: Decodable where Value: Decodable {
  /// Decodes the value alone.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: The error of the value.
  public init(from decoder: any Decoder) throws { value = try Value(from: decoder) }
}
