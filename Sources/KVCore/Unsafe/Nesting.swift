/// How deep an evaluation is in collections and operators, and how many elements it has visited (KVC.18).
///
/// It is trivial, so that a path without collections pays nothing for it.
struct Nesting {
  /// The number of collections and operators around.
  let depth: Int
  /// The elements that were visited, but for those of the outermost collection; nil outside of that.
  private let visited: AddressOf<Int>?

  init(depth: Int = 0) { self.init(depth, nil) }

  private init(_ depth: Int, _ visited: AddressOf<Int>?) {
    self.depth = depth
    self.visited = visited
  }

  /// The nesting in a collection or operator.
  var inner: Nesting { Nesting(depth + 1, visited) }

  /// Calls a function that visits elements, and counts them if they are in a collection or operator that counts.
  ///
  /// - Throws: ``KVError`` (`limitExceeded`) if the evaluation has visited too many: more than the process permits, or
  ///   the policy of a path.
  func counting<Result>(
    _ elements: Int, at component: @autoclosure () -> String, limit: Int? = nil,
    _ body: (Nesting) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    guard let visited else {
      var visited = 0
      return try withAddress(of: &visited) { visited throws(KVError) in
        try body(Nesting(depth, visited))
      }
    }
    let (sum, overflows) = visited.pointee.addingReportingOverflow(elements)
    visited.pointee = overflows ? .max : sum
    try Limits.check(visited.pointee, at: component(), limit: limit)
    return try body(self)
  }
}
