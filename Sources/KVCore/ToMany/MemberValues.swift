/// Values, one of which an element may be equal to (CO.7); NaN equals NaN.
struct MemberValues {
  private var identities: Set<ValueIdentity> = []
  private var others: [Any?] = []

  init(_ values: [Any]) {
    for value in values {
      if let identity = Self.identity(of: value) { identities.insert(identity) } else { others.append(value) }
    }
  }

  /// - Complexity: O(1) for hashable values and objects, O(*n*) for others.
  func contains(_ value: Any?) -> Bool {
    if let identity = Self.identity(of: value) { return identities.contains(identity) }
    return others.contains { Equality.areSame($0, value) }
  }

  /// Returns `nil` for a value that has to be compared: nil, NaN, and what is neither hashable nor an object.
  private static func identity(of value: Any?) -> ValueIdentity? {
    guard let value = value.flatMap(unwrappingOptionals), let identity = ValueIdentity(of: value) else { return nil }
    return identity == identity ? identity : nil
  }
}
