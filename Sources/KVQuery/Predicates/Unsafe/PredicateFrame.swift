import KVCore

/// The input of an evaluation of a predicate: the value, and the variables.
///
/// A frame is used while the one who makes it keeps the object alive, so that its reference is not counted.
struct PredicateFrame {
  /// The value if it is an object; else a placeholder.
  private let reference: _KVReference<AnyObject>
  private let isObject: Bool
  /// The value, if it is not an object that is kept elsewhere; nil also for nil.
  private let value: Any?
  /// The variables; nil if there are none, as in most frames, which is copied at no cost.
  private let bound: [String: Scalar]?
  /// The number of elements that subqueries have visited; nil outside of a subquery.
  let visits: VisitCount?

  /// Creates a frame for an object that the caller keeps alive.
  @inline(__always)
  init(borrowing object: AnyObject) {
    reference = _KVReference(object)
    isObject = true
    (value, bound, visits) = (nil, nil, nil)
  }

  /// Creates a frame for any value.
  init(_ any: Any?, _ variables: [String: Scalar] = [:]) {
    value = any.flatMap(unwrappingOptionals)
    isObject = value.map { TypeInfo.of($0).isObject } ?? false
    reference = _KVReference(isObject ? value.map { object(in: $0) } ?? noObject : noObject)
    bound = variables.isEmpty ? nil : variables
    visits = nil
  }

  private init(_ frame: PredicateFrame, _ variables: [String: Scalar], _ visits: VisitCount) {
    reference = frame.reference
    isObject = frame.isObject
    value = frame.value
    bound = variables
    self.visits = visits
  }

  /// Returns the frame of a subquery: with another variable.
  func with(_ name: String, _ value: Scalar, _ visits: VisitCount) -> PredicateFrame {
    var variables = variables
    variables[name] = value
    return PredicateFrame(self, variables, visits)
  }

  var variables: [String: Scalar] { bound ?? [:] }

  /// The value; nil for nil.
  var subject: Any? { isObject ? reference.object : value }

  /// Returns the value of a key if it is of a type; nil if that needs a closer look, before which no getter was called.
  @inline(__always)
  func integer(_ reader: ScalarReader) -> Int? { isObject ? reference.borrow { reader.integer(of: $0) } : nil }

  @inline(__always)
  func text(_ reader: ScalarReader) -> String? { isObject ? reference.borrow { reader.text(of: $0) } : nil }

  /// Returns the value of a path; nil for nil.
  @inline(__always)
  func scalar(_ reader: ScalarReader) throws(KVError) -> Scalar {
    if isObject { return try reference.tryBorrow { object throws(KVError) in try reader.scalar(of: object) } }
    guard let value else { return .none }
    return try reader.scalar(in: value)
  }
}
