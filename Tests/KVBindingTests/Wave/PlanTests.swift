import KVBinding
import KVCore
import Testing

@Suite("WAV.9: what is found once is kept until it changes")
struct PlanTests {
  let cell = WaveCell()
  let log = WaveLog()

  @Test("WAV.9, KVO.9: a cancelled handler is released at once, though a plan had it")
  func released() throws {
    final class Witness {}
    weak var witness: Witness?
    let other = try log.watch(cell, "sum")
    var token: KVObservation?
    do {
      let object = Witness()
      witness = object
      token = try cell.observe("sum") { _ in withExtendedLifetime(object) {} }
    }
    cell.x = 1
    cell.x = 2
    #expect(witness != nil)
    token?.cancel()
    token = nil
    #expect(witness == nil)
    cell.x = 3
    #expect(log.take() == ["sum 0 → 1", "sum 1 → 2", "sum 2 → 3"])
    other.cancel()
  }

  @Test("WAV.9, KVO.7: an observer that is added, or is added by a handler, is in the next change")
  func added() throws {
    let first = try log.watch(cell, "sum")
    cell.x = 1
    var second: KVObservation?
    let adding = try cell.observe("y") { [unowned cell, log] _ in second = try? log.watch(cell, "sum") }
    cell.y = 1
    #expect(log.take() == ["sum 0 → 1", "sum 1 → 2"])
    adding.cancel()
    cell.y = 2
    #expect(log.take() == ["sum 2 → 3", "sum 2 → 3"])
    [first, second].forEach { $0?.cancel() }
    cell.y = 3
    #expect(log.take() == [])
  }

  @Test("WAV.9: a dependency of an object that has ended, or was replaced, is in no further change")
  func objects() throws {
    let shelf = CellHolder()
    let token = try log.watch(shelf, "total")
    shelf.cell = WaveCell()
    shelf.cell?.x = 1
    let former = shelf.cell
    shelf.cell = WaveCell()
    former?.x = 5
    shelf.cell?.x = 2
    shelf.cell?.x = 3
    shelf.cell = nil
    #expect(log.take() == ["total 0 → 0", "total 0 → 1", "total 1 → 0", "total 0 → 2", "total 2 → 3", "total 3 → 0"])
    token.cancel()
  }

  @Test("WAV.9, KVO.1: a getter runs once before and once after each change, whoever observes")
  func getters() throws {
    let counter = CallCounter()
    let tokens =
      try (0..<3).map { _ in try log.watch(counter, "next") } + [counter.observe("next", as: Int.self) { _ in }]
    for value in 1...3 {
      counter.calls = 0
      counter.number = value
      #expect(counter.calls == 2)
    }
    tokens.forEach { $0.cancel() }
  }
}

@KVModel private final class CellHolder: KVObject {
  var cell: WaveCell?
  @KVKey(.affected(by: "cell.x")) var total: Int { cell?.x ?? 0 }
}

private final class CallCounter: KVObject {
  @KVProperty var number = 0
  var calls = 0
  var next: Int {
    calls += 1
    return number + 1
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CallCounter.self) { key in
      key("number", \.number)
      key("next", \.next).affected(by: "number")
    }
  }
}
