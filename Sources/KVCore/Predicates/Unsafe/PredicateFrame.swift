/// What a predicate is evaluated with: the value, and the variables.
///
/// A frame is used while the one who makes it keeps the object alive, so that its reference is not counted.
struct PredicateFrame {
  /// The value if it is an object; else a placeholder.
  private let reference: _KVReference<AnyObject>
  private let isObject: Bool
  /// The value, if it is not an object that is kept elsewhere; nil also for nil.
  private let value: Any?
  let variables: [String: Scalar]
  /// What the subqueries have visited, in one of them.
  let visits: VisitCount?

  /// Creates a frame for an object that the caller keeps alive.
  @inline(__always)
  init(borrowing object: AnyObject, _ variables: [String: Scalar]) {
    reference = _KVReference(object)
    isObject = true
    value = nil
    self.variables = variables
    visits = nil
  }

  /// Creates a frame for any value.
  init(_ any: Any?, _ variables: [String: Scalar]) {
    value = any.flatMap(unwrappingOptionals)
    isObject = value.map { TypeInfo.of($0).isObject } ?? false
    reference = _KVReference(isObject ? value.map { object(in: $0) } ?? noObject : noObject)
    self.variables = variables
    visits = nil
  }

  private init(_ frame: PredicateFrame, _ variables: [String: Scalar], _ visits: VisitCount) {
    reference = frame.reference
    isObject = frame.isObject
    value = frame.value
    self.variables = variables
    self.visits = visits
  }

  /// Returns the frame of a subquery: with another variable.
  func with(_ name: String, _ value: Scalar, _ visits: VisitCount) -> PredicateFrame {
    var variables = variables
    variables[name] = value
    return PredicateFrame(self, variables, visits)
  }

  /// The value; nil for nil.
  var subject: Any? { isObject ? reference.object : value }

  /// Returns the integer of a path; nil if that needs a closer look.
  @inline(__always)
  func integer(_ reader: ScalarReader) -> Int? {
    isObject ? reference.borrow { reader.number(of: $0, as: Int.self) } : nil
  }

  /// Returns the value of a path; nil for nil.
  @inline(__always)
  func scalar(_ reader: ScalarReader) throws(KVError) -> Scalar {
    if isObject {
      var rest: ObjectCursor?
      if let scalar = reference.borrow({ reader.listedScalar(of: $0, &rest) }) { return scalar }
      return try reader.scalar(of: reference.object, behind: rest)
    }
    guard let value else { return .none }
    return try reader.scalar(in: value)
  }
}
