import KVBinding
import KVCore
import Synchronization
import Testing

@KVModel private final class TracedCell: KVObject {
  var s = 0
  var x = 0
  var y = 0
  var sum: Int { x + y }
}

@Suite("WAV.10: the trace of waves", .serialized)
struct WaveTraceTests {
  private let cell = TracedCell()
  private let other = TracedCell()

  /// Returns the messages about waves of traced cells, without their numbers.
  private func waves(of body: () throws -> Void) rethrows -> [String] {
    let messages = Mutex<[String]>([])
    let token = KVDiagnostics.addHandler(level: .verbose) { event in
      guard event.topic == .wave, event.message.contains("TracedCell") else { return }
      let text = event.message.split(separator: ":", maxSplits: 1).last.map { String($0.dropFirst()) }
      messages.withLock { $0.append(text ?? "") }
    }
    defer { KVDiagnostics.removeHandler(token) }
    try body()
    return messages.withLock { $0 }
  }

  private func observeSum(_ body: @escaping () -> Void = {}) throws -> (KVObservation, site: String) {
    (try other.observe("sum") { _ in body() }, "KVBindingTests/WaveTraceTests.swift:\(#line)")
  }

  @Test("WAV.10: a wave is reported at its end: its bindings in the order of their turns, and the kept observers")
  func turns() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "x", of: other)
    let (token, site) = try observeSum()
    #expect(
      waves { cell.s = 1 } == [
        "turns: TracedCell.s → TracedCell.x; TracedCell.x → TracedCell.y; kept: TracedCell.sum (\(site))"
      ])
    token.cancel()
    #expect(
      waves { cell.s = 2 } == ["turns: TracedCell.s → TracedCell.x; TracedCell.x → TracedCell.y; kept: none"])
  }

  @Test("WAV.10: a change in which no binding leads to another one, and nothing is kept, is not reported as a wave")
  func single() throws {
    try other.bind("x", to: "s", of: cell)
    #expect(waves { cell.s = 1 } == [])
  }

  @Test("WAV.10: a binding that has another turn is reported with the one that led to it")
  func again() throws {
    try other.bind("x", to: "y", of: other, options: .init(initialSync: .none)) { (number: Int) in number }
    try other.bind("y", to: "x", of: other, options: .init(initialSync: .none)) { (number: Int) in min(number + 1, 2) }
    #expect(
      waves { other.x = 1 } == [
        """
        turns: TracedCell.x → TracedCell.y; TracedCell.y → TracedCell.x; \
        TracedCell.x → TracedCell.y again, after TracedCell.y → TracedCell.x; kept: none
        """
      ])
  }

  @Test("WAV.10, WAV.2: a kept observer that a change within the wave has notified is reported as such")
  func takenOver() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "x", of: other)
    let (token, site) = try observeSum()
    var isFirst = true
    let changing = try other.observe("y") { [unowned other] _ in
      if isFirst { (isFirst, other.y) = (false, 9) }
    }
    let kept = "kept: TracedCell.sum (\(site)); TracedCell.sum (\(site)), until a change within"
    #expect(
      waves { cell.s = 1 } == [
        "turns: TracedCell.s → TracedCell.x; TracedCell.x → TracedCell.y; \(kept)"
      ])
    token.cancel()
    changing.cancel()
  }
}
