import KVBinding
import KVCore
import TestModels
import Testing

@Suite("WAV what handlers and functions do within a wave")
struct WaveNestingTests {
  let cell = WaveCell()
  let other = WaveCell()
  let log = WaveLog()

  @Test("WAV.7, LIF.1: an object that is read for a kept observer lives to the end of the wave")
  func living() throws {
    let holder = WaveCell()
    weak var weakObject: WaveCell?
    let tokens: [KVObservation]
    do {
      let object = WaveCell()
      (holder.child, weakObject) = (object, object)
      try object.bind("x", to: "s", of: cell)
      try object.bind("y", to: "s", of: cell)
      tokens = [
        try log.watch(object, "sum"), try object.observe("x") { [unowned holder] _ in holder.child = nil },
      ]
    }
    cell.s = 1
    #expect(log.take() == ["sum 0 → 2"])
    #expect(weakObject == nil)
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.3, BND.7: a mirror that waits with an edit, and has an earlier turn by a handler, mirrors the whole")
  func overtaken() throws {
    let (third, fourth) = (WaveCell(), WaveCell())
    cell.items = [6]
    try other.bind("items", to: "items", of: cell)
    try third.bind("items", to: "items", of: other)
    try fourth.bind("items", to: "items", of: other)
    var isDone = false
    let token = try third.observe("items") { [unowned cell] _ in
      if isDone { return }
      isDone = true
      try? cell.mutableArray(forKey: "items").insert(9, at: 0)
    }
    try cell.mutableArray(forKey: "items").replace(at: 0, with: 9)
    #expect([cell, other, third, fourth].allSatisfy { $0.items == [9, 9] })
    token.cancel()
  }

  @Test(
    "WAV.4, KVO.11: the new value of a kept path is that of the path at the end of the wave", arguments: [false, true])
  func path(isMiddleFirst: Bool) throws {
    let (holder, first, second) = (WaveCell(), WaveCell(), WaveCell())
    let (old, set) = (WaveCell(), WaveCell())
    (holder.child, first.child, second.child) = (first, old, WaveCell())
    set.x = 1
    second.child?.x = 2
    let token = try log.watch(holder, "child.child.x")
    func bindMiddle() throws {
      try first.bind("child", to: "s", of: cell, options: .init(initialSync: .none)) { (_: Int) in set }
    }
    func bindFirst() throws {
      try holder.bind("child", to: "s", of: cell, options: .init(initialSync: .none)) { (_: Int) in second }
    }
    if isMiddleFirst { try bindMiddle() }
    try bindFirst()
    if !isMiddleFirst { try bindMiddle() }
    cell.s = 1
    #expect(log.take().last?.hasSuffix("→ 2") == true)
    second.child?.x = 3
    #expect(log.take() == ["child.child.x 2 → 3"])
    token.cancel()
  }

  @Test("WAV.2, KVO.8: what a function of a binding sets is propagated at once, also if it is the target")
  func function() throws {
    let third = WaveCell()
    try third.bind("x", to: "x", of: other)
    try other.bind("x", to: "s", of: cell, options: .init(initialSync: .none)) { [log, unowned other] (number: Int) in
      other.x = number + 100
      log.add("\(third.x)")
      return number
    }
    cell.s = 1
    #expect(log.take() == ["101"])
    #expect(other.x == 1 && third.x == 1)
  }

  @Test("WAV.2, KVO.8: a handler that binds the target and sets it is served at once")
  func binding() throws {
    let third = WaveCell()
    try other.bind("x", to: "s", of: cell)
    var isDone = false
    let token = try other.observe("x") { [log, unowned other, unowned third] _ in
      if isDone { return }
      isDone = true
      _ = try? third.bind("x", to: "x", of: other)
      other.x = 77
      log.add("\(third.x)")
    }
    cell.s = 5
    #expect(log.take() == ["77"])
    token.cancel()
  }

  @Test("WAV.2: a notification that is taken over twice keeps the value from before the first wave")
  func takenOverTwice() throws {
    let source = WaveCell()
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell)
    try other.bind("z", to: "s", of: source)
    let total = TotalCell(other)
    try total.bind("extra", to: "s", of: source)
    let tokens = [
      try other.observe("x") { [unowned source] _ in source.s = 10 },
      try other.observe("z") { [unowned total] _ in total.more = 100 }, try log.watch(total, "total"),
    ]
    cell.s = 1
    let lines = log.take()
    #expect(lines.first?.hasPrefix("total 0 ") == true)
    #expect(lines.last?.hasSuffix("→ 122") == true)
    tokens.forEach { $0.cancel() }
  }

  @Test("WAV.4, KVO.16: a manual change that never ends takes no kept notification over")
  func unended() throws {
    try other.bind("x", to: "s", of: cell)
    try other.bind("y", to: "s", of: cell) { (_: Int) in 0 }
    let all = [
      try other.observe("x") { [unowned other] _ in other.willChangeValue(forKey: "z") }, try log.watch(other, "sum"),
    ]
    _ = capturingEvents { cell.s = 1 }
    #expect(log.take() == ["sum 0 → 1"])
    all.forEach { $0.cancel() }
    other.didChangeValue(forKey: "z")
  }

  @Test("WAV.3, WAV.4: a call, a dispatched value and an update of a controller begin waves with an order as well")
  func calls() throws {
    let end = WaveCell()
    var turns = 0
    try end.bind("z", to: "sum", of: other) { (number: Int) in
      turns += 1
      return number
    }
    let call = try cell.bind("x", to: "s", of: cell, options: .init(trigger: .explicit))
    try other.bind("y", to: "x", of: cell)
    try other.bind("x", to: "x", of: cell)
    let token = try log.watch(other, "sum")
    cell.s = 4
    turns = 0
    try call.updateTarget()
    #expect(log.take() == ["sum 0 → 8"])
    #expect(turns == 1 && end.z == 8)
    token.cancel()
  }
}

/// A total of keys of another object and of its own.
@KVModel private final class TotalCell: KVObject {
  var cell: WaveCell?
  var extra = 0
  var more = 0
  @KVKey(.affected(by: "cell.x", "cell.y", "cell.z", "extra", "more")) var total: Int {
    (cell.map { $0.x + $0.y + $0.z } ?? 0) + extra + more
  }

  init(_ cell: WaveCell) { self.cell = cell }
}
