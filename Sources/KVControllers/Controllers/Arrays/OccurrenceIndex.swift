import KVBinding
import KVCore

/// Finds elements of one array in another: the *k*-th occurrence of an object, or of equal values, is the *k*-th there.
///
/// Objects are compared by identity, values as in CO.7: those that can be hashed in O(1).
struct OccurrenceIndex<Element> {
  private enum Key: Hashable {
    case object(ObjectIdentifier)
    case value(AnyHashable)

    init?(_ element: Element) {
      if let id = ArrangedContent<Element>.identity(of: element) {
        self = .object(id)
      } else if let value = element as? AnyHashable {
        self = .value(value)
      } else {
        return nil
      }
    }
  }

  private let source: [Element]
  /// The wanted elements that are hashed, and the indexes that they have in the other array.
  private var known: [Key: [Int]] = [:]
  private let target: [Element]

  /// Returns the indexes in an array of elements of another one.
  ///
  /// - Parameters:
  ///   - indexes: The indexes in the other array, in any order; those that are out of range have no result.
  ///   - source: The other array.
  ///   - target: The array. An element that occurs less often in it has the index of its last occurrence.
  /// - Returns: For each index the one in the array; nil if the element does not occur.
  /// - Complexity: O(*n*) for objects and hashable values.
  static func indexes(of indexes: [Int], in source: [Element], within target: [Element]) -> [Int?] {
    if indexes.isEmpty { return [] }
    if source.sharesStorage(with: target) { return indexes.map { target.indices.contains($0) ? $0 : nil } }
    return Self(indexes, source, target).indexes(of: indexes)
  }

  private init(_ indexes: [Int], _ source: [Element], _ target: [Element]) {
    (self.source, self.target) = (source, target)
    for index in indexes where source.indices.contains(index) { if let key = Key(source[index]) { known[key] = [] } }
    if known.isEmpty { return }
    for (index, element) in target.enumerated() { if let key = Key(element) { known[key]?.append(index) } }
  }

  private func indexes(of indexes: [Int]) -> [Int?] {
    var result: [Int?] = Array(repeating: nil, count: indexes.count)
    var counts: [Key: Int] = [:]
    var next = 0
    for position in indexes.indexesInOrder {
      let index = indexes[position]
      guard source.indices.contains(index) else { continue }
      guard let key = Key(source[index]) else {
        result[position] = indexOfValue(at: index)
        continue
      }
      // The occurrences up to the element.
      while next <= index {
        if let key = Key(source[next]), known[key] != nil { counts[key, default: 0] += 1 }
        next += 1
      }
      guard let positions = known[key], let count = counts[key] else { continue }
      result[position] = positions.isEmpty ? nil : positions[min(count, positions.count) - 1]
    }
    return result
  }

  /// Returns the index of a value that cannot be hashed.
  private func indexOfValue(at index: Int) -> Int? {
    let value = source[index]
    let count = source[...index].count { Equality.areEqual($0, value) }
    let positions = target.indices.lazy.filter { Equality.areEqual(target[$0], value) }.prefix(count)
    return Array(positions).last
  }
}
