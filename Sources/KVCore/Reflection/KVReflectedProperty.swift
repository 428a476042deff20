/// A property wrapper whose wrapped value reflection reads.
///
/// A mirror shows the storage of a wrapped property, `_name`. If the wrapper conforms, reading the key `name` returns
/// the wrapped value (KVC.2). The conformance is empty: `extension Clamped: KVReflectedProperty {}`.
public protocol KVReflectedProperty {
  /// The type of the wrapped value.
  associatedtype Value
  /// The wrapped value.
  var wrappedValue: Value { get }
}

/// A property wrapper that stores its value outside of itself, so that reflection can also write it (KVC.8).
///
/// Such wrappers store their value in a box, a database row or user defaults; their `wrappedValue` has a
/// `nonmutating set`.
public protocol KVReferenceProperty: KVReflectedProperty {
  /// The wrapped value, which is stored outside of the wrapper.
  var wrappedValue: Value { get nonmutating set }
}

/// The storage of a ``KVProperty``, which is laid out as its value.
protocol ObservablePropertyStorage {
  static var valueType: Any.Type { get }
  var anyValue: Any { get }
}

extension KVReflectedProperty {
  static var valueType: Any.Type { Value.self }
}
