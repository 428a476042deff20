/// Drops values that occurred before, by the equality of CO.7; keeps the order of first appearance (OP.5).
enum DistinctValues {
  /// - Complexity: O(*n*) for hashable values and objects, O(*n*²) for others.
  static func of(_ values: [Any]) -> [Any] {
    var hashed: Set<AnyHashable> = []
    var objects: Set<ObjectIdentifier> = []
    var others: [Any] = []
    return values.filter { value in
      if let hashable = value as? AnyHashable { return hashed.insert(hashable).inserted }
      let info = TypeInfo.of(value)
      if info.isObject, !(value is any Equatable) {
        return objects.insert(ObjectIdentifier(object(in: value))).inserted
      }
      if others.contains(where: { Equality.areEqual($0, value) }) { return false }
      others.append(value)
      return true
    }
  }
}
