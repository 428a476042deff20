/// How long the answers to wrong tokens wait: longer with each of them, so that guessing takes long.
///
/// Only the answer to a wrong token waits. A request with the right one is answered at once, however many wrong ones
/// arrive, so that nobody is locked out. The wait is bounded, and no thread sleeps meanwhile.
struct WrongTokens {
  /// How long the first answer waits; each further one waits twice as long.
  static let shortest = Duration.milliseconds(50)
  /// The longest wait.
  static let longest = Duration.seconds(5)
  /// The time without a wrong token in which one is forgotten.
  static let memory = Duration.seconds(10)

  private var count = 0
  private var last = Duration.zero

  /// Notes a wrong token, and returns how long its answer waits.
  ///
  /// - Parameter now: The time since the start of the server.
  mutating func wait(at now: Duration) -> Duration {
    count -= min(count, Int(clamping: (now - last).components.seconds / Self.memory.components.seconds))
    last = now
    let wait = min(Self.shortest * (1 << count), Self.longest)
    if wait < Self.longest { count += 1 }
    return wait
  }
}
