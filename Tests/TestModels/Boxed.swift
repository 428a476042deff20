import KVCore

/// A property wrapper around a box, whose value reflection sets.
@propertyWrapper
package struct Boxed<Value>: KVReferenceProperty {
  private final class Box {
    var value: Value
    init(_ value: Value) { self.value = value }
  }

  private let box: Box
  package init(wrappedValue: Value) { box = Box(wrappedValue) }

  package var wrappedValue: Value {
    get { box.value }
    nonmutating set { box.value = newValue }
  }
}
