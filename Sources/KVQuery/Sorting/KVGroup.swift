import KVCore

/// Elements with equal values of a key path (SRT.8).
public struct KVGroup<Element> {
  /// The value that the elements share; nil for those without one.
  public let key: Any?
  /// The elements, in their order.
  public let elements: [Element]
}

extension Sequence {
  /// Returns the elements in groups of equal values of a key path, in order of first appearance.
  ///
  /// ```swift
  /// for group in try songs.grouped(by: "artist.name") { print(group.key ?? "unknown", group.elements.count) }
  /// ```
  ///
  /// - Parameter path: The key path of the elements, or its text.
  /// - Throws: ``KVError``: the errors of reading the path, with the index of the element; `limitExceeded` if values that
  ///   are not `Hashable` need more comparisons than the policy of the path permits, or ``KVC/maximumElementCount``.
  /// - Complexity: O(*n*) for `Hashable` values and objects, O(*n* · *groups*) for others.
  public func grouped(by path: some KVKeyPathConvertible) throws(KVError) -> [KVGroup<Element>] {
    var groups: [(key: Any?, elements: [Element])] = []
    try forEachGroup(by: try path.keyPath()) { index, key, element in
      if index == groups.count { groups.append((key(), [])) }
      groups[index].elements.append(element)
    }
    return groups.map { KVGroup(key: $0.key, elements: $0.elements) }
  }

  /// Returns the first element of each distinct value of a key path, in order.
  ///
  /// - Parameter path: The key path of the elements, or its text.
  /// - Throws: As ``grouped(by:)``.
  /// - Complexity: As ``grouped(by:)``.
  public func uniqued(by path: some KVKeyPathConvertible) throws(KVError) -> [Element] {
    var result: [Element] = []
    try forEachGroup(by: try path.keyPath()) { index, _, element in
      if index == result.count { result.append(element) }
    }
    return result
  }

  private func forEachGroup(
    by path: KVKeyPath, _ body: (Int, () -> Any?, Element) -> Void
  ) throws(KVError) {
    let reader = ScalarReader(path: path)
    var values = DistinctValues(limit: path.policy?.elementLimit)
    var position = 0
    for element in self {
      do throws(KVError) {
        let value = try unwrappingOptionals(element).map { value throws(KVError) in try reader.scalar(in: value) }
        let key = value ?? .none
        body(try values.index(of: key), { key.any }, element)
      } catch {
        throw error.ofElement(position, isOrdered: true)
      }
      position += 1
    }
  }
}
