import Synchronization

/// The limits that keep hostile or cyclic data from exhausting the stack, the memory or the time (KVC.18).
package enum Limits {
  /// The maximum depth of collections in collections.
  package static let nesting = 200
  /// The maximum depth of operators in operators, and of collections in collections when writing, whose calls take more
  /// stack.
  package static let nestedCalls = 100

  /// How many faults of definitions or declarations are listed.
  package static let faults = 100

  private static let elements = Atomic<Int>(10_000_000)

  /// The maximum number of elements that one path may lead through.
  package static var elementCount: Int {
    get { elements.load(ordering: .relaxed) }
    set { elements.store(newValue, ordering: .relaxed) }
  }

  /// Returns the name of the setting that a limit is: that of a policy is lower than the process's.
  static func setting(of limit: Int) -> String {
    limit < elementCount ? "maximumElementCount of the policy" : "KVC.maximumElementCount"
  }

  /// Throws if there are too many elements at a component.
  static func check(_ count: Int, at component: @autoclosure () -> String, limit own: Int? = nil) throws(KVError) {
    let limit = own ?? elementCount
    guard count > limit else { return }
    let component = component()
    throw KVError(
      .limitExceeded,
      """
      more than \(limit) elements at \"\(component)\": collections in collections multiply. Shorten the path, or raise \
      \(setting(of: limit)).
      """, component: component)
  }
}

/// The reason why nested data cannot be entered one level deeper: the limit of their depth, or the thread's stack
/// (KVC.18).
package enum NestingFault {
  case limit(Int)
  case stack

  /// Returns what forbids to enter a level; nil if nothing does.
  ///
  /// - Parameters:
  ///   - depth: The number of levels around. The stack has room for the outermost ones, which are most.
  ///   - limit: The maximum depth.
  @inline(__always)
  package static func entering(_ depth: Int, limit: Int = Limits.nesting) -> NestingFault? {
    if depth >= limit { return .limit(limit) }
    return depth <= 1 || StackSpace.hasRoom() ? nil : .stack
  }

  /// How the data are nested, as a part of a sentence.
  package var nested: String {
    switch self {
    case .limit(let limit): "nested more than \(limit) deep"
    case .stack: "nested too deeply for the stack of this thread"
    }
  }

  /// The remedy, as the part of a message after a semicolon.
  ///
  /// - Parameter other: The remedy if they are nested too deeply for any stack; nil if nothing helps but less nesting.
  package func cure(_ other: String? = nil) -> String {
    switch self {
    case .limit: other.map { "; \($0)" } ?? ""
    case .stack: "; use a thread with a larger stack"
    }
  }
}
