import KVCore

/// The trace of a wave, for handlers of verbose events (WAV.10).
struct WaveTrace {
  /// The bindings that have had their turns, in that order.
  private var turns: [String] = []
  /// The registrations whose notifications were kept, in that order.
  private var kept: [String] = []

  mutating func add(reactionOf binding: BindingCore) { turns.append(binding.summary) }

  /// Records that a binding has another turn.
  mutating func add(repeatedReactionOf binding: BindingCore, after cause: BindingCore?) {
    turns.append("\(binding.summary) again\(cause.map { ", after \($0.summary)" } ?? "")")
  }

  mutating func add(kept registration: Registration) { kept.append(registration.locatedName) }

  /// Records that a change within the wave has notified a registration that the wave had kept.
  mutating func add(merged registration: Registration) {
    kept.append("\(registration.locatedName), until a change within")
  }

  /// Reports the end of the wave.
  func report(_ number: UInt64) {
    KVDiagnostics.report(.verbose, .wave, nil, nil) {
      let name = "\(number >> Wave.bitsOfThread).\(number & (1 << Wave.bitsOfThread - 1))"
      return "wave \(name): turns: \(list(turns)); kept: \(list(kept))"
    }
  }

  private func list(_ lines: [String]) -> String { lines.isEmpty ? "none" : lines.joined(separator: "; ") }
}
