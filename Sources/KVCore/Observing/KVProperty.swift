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
/// An edit through a view of an array (``KVMutableArray``) calls the setter and what observes the property in its class:
/// `didSet` and its `oldValue` are as ever, but a `willSet` must not use `newValue`, since the array is only edited when it
/// is stored (Docs/Decisions/0009).
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
      // Spelled out here, where the compiler knows the property and reaches it without a key path. The value is swapped
      // in, so that the old one dies after the access and not in it; that saves a retain, too.
      guard let registrar = root._activeRegistrar else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
        return
      }
      if registrar._withUnsafeGuaranteedRef({ $0.tellsOnlyAfter }) {
        // The usual case needs no key path either: where the value stands says which property it is.
        var value = newValue
        let address = withUnsafeMutablePointer(to: &root[keyPath: storage()].value) { address in
          swap(&address.pointee, &value)
          return UInt(bitPattern: address)
        }
        let place = PropertyPlace(address, of: Value.self, in: root)
        if let key = toldKey(place, root, registrar, storage, property) {
          tellDid(root, registrar, key, value, newValue, nil)
        }
      } else if registrar._withUnsafeGuaranteedRef({ $0.isBusy }),
        let key = toldKey(storage(), root, registrar, property)
      {
        var value = newValue
        if registrar._withUnsafeGuaranteedRef({ $0.holds }),
          editInPlace(&root[keyPath: storage()].value, registrar, key)
        {
          return
        }
        if registrar._withUnsafeGuaranteedRef({ $0.asks(key) }) {
          // The old value is copied out first: who is told before may read or set the property.
          let old = root[keyPath: storage()].value
          let beginning = tellWill(root, registrar, key, old, newValue)
          swap(&root[keyPath: storage()].value, &value)
          tellDid(root, registrar, key, old, newValue, beginning)
        } else {
          swap(&root[keyPath: storage()].value, &value)
          tellDid(root, registrar, key, value, newValue, nil)
        }
      } else {
        var value = newValue
        swap(&root[keyPath: storage()].value, &value)
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

/// Returns the key of a property that was set, if that is to be told; its place says which one it is.
@usableFromInline
func toldKey<Root: AnyObject, Value>(
  _ place: PropertyPlace, _ root: Root, _ registrar: Unmanaged<KVRegistrar>,
  _ storage: () -> ReferenceWritableKeyPath<Root, KVProperty<Value>>,
  _ property: () -> ReferenceWritableKeyPath<Root, Value>
) -> KVKey? {
  guard let key = PropertyKeys.key(at: place, in: root, storage, property) else { return nil }
  return registrar._withUnsafeGuaranteedRef({ $0.mayObserve(key) }) ? key : nil
}

/// Returns the key of a property whose change is to be told, or that is to be edited in place; nil if neither.
///
/// Keys that notify by hand only are not among those that a registrar has told (KVO.15).
@usableFromInline
func toldKey(
  _ storage: AnyKeyPath, _ object: AnyObject, _ registrar: Unmanaged<KVRegistrar>, _ property: () -> AnyKeyPath
) -> KVKey? {
  guard let key = PropertyKeys.key(of: storage, in: object, property) else { return nil }
  if registrar._withUnsafeGuaranteedRef({ $0.holds }) {
    return toldKeyWhileHeld(key, storage, object, registrar, property)
  }
  return registrar._withUnsafeGuaranteedRef({ $0.mayObserve(key) }) ? key : nil
}

/// Does as ``toldKey(_:_:_:_:)`` where some thread tells of a change by itself; apart, so that the usual case is short.
@inline(never)
private func toldKeyWhileHeld(
  _ key: KVKey, _ storage: AnyKeyPath, _ object: AnyObject, _ registrar: Unmanaged<KVRegistrar>,
  _ property: () -> AnyKeyPath
) -> KVKey? {
  let tells = registrar._withUnsafeGuaranteedRef { registrar in
    registrar.tellsSetting(key) { $0.learn(setterOf: property(), storedAt: storage, in: object) }
  }
  return tells ? key : nil
}

/// Edits a stored value as a view of the property wants it, if one does; false if the setter has to store its value.
@inlinable @inline(never)
func editInPlace<Value>(_ value: inout Value, _ registrar: Unmanaged<KVRegistrar>, _ key: KVKey) -> Bool {
  withUnsafeMutablePointer(to: &value) { address in
    registrar._withUnsafeGuaranteedRef { $0.edit(key, at: UnsafeMutableRawPointer(address)) }
  }
}

/// Tells somebody who wants to know before what is about to happen.
@inlinable @inline(never)
func tellWill<Value>(
  _ object: AnyObject, _ registrar: Unmanaged<KVRegistrar>, _ key: KVKey, _ old: Value,
  _ new: Value
) -> AnyObject? {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.willChange(
          KVChangeNotice(
            object: object, key: key, valueType: Value.self, oldAddress: old, newAddress: new,
            boxer: Boxer<Value>.self))
      }
    }
  }
}

/// Tells what has happened.
@inlinable @inline(never)
func tellDid<Value>(
  _ object: AnyObject, _ registrar: Unmanaged<KVRegistrar>, _ key: KVKey, _ old: Value,
  _ new: Value, _ beginning: AnyObject?
) {
  withUnsafePointer(to: old) { old in
    withUnsafePointer(to: new) { new in
      registrar._withUnsafeGuaranteedRef { registrar in
        registrar.didChange(
          KVChangeNotice(
            object: object, key: key, valueType: Value.self, oldAddress: old, newAddress: new,
            boxer: Boxer<Value>.self), since: beginning)
      }
    }
  }
}
