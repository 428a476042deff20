import KVBinding
import KVCore
import Testing

@Suite("WAV turns and kept notifications, where handlers act")
struct WaveTurnTests {
  let cell = WaveCell()
  let other = WaveCell()
  let log = WaveLog()

  /// Binds two keys, on which `sum` and `all` depend, to one.
  private func bindBoth() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell)
  }

  /// Calls a function at the first change of a key.
  private func once(_ object: WaveCell, _ key: KVKeyPath, _ body: @escaping () throws -> Void) throws -> KVObservation {
    var isDone = false
    return try object.observe(key) { _ in
      if isDone { return }
      isDone = true
      try? body()
    }
  }

  @Test("WAV.3: a binding that combines sources has one turn for a key on which both depend")
  func combination() throws {
    let sources = [try KVBindingSource(cell, "s"), try KVBindingSource(cell, "all")]
    let combiner = KVCombiner { [log] values in
      log.add("turn")
      return values.compactMap { $0 as? Int }.reduce(0, +)
    }
    try other.bind("x", toAll: sources, by: combiner)
    let token = try once(other, "x") { [unowned other] in other.x = 9 }
    _ = log.take()
    cell.s = 20
    #expect(log.take() == ["turn"])
    #expect(other.x == 9)
    token.cancel()
  }

  @Test("WAV.3: a binding that waits in a wave and in one within it has one turn in each")
  func waitingTwice() throws {
    let (source, end) = (WaveCell(), WaveCell())
    try other.bind("s", to: "s", of: source)
    try bindBoth()
    try end.bind("x", to: "all", of: other) { [log] (number: Int) in
      log.add("\(number)")
      return number
    }
    let token = try once(other, "x") { [unowned source] in source.s = 1 }
    _ = log.take()
    cell.s = 1
    #expect(log.take() == ["2", "3"])
    token.cancel()
  }

  @Test("WAV.4, WAV.9: an observer that is added after a change is kept from the next one on")
  func addedLater() throws {
    try bindBoth()
    let first = try log.watch(other, "sum")
    cell.s = 1
    let second = try log.watch(other, "sum")
    cell.s = 2
    #expect(log.take() == ["sum 0 → 2", "sum 2 → 4", "sum 2 → 4"])
    second.cancel()
    cell.s = 3
    #expect(log.take() == ["sum 4 → 6"])
    first.cancel()
  }

  @Test("WAV.2: an observer that wants no values is told again, also beside one that wants them")
  func withoutValues() throws {
    try bindBoth()
    try other.bind("s", to: "s", of: cell) { (number: Int) in -number }
    let tokens = [
      try once(other, "x") { [unowned other] in other.x = 9 }, try log.watch(other, "all"),
      try log.watch(other, "all", []),
    ]
    cell.s = 1
    #expect(log.take() == ["all 0 → 9", "all - → -", "all - → -"])
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.4: a kept observer has the last value, also beside one that was added during the wave")
  func addedDuring() throws {
    var added: KVObservation?
    let source = try once(cell, "s") { [log, unowned other] in added = try log.watch(other, "sum") }
    try bindBoth()
    let token = try log.watch(other, "sum")
    cell.s = 1
    #expect(log.take() == ["sum 0 → 1", "sum 1 → 2", "sum 0 → 2"])
    [source, token, added].forEach { $0?.cancel() }
  }

  @Test("WAV.4: an observer of what depends on a key that is set twice is notified once")
  func setTwice() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("x", to: "s", of: cell) { (number: Int) in number + 1 }
    let token = try log.watch(other, "sum")
    cell.s = 1
    #expect(log.take() == ["sum 1 → 2"])
    token.cancel()
  }

  @Test("WAV.2, BND.5: a binding that is setting reacts to a handler when it has set")
  func busy() throws {
    try other.bind("x", to: "s", of: cell)
    let token = try once(other, "x") { [log, unowned cell, unowned other] in
      cell.s = 5
      log.add("\(other.x)")
    }
    cell.s = 1
    #expect(log.take() == ["1"])
    #expect(other.x == 5)
    token.cancel()
  }
}
