import KVCore

/// A text in which patterns are searched: its folded elements, bytes or characters.
protocol SearchedText<Element> {
  associatedtype Element: Equatable & Sendable

  var count: Int { get }
  subscript(index: Int) -> Element { get }
  /// Returns the index of the first element in a range that equals another one.
  func firstIndex(of element: Element, in range: ClosedRange<Int>) -> Int?
  /// Returns the end of the character of the text before it is folded that begins at an index; nil if none begins there.
  func characterEnd(from index: Int) -> Int?
  /// Returns the start of the character of the text before it is folded that ends at an index; nil if none ends there.
  func characterStart(before index: Int) -> Int?
}

/// Elements that are found in linear time, by the algorithm of Knuth, Morris and Pratt (FLT.6).
struct SearchPattern<Element: Equatable & Sendable>: Sendable {
  let elements: [Element]
  /// For each number of elements that match, how many of them still match a start further on.
  private let borders: [Int]

  init(_ elements: [Element]) {
    self.elements = elements
    var borders = Array(repeating: 0, count: elements.count)
    var border = 0
    for index in elements.indices.dropFirst().dropLast() {
      while border > 0, elements[index] != elements[border] { border = borders[border] }
      if elements[index] == elements[border] { border += 1 }
      borders[index + 1] = border
    }
    self.borders = borders
  }

  /// Returns the end of the first occurrence in a range of a text; nil if there is none.
  ///
  /// - Complexity: At most 2 *n* comparisons in a range of *n* elements.
  @inline(__always)
  func firstEnd(in text: some SearchedText<Element>, from start: Int, to end: Int) -> Int? {
    guard let first = elements.first else { return start }
    let last = end - elements.count
    var (index, matched) = (start, 0)
    while index - matched <= last {
      if matched == 0 {
        guard let found = text.firstIndex(of: first, in: index...last) else { return nil }
        (index, matched) = (found + 1, 1)
      }
      while matched < elements.count, text[index] == elements[matched] { (index, matched) = (index + 1, matched + 1) }
      if matched == elements.count { return index }
      matched = borders[matched]
    }
    return nil
  }
}
