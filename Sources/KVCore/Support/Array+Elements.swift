// What `map` does, where the type of the elements is unknown: `map` is not specialized there, and allocates memory for each
// element that it reads.
extension Array {
  /// Creates an array of the elements that a function returns for indexes.
  @inlinable @inline(__always)
  package init(_ indexes: some Collection<Int>, element: (Int) -> Element) {
    self.init()
    reserveCapacity(indexes.count)
    for index in indexes { append(element(index)) }
  }

  /// The elements at indexes.
  @inlinable
  package subscript(at indexes: [Int]) -> [Element] { Array(indexes) { self[$0] } }
}
