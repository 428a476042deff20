/// A registration that a token can pause and cancel.
protocol PausableRegistration: AnyObject, Sendable {
  var isEnded: Bool { get }
  var isPaused: Bool { get }
  func setPaused(_ isPaused: Bool)
  func cancel()
}
