// Sorts by a number or a text of each element. Two sorts, of numbers and of texts, serve all types of elements: one for
// each type would be 3 to 6 KB of code.

extension [Int] {
  /// The indexes of the elements in ascending order; equal ones keep theirs.
  @inline(never)
  package var indexesInOrder: [Int] { indices.sorted { self[$0] < self[$1] } }
}

extension [String] {
  /// The indexes of the elements in ascending order; equal ones keep theirs.
  @inline(never)
  package var indexesInOrder: [Int] { indices.sorted { self[$0] < self[$1] } }
}

extension Sequence {
  /// Returns the elements in the ascending order of a number of each; equal ones keep theirs.
  package func ordered(by number: (Element) -> Int) -> [Element] {
    let elements = Array(self)
    return elements[at: elements.map(number).indexesInOrder]
  }

  /// Returns the elements in the ascending order of a text of each; equal ones keep theirs.
  package func ordered(by text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    return elements[at: elements.map(text).indexesInOrder]
  }
}
