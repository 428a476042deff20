/// What a token stands for.
protocol Registration: AnyObject, Sendable {
  var isEnded: Bool { get }
  var isPaused: Bool { get }
  func setPaused(_ isPaused: Bool)
  func cancel()
}

extension Observation: Registration {}
