/// Numbers distinct values in the order of their first appearance, by the equality of CO.7; NaN is one value (OP.5, SRT.8).
package struct DistinctValues {
  private let limit: Int
  private var count = 0
  private var ofNil: Int?
  private var ofNaN: Int?
  private var ofTexts: [String: Int] = [:]
  private var ofIdentities: [ValueIdentity: Int] = [:]
  private var others: [(value: Any, index: Int)] = []
  private var comparisons = 0

  /// - Parameter limit: The number of comparisons that the policy of a path permits; nil for that of the process.
  package init(limit: Int? = nil) { self.limit = limit ?? Limits.elementCount }

  /// Returns values without repetitions.
  ///
  /// - Throws: As ``index(of:)``.
  /// - Complexity: O(*n*) for hashable values and objects, O(*n*²) for others.
  static func of(_ values: [Any], limit: Int? = nil) throws(KVError) -> [Any] {
    var distinct = DistinctValues(limit: limit)
    var result: [Any] = []
    for value in values where try distinct.index(of: Scalar(value)) == result.count { result.append(value) }
    return result
  }

  /// Returns the number of a value: that of an equal one, or the next.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if values that are not hashable need too many comparisons (KVC.18).
  package mutating func index(of value: Scalar) throws(KVError) -> Int {
    switch value {
    case .none: return Self.number(&ofNil, &count)
    case .text(let text): return Self.number(&ofTexts[text], &count)
    case .integer(let integer): return Self.number(&ofIdentities[.integer(Int128(integer))], &count)
    case .bool, .floating, .other: break
    }
    guard let any = value.any else { return Self.number(&ofNil, &count) }
    if let identity = ValueIdentity(of: any) {
      if identity == identity { return Self.number(&ofIdentities[identity], &count) }
      if case .fraction = identity { return Self.number(&ofNaN, &count) }
      // A value that contains NaN equals nothing: in a table, many of them would be compared with each other.
      defer { count += 1 }
      return count
    }
    comparisons += others.count
    guard comparisons <= limit else {
      throw KVError(
        .limitExceeded,
        """
        finding the distinct ones of so many values of type \(typeName(type(of: any))) needs more than \(limit) \
        comparisons; make the type Hashable, or raise \(Limits.setting(of: limit)).
        """)
    }
    if let known = others.first(where: { Equality.areEqual($0.value, any) }) { return known.index }
    others.append((any, count))
    count += 1
    return count - 1
  }

  private static func number(_ slot: inout Int?, _ count: inout Int) -> Int {
    if let slot { return slot }
    defer { count += 1 }
    slot = count
    return count
  }
}
