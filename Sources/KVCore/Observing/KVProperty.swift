/// An observable stored property of a class.
///
/// ```swift
/// final class Person: KVObject {
///   @KVProperty var name = "Ada"
/// }
/// ```
///
/// The value is stored in the object, as any property's. While nobody observes the object, setting it costs one test
/// more than setting a plain property; once somebody does, every set tells so, whether it comes from Swift or by key
/// (KVO.14). Setting an equal value tells too (KVO.5).
///
/// The class is a ``KVObject``, or any ``KVObservable``. In a struct or in another class the property is an error of the
/// compiler. A change in place (`person.tags.append("x")`) is told as a setting of the whole value.
@propertyWrapper
public struct KVProperty<Value> {
  @usableFromInline var value: Value

  /// Makes the storage of a property.
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
  /// The storage comes as an autoclosure, so that its key path is only made where a change is told
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
      if root._activeRegistrar == nil {
        // Swapped, so that the old value dies after the access and not in it; also saves a retain.
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
      } else {
        tell(newValue, root, property, storage)
      }
    }
  }

  /// Sets the value of an object that somebody may be observing.
  @inlinable @inline(never)
  static func tell<Root: KVObservable>(
    _ newValue: consuming Value, _ root: Root,
    _ property: @escaping () -> ReferenceWritableKeyPath<Root, Value>,
    _ storage: @escaping () -> ReferenceWritableKeyPath<Root, Self>
  ) {
    let newValue = newValue
    guard let key = toldKey(storage(), root, property) else {
      var value = newValue
      swap(&root[keyPath: storage()].value, &value)
      return
    }
    // The old value is copied out first: a listener may read or set the property again.
    let oldValue = root[keyPath: storage()].value
    withUnsafePointer(to: oldValue) { old in
      withUnsafePointer(to: newValue) { new in
        tellWill(root, key, Value.self, old, new)
        root[keyPath: storage()].value = new.pointee
        tellDid(root, key, Value.self, old, new)
      }
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

/// Returns the key of a property whose change is to be told, or nil if nobody wants to know.
@usableFromInline
func toldKey(_ storage: AnyKeyPath, _ object: AnyObject & KVObservable, _ property: () -> AnyKeyPath) -> KVKey? {
  guard
    let registrar = object._activeRegistrar, let key = PropertyKeys.key(of: storage, in: object, property),
    registrar._withUnsafeGuaranteedRef({ $0.tells(key) })
  else { return nil }
  let accessor = TypeInfo.accessor(of: object, key.name)
  return accessor?._withUnsafeGuaranteedRef { $0.declaration.notifiesManually } == true ? nil : key
}

@usableFromInline
func tellWill(
  _ object: AnyObject & KVObservable, _ key: KVKey, _ type: Any.Type, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer
) {
  object._activeRegistrar?._withUnsafeGuaranteedRef { registrar in
    registrar.willChange(
      KVChangeNotice(object: object, key: key, valueType: type, oldAddress: old, newAddress: new))
  }
}

@usableFromInline
func tellDid(
  _ object: AnyObject & KVObservable, _ key: KVKey, _ type: Any.Type, _ old: UnsafeRawPointer, _ new: UnsafeRawPointer
) {
  object._activeRegistrar?._withUnsafeGuaranteedRef { registrar in
    registrar.didChange(
      KVChangeNotice(object: object, key: key, valueType: type, oldAddress: old, newAddress: new))
  }
}
