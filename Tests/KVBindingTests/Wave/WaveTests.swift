import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("WAV one change, one wave")
struct WaveTests {
  let cell = WaveCell()
  let other = WaveCell()
  let log = WaveLog()

  @Test(
    "WAV.1, COA.1: a wave ends before its statement; a scope defers notifications, and values are propagated at once")
  func ends() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "x", of: other)
    let token = try log.watch(other, "sum", [.old, .new, .coalesced])
    KVCoalescing.coalesce {
      cell.s = 1
      #expect(other.x == 1 && other.y == 1)
      cell.s = 2
      #expect(log.take() == [])
    }
    #expect(log.take() == ["sum 0 → 4"])
    token.cancel()
  }

  @Test(
    "WAV.8, BND.11: a wave in which a function fails goes on with the other bindings, and one that waits reads in its turn"
  )
  func failing() throws {
    struct Refusal: Error {}
    let third = WaveCell()
    try other.bind("x", to: "s", of: cell)
    let failing = try third.bind("z", to: "x", of: other, options: .init(initialSync: .none)) {
      (_: Int) throws -> Int in throw Refusal()
    }
    try third.bind("y", to: "x", of: other)
    let executor = KVManualExecutor()
    try third.bind("x", to: "sum", of: other, options: .init(concurrency: .dispatched(executor)))
    executor.runAll()
    cell.s = 3
    #expect(failing.state == .failed && third.y == 3 && third.x == 0)
    executor.runAll()
    #expect(third.x == 3)
  }

  // MARK: Kept registrations

  @Test("WAV.4, DEP.1, DEP.2: a key that depends on two targets is notified once, without a mixture")
  func diamond() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell) { (number: Int) in number * 10 }
    let tokens = [try log.watch(other, "sum")]
    cell.s = 1
    #expect(log.take() == ["sum 0 → 11"])
    cell.s = 2
    #expect(log.take() == ["sum 11 → 22"])
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.4: the key that the program sets counts, too, and a typed observer and a path are kept as well")
  func ownKey() throws {
    try cell.bind("x", to: "s", of: cell)
    let token = try log.watch(cell, "all")
    let typed = try cell.observe("all", as: Int.self) { [log] change in
      log.add("typed \(change.old ?? -1) → \(change.new ?? -1)")
    }
    cell.s = 1
    #expect(log.take() == ["all 0 → 2", "typed 0 → 2"])
    [token, typed].forEach { $0.cancel() }
  }

  @Test("WAV.4: direct observers of the targets are notified when these are set, and kept ones after them")
  func direct() throws {
    let tokens = [try log.watch(other, "sum"), try log.watch(other, "x"), try log.watch(other, "y")]
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell)
    cell.s = 3
    #expect(log.take() == ["x 0 → 3", "y 0 → 3", "sum 0 → 6"])
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.4: prior records of a kept observer come once, before the first key")
  func prior() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell)
    let token = try log.watch(other, "sum", [.old, .new, .prior])
    cell.s = 4
    #expect(log.take() == ["sum prior 0 → -", "sum 0 → 8"])
    token.cancel()
  }

  @Test("WAV.4, KVO.5: a change back to the old value within a wave notifies once, and a distinct observer not at all")
  func unchanged() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell) { (number: Int) in -number }
    let tokens = [try log.watch(other, "sum"), try log.watch(other, "sum", [.old, .new, .distinct])]
    cell.s = 4
    #expect(log.take() == ["sum 0 → 0"])
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.2: what a handler changes takes a kept notification over: no value is left out, and none comes twice")
  func takenOver() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell)
    let handler = try other.observe("x") { [unowned other, log] _ in
      if other.z == 0 { other.z = 1 } else { log.add("no change") }
    }
    let total = try log.watch(other, "sum")
    let token = try log.watch(other, "z")
    cell.s = 1
    #expect(log.take() == ["z 0 → 1", "sum 0 → 2"])
    [handler, total, token].forEach { $0.cancel() }
  }

  // MARK: The order of dependence

  @Test("WAV.3: a binding runs after those that set what its source depends on, once, from the first change on")
  func order() throws {
    let (middle, end) = (WaveCell(), WaveCell())
    var runs = 0
    try end.bind("z", to: "sum", of: middle) { (number: Int) in
      runs += 1
      return number
    }
    try middle.bind("y", to: "s", of: cell)
    try other.bind("x", to: "s", of: cell)
    try middle.bind("x", to: "x", of: other)
    runs = 0
    let token = try log.watch(end, "z")
    cell.s = 5
    #expect(log.take() == ["z 0 → 10"])
    #expect(runs == 1)
    token.cancel()
  }

  @Test("WAV.3: diamonds in a row take one turn for each binding", arguments: [1, 5, 20])
  func diamonds(count: Int) throws {
    let cells = (0...count).map { _ in WaveCell() }
    var runs = 0
    for (from, to) in zip(cells, cells.dropFirst()) {
      let source = from === cells[0] ? "s" : "sum"
      try to.bind("x", to: KVKeyPath(source), of: from) { (number: Int) in
        runs += 1
        return number
      }
      try to.bind("y", to: KVKeyPath(source), of: from) { (number: Int) in
        runs += 1
        return 0 * number
      }
    }
    let token = try log.watch(cells[count], "sum")
    for value in 1...2 {
      runs = 0
      cells[0].s = value
      #expect(runs == 2 * count)
      #expect(log.take() == ["sum \(value - 1) → \(value)"])
    }
    token.cancel()
  }

  @Test("WAV.3, BND.6: the second binding of a chain runs after the handlers of the key that the program has set")
  func chain() throws {
    try cell.bind("x", to: "s", of: cell)
    try cell.bind("y", to: "x", of: cell)
    let token = try cell.observe("s") { [unowned cell, log] _ in log.add("x \(cell.x) y \(cell.y)") }
    cell.s = 1
    #expect(log.take() == ["x 1 y 0"])
    #expect(cell.y == 1)
    token.cancel()
  }

  @Test("WAV.5: a chain of bindings has any length")
  func longChain() throws {
    let cells = (0..<20_000).map { _ in WaveCell() }
    for (from, to) in zip(cells, cells.dropFirst()) {
      try to.bind("x", to: "x", of: from, options: .init(initialSync: .none))
    }
    cells[0].x = 7
    #expect(cells[19_999].x == 7)
    cells[0].x = 8
    #expect(cells.allSatisfy { $0.x == 8 })
  }

  // MARK: Nested changes

  @Test("WAV.2, BND.6: what a handler changes is propagated before its statement has ended, within a wave, too")
  func nested() throws {
    let (third, fourth) = (WaveCell(), WaveCell())
    try other.bind("x", to: "s", of: cell)
    try third.bind("x", to: "x", of: other)
    try fourth.bind("y", to: "z", of: third)
    let token = try other.observe("x") { [unowned third, unowned fourth, log] _ in
      third.z += 1
      log.add("\(fourth.y)")
    }
    for value in 1...3 { cell.s = value }
    #expect(log.take() == ["1", "2", "3"])
    #expect(third.x == 3)
    token.cancel()
  }

  @Test("WAV.2: a handler of a target that sets the target again is complete at once")
  func correction() throws {
    let third = WaveCell()
    try other.bind("x", to: "s", of: cell)
    try third.bind("x", to: "x", of: other)
    let token = try other.observe("x") { [unowned other, unowned third, log] _ in
      if other.x > 9 {
        other.x = 9
        log.add("\(third.x)")
      }
    }
    cell.s = 12
    #expect(log.take() == ["9"])
    #expect(other.x == 9 && third.x == 9)
    token.cancel()
  }

  // MARK: Mirrors

  @Test("WAV.3, BND.7: a mirror that waits composes the edits, and follows any other change as a whole")
  func mirrors() throws {
    let third = WaveCell()
    try other.bind("items", to: "items", of: cell)
    try third.bind("items", to: "items", of: other)
    let token = try other.observe("items") { [unowned other] _ in
      if other.items.count == 1 { try? other.mutableArray(forKey: "items").insert(9, at: 1) }
    }
    try cell.mutableArray(forKey: "items").insert(1, at: 0)
    #expect(other.items == [1, 9] && third.items == [1, 9])
    token.cancel()
  }
}
