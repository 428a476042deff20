import Foundation

/// Says on standard error how far long work is.
///
/// On a terminal it does so once the work has taken two seconds, in one line, and takes that back at the end. Elsewhere
/// it does so only if it was asked to, in lines that stay.
final class Progress {
  private static let patience = Duration.seconds(2)

  private let isAskedFor: Bool
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private let start = ContinuousClock.now
  private var reported: ContinuousClock.Instant?

  /// Starts with the work.
  ///
  /// - Parameter isAskedFor: Whether all steps are reported, without waiting, and even where there is no terminal.
  init(isAskedFor: Bool = false) { self.isAskedFor = isAskedFor }

  /// Says how far the work is, if it is time to.
  func report(_ text: @autoclosure () -> String) {
    guard isTerminal || isAskedFor else { return }
    let now = ContinuousClock.now
    let interval = isTerminal ? Duration.milliseconds(200) : .seconds(1)
    guard reported.map({ now - $0 > interval }) ?? (now - start > Self.patience) else { return }
    write(text(), now)
  }

  /// Says that a step begins.
  ///
  /// - Parameters:
  ///   - text: What is done.
  ///   - isLong: Whether the step takes long and says nothing meanwhile.
  func begin(_ text: @autoclosure () -> String, isLong: Bool = false) {
    guard isTerminal || isAskedFor else { return }
    let now = ContinuousClock.now
    if isAskedFor || isLong || now - start > Self.patience { write(text(), now) }
  }

  /// Takes back what a terminal shows.
  func finish() {
    if isTerminal, reported != nil { StandardStreams.writeError("\r\u{1B}[K") }
    reported = nil
  }

  private func write(_ text: String, _ now: ContinuousClock.Instant) {
    reported = now
    StandardStreams.writeError(isTerminal ? "\rkv: \(text)\u{1B}[K" : "kv: \(text)\n")
  }
}
