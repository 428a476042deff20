/// A property wrapper whose value reflection shall find.
///
/// A mirror shows the storage of a wrapped property, `_name`; a wrapper that conforms is read as the key `name` with the
/// wrapped value (KVC.2). The conformance is empty: `extension Clamped: KVReflectedProperty {}`.
public protocol KVReflectedProperty {
  /// The type of the wrapped value.
  associatedtype Value
  /// The wrapped value.
  var wrappedValue: Value { get }
}

/// A property wrapper that keeps its value elsewhere, so that reflection can write it too (KVC.8).
///
/// For wrappers around a box, a database row, user defaults: those whose `wrappedValue` has a `nonmutating set`.
public protocol KVReferenceProperty: KVReflectedProperty {
  /// The wrapped value, stored outside the wrapper.
  var wrappedValue: Value { get nonmutating set }
}

/// The storage of a ``KVProperty``.
protocol ObservablePropertyStorage {
  var anyValue: Any { get }
}
