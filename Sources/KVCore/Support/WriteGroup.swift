/// Makes one change of the writes of one call, as of a key of all elements of an array (UND.4).
///
/// KVBinding lets ``WriteGroup`` conform, as KVFoundation lets ``FoundationProvider``.
package protocol JointWriteBoundaries {
  /// Begins a change; nil if nobody needs to know its end.
  static func begin() -> AnyObject?
  /// Ends a change that has begun.
  static func end(_ change: AnyObject)
}

/// The type by which the boundaries are found.
package enum WriteGroup {
  private struct Found: @unchecked Sendable {  // guard: a metatype, whose functions are static
    let type = WriteGroup.self as Any.Type as? any JointWriteBoundaries.Type
  }

  private static let found = Found()

  /// Calls a function whose writes are one change.
  static func perform<Result>(_ body: () throws(KVError) -> Result) throws(KVError) -> Result {
    guard let boundaries = found.type, let change = boundaries.begin() else { return try body() }
    defer { boundaries.end(change) }
    return try body()
  }
}
