/// A registration that a token can pause and cancel.
protocol PausableRegistration: AnyObject, Sendable {
  var isEnded: Bool { get }
  /// Whether the owner has been deallocated, so that the registration ends at the next opportunity.
  var isOrphaned: Bool { get }
  var isPaused: Bool { get }
  func setPaused(_ isPaused: Bool)
  func cancel()
}
