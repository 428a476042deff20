/// Removes repeated values, by the equality of CO.7; keeps the order of first appearance (OP.5).
struct DistinctValues {
  private var identities: Set<ValueIdentity> = []
  private var others: [Any] = []
  private var comparisons = 0

  /// Returns the values without repetitions.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if values that are not hashable need too many comparisons.
  /// - Complexity: O(*n*) for hashable values and objects, O(*n*²) for others.
  static func of(_ values: [Any]) throws(KVError) -> [Any] {
    var distinct = DistinctValues()
    var result: [Any] = []
    for value in values where try distinct.insert(value) { result.append(value) }
    return result
  }

  private mutating func insert(_ value: Any) throws(KVError) -> Bool {
    if let identity = ValueIdentity(of: value) { return identities.insert(identity).inserted }
    comparisons += others.count
    let limit = Limits.elementCount
    guard comparisons <= limit else {
      throw KVError(
        .limitExceeded,
        """
        finding the distinct ones of so many values of type \(typeName(type(of: value))) needs more than \(limit) \
        comparisons; make the type Hashable, or raise KVC.maximumElementCount.
        """)
    }
    if others.contains(where: { Equality.areEqual($0, value) }) { return false }
    others.append(value)
    return true
  }
}
