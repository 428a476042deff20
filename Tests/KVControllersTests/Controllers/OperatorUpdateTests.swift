import KVControllers
import TestModels
import Testing

/// Paths with operators through the elements of a controller, in an update with several changes (CTR.6, 8, 12).
@Suite struct OperatorUpdateTests {
  private let list = KVArrayController { Tune() }
  private let tunes = ["a", "b", "c", "d"].enumerated().map { Tune($1, rank: $0) }
  private let log = ChangeLog()

  init() { list.content = tunes }

  @Test("CTR.6: update { } notifies once, with the value from before it")
  func once() throws {
    try log.observe(list, "arrangedObjects.@sum.rank", "content.@max.rank")
    try list.update {
      try list.remove(at: [3])
      list.content[1].rank = 10
      tunes[0].rank = 1
      #expect(log.lines.isEmpty)
    }
    #expect(log.take() == ["arrangedObjects.@sum.rank: 6 → 13", "content.@max.rank: 3 → 10"])
    tunes[1].rank = 11
    #expect(log.take() == ["arrangedObjects.@sum.rank: 13 → 14", "content.@max.rank: 10 → 11"])
  }

  @Test("CTR.8: changes inside elements alone are one notification, in the order of registration")
  func elementsOnly() throws {
    list.selectionIndexes = [0, 1]
    try log.observe(
      list, "selection.rank", "arrangedObjects.@sum.rank", "selection.@max.rank")
    list.update {
      tunes[1].rank = 5
      tunes[0].rank = 5
      #expect(log.lines.isEmpty)
    }
    #expect(
      log.take() == [
        "selection.rank: KVSelectionMarker.multipleValues → 5", "arrangedObjects.@sum.rank: 6 → 15",
        "selection.@max.rank: 1 → 5",
      ])
    list.update { list.selectionIndexes = [2] }
    #expect(log.take() == ["selection.rank: 5 → 2", "selection.@max.rank: 5 → 2"])
    list.update {}
    #expect(log.lines.isEmpty)
  }

  @Test("CTR.8: elements that enter and leave within the update are told apart")
  func enteringAndLeaving() throws {
    try log.observe(list, "arrangedObjects.@sum.rank")
    let new = Tune("n", rank: 100)
    try list.update {
      try list.add(new)
      new.rank = 200
      try list.remove(at: [0])
      tunes[0].rank = 7
      try list.add(tunes[0])
    }
    #expect(log.take() == ["arrangedObjects.@sum.rank: 6 → 213"])
    try list.update {
      new.rank = 300
      try list.remove(new)
    }
    #expect(log.take() == ["arrangedObjects.@sum.rank: 213 → 13"])
    new.rank = 400
    #expect(log.lines.isEmpty)
  }

  @Test("CTR.8: prior records precede the others, and show the state before the update")
  func prior() throws {
    var lines: [String] = []
    let token = try list.observe("arrangedObjects.@sum.rank", options: [.old, .new, .prior]) { [list] change in
      let sum = (try? list.value(forKeyPath: "arrangedObjects.@count", as: Int.self)) ?? -1
      lines.append("\(change.isPrior) \(change.old ?? "-") \(change.new ?? "-") of \(sum)")
    }
    try list.update {
      tunes[0].rank = 4
      try list.remove(at: [1])
    }
    #expect(lines == ["true 6 - of 4", "false 6 9 of 3"])
    token.cancel()
  }

  @Test("CTR.6: a write through the selection in update { } notifies at its end")
  func selection() throws {
    list.selectionIndexes = [0, 1]
    try log.observe(list, "selection.title", "selection.rank")
    try list.update {
      try list.setValue("z", forKeyPath: "selection.title")
      #expect(log.lines.isEmpty)
      try list.setValue(9, forKeyPath: "selection.rank")
      list.selectionIndexes = [1, 2]
    }
    let several = "KVSelectionMarker.multipleValues"
    #expect(log.take() == ["selection.title: \(several) → \(several)", "selection.rank: \(several) → \(several)"])
    #expect(tunes[0].title == "z" && tunes[1].rank == 9)
  }

  @Test("CTR.8: a key that depends on an operator through the elements notifies once")
  func dependent() throws {
    let total = Total(list)
    try log.observe(total, "sum")
    list.update {
      for tune in tunes { tune.rank += 1 }
      list.filterPredicate = "rank > 1"
    }
    #expect(log.take() == ["sum: 6 → 9"])
  }

  private final class Total: KVObject {
    let list: KVArrayController<Tune>
    init(_ list: KVArrayController<Tune>) { self.list = list }
    var sum: Int { list.arrangedObjects.reduce(0) { $0 + $1.rank } }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Total.self) { key in
        key("list", \.list)
        key("sum", \.sum).affected(by: "list.arrangedObjects.@sum.rank")
      }
    }
  }

  @Test("CTR.7: a handler that changes elements in update { } again and again is stopped")
  func endless() throws {
    var token: KVObservation?
    var depth = 0
    token = try list.observe("arrangedObjects.@sum.rank", options: []) { [list, tunes] _ in
      depth += 1
      list.update { tunes[0].rank += 1 }
    }
    let events = capturingEvents(level: .error) { list.update { tunes[0].rank = 10 } }
    #expect(depth > 10 && depth < 1100)
    // A frame of a sanitizer is so large that the stack may end first, at whatever changes then.
    let changed = [list] + tunes as [AnyObject]
    #expect(changed.contains { events.about($0).contains { $0.topic == .endlessChange } }, "\(events)")
    token?.cancel()
  }

  @Test("CTR.6: an observer that is cancelled within the update is not notified; a root lives until its end")
  func cancelled() throws {
    var lines: [String] = []
    var total: Total? = Total(list)
    weak let root = total
    let other = try #require(total).observe("list.arrangedObjects.@sum.rank") { _ in lines.append("other") }
    let token = try list.observe("arrangedObjects.@sum.rank") { _ in lines.append("cancelled") }
    list.update {
      tunes[0].rank = 4
      token.cancel()
      total = nil
    }
    #expect(lines == ["other"] && root == nil)
    tunes[0].rank = 5
    #expect(lines == ["other"])
    other.cancel()
  }
}
