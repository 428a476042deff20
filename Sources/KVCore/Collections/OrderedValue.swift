/// A collection whose elements have indexes from zero, independent of the collection's own indices.
protocol OrderedValue: CollectionValue {
  /// The collection, or an array of its elements if an element takes time that depends on its index.
  var indexable: any OrderedValue { get }
  /// Returns the element at a valid index.
  func element(at index: Int) -> Any?
  /// Returns a copy with another element at a valid index.
  func replacing(at index: Int, with value: Any?, by coercion: Coercion) throws(CoercionFailure) -> Any

  /// Calls a function with the memory of the elements: its start and the stride.
  func withElementMemory(_ body: (Address, Int) -> Void)

  // For values whose type the caller knows, so that no box is opened and no conformance looked up; see `Array`.

  /// Returns the value that an accessor of this type reads from an object.
  static func read(by accessor: Accessor, of object: AnyObject) -> any OrderedValue
  /// Returns the number of elements of the value that an accessor of this type reads from an object.
  static func elementCount(by accessor: Accessor, of object: AnyObject) -> Int
  /// Returns the element at a valid index, if the elements are objects.
  func object(at index: Int) -> AnyObject?
  /// Initialises memory with an array of this type, whose elements a function stores, which is passed the start and the
  /// stride and returns how many it has stored; `false` if these are too few, or the type cannot be made so.
  static func initialize(
    _ memory: Address, count: Int, _ fill: (Address, Int) -> Int
  ) -> Bool
  /// Returns whether ``exchange(at:removing:_:)`` takes boxes with a value of a type, or with nil.
  static func exchanges(_ type: ObjectIdentifier?) -> Bool
  /// Moves the element in a box, if there is one, into the array, and the one that it removes, if any, into the box,
  /// where it is kept beyond the access to the array.
  ///
  /// - Returns: Whether the index is valid; else nothing has moved.
  mutating func exchange(at index: Int, removing: Bool, _ box: AddressOf<Any?>) -> Bool

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

  func object(at index: Int) -> AnyObject? { nil }

  static func initialize(
    _ memory: Address, count: Int, _ fill: (Address, Int) -> Int
  ) -> Bool { false }

  static func exchanges(_ type: ObjectIdentifier?) -> Bool { false }

  mutating func exchange(at index: Int, removing: Bool, _ box: AddressOf<Any?>) -> Bool { false }
}
