/// The built-in operators (OP.1).
enum BuiltInOperator: String, CaseIterable {
  case count, sum, avg, min, max
  case unionOfObjects, distinctUnionOfObjects, unionOfArrays, distinctUnionOfArrays, unionOfSets, distinctUnionOfSets
  case firstObject, lastObject
  case `self`

  /// Whether the operator processes the values of a right path, which is then required (OP.2).
  var needsRightPath: Bool {
    switch self {
    case .count, .firstObject, .lastObject, .self: false
    default: true
    }
  }
}
