/// A collection whose elements have indexes from zero, independent of the collection's own indices.
protocol OrderedValue: CollectionValue {
  /// The collection, or an array of its elements if an element takes time that depends on its index.
  var indexable: any OrderedValue { get }
  /// Returns the element at a valid index.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at a valid index.
  func replacing(at index: Int, with value: Any?, by coercion: Coercion) throws(CoercionFailure) -> Any
  /// Calls a function with the memory of the elements: its start and the stride.
  func withElementMemory(_ body: (UnsafeRawPointer, Int) -> Void)

  // Edits with elements in a collection of the same type: without a box per element, and without a copy if the
  // collection is uniquely referenced. Indexes ascend and are valid.

  /// Inserts elements so that they have the indexes afterwards; returns `false` if they are of another type.
  mutating func insert(_ elements: any CollectionValue, at indexes: [Int]) -> Bool
  /// Removes the elements at the indexes and returns them, so that none of them is released during the edit.
  mutating func remove(at indexes: [Int]) -> any CollectionValue
  /// Replaces the elements at the indexes and returns the old ones; `nil` if the new ones are of another type.
  mutating func replace(at indexes: [Int], with elements: any CollectionValue) -> (any CollectionValue)?
}

/// An ordered value that is not edited itself, but as an array of its elements.
protocol ReadOnlyOrderedValue: OrderedValue {
  /// The elements, in an array.
  var whole: any OrderedValue { get }
  /// The collection as the property stores it.
  var stored: Any { get }
}

extension OrderedValue {
  var ordered: (any OrderedValue)? { self }
  var indexable: any OrderedValue { self }

  /// Returns a value if it is of exactly this type.
  static func exactCast(_ any: Any) -> (any OrderedValue)? { KVCore.exactCast(any, Self.self) }

  /// Calls a function with each object of an array of objects, until it returns false.
  ///
  /// - Returns: Whether it returned true for all elements; nil for an array of other elements.
  @inline(__always)
  func allObjects(_ body: (AnyObject) -> Bool) -> Bool? {
    guard Self.elementType is AnyClass else { return nil }
    let count = elementCount
    var index = 0
    withElementMemory { start, stride in
      while index < count {
        let reference = start.load(fromByteOffset: index * stride, as: UnsafeRawPointer.self)
        guard Unmanaged<AnyObject>.fromOpaque(reference)._withUnsafeGuaranteedRef(body) else { return }
        index += 1
      }
    }
    return index == count
  }
}
