/// Numbers the distinct values that it is given, by the equality of CO.7; NaN is one value.
struct GroupIndexes {
  private var count = 0
  private var ofNil: Int?
  private var ofNaN: Int?
  private var ofTexts: [String: Int] = [:]
  private var ofIdentities: [ValueIdentity: Int] = [:]
  private var others: [(value: Any, index: Int)] = []
  private var comparisons = 0

  /// Returns the number of a value: that of an equal one, or the next.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if values that are not hashable need too many comparisons.
  mutating func index(of value: Scalar) throws(KVError) -> Int {
    switch value {
    case .none: return Self.number(&ofNil, &count)
    case .text(let text): return Self.number(&ofTexts[text], &count)
    case .integer(let integer): return Self.number(&ofIdentities[.integer(Int128(integer))], &count)
    case .bool, .floating, .other: break
    }
    guard let any = value.any else { return Self.number(&ofNil, &count) }
    let identity = ValueIdentity(of: any)
    if case .fraction(let value)? = identity, value.isNaN { return Self.number(&ofNaN, &count) }
    if let identity { return Self.number(&ofIdentities[identity], &count) }
    comparisons += others.count
    guard comparisons <= Limits.elementCount else {
      throw KVError(
        .limitExceeded,
        """
        grouping so many values of type \(typeName(type(of: any))) needs more than \(Limits.elementCount) comparisons; \
        make the type Hashable, or raise KVC.maximumElementCount.
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
