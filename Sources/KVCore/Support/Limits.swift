import Synchronization

/// The limits that keep hostile or cyclic data from exhausting the stack, the memory or the time (KVC.18).
enum Limits {
  /// The maximum depth of collections in collections.
  static let nesting = 200
  /// The maximum depth of operators in operators, and of collections in collections when writing, whose calls take more
  /// stack.
  static let nestedCalls = 100

  private static let elements = Atomic<Int>(10_000_000)

  /// The maximum number of elements that one path may lead through.
  static var elementCount: Int {
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
