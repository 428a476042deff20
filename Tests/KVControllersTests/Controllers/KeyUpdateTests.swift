import KVCore
import TestModels
import Testing

@testable import KVControllers

@Suite("CTR updates")
struct KeyUpdateTests {
  let controller = NumberController()
  let log = ChangeLog()

  @Test("CTR.6: handlers of an update read the final state of every key")
  func finalState() throws {
    var seen: [[Int]] = []
    let tokens = try ["a", "b", "sum", "items.@count"].map { path in
      try controller.observe(path) { [unowned controller] _ in
        seen.append([controller.a, controller.b, controller.sum, controller.items.count])
      }
    }
    controller.change { _ in NumberEdit(numbers: [0: 1, 1: 2], inserted: [0]) }
    #expect(seen == Array(repeating: [1, 2, 3, 1], count: 4))
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.8: observers are notified in the order of registration, whatever key they observe; prior records first")
  func order() throws {
    try log.observe(controller, "b", "sum", "a", options: [.old, .new, .prior])
    controller.change { _ in NumberEdit(numbers: [0: 1, 1: 2]) }
    #expect(
      log.lines == [
        "b (prior): 0 → nil", "sum (prior): 0 → nil", "a (prior): 0 → nil", "b: 0 → 2", "sum: 0 → 3", "a: 0 → 1",
      ])
  }

  @Test("CTR.6: update combines all changes of its body, also if it throws")
  func combining() throws {
    struct Failure: Error {}
    try log.observe(controller, "a", "sum", options: [.old, .new, .prior])
    #expect(throws: Failure.self) {
      try controller.update {
        controller.change { _ in NumberEdit(numbers: [0: 1]) }
        controller.update { controller.change { _ in NumberEdit(numbers: [1: 5]) } }
        #expect(controller.sum == 6 && log.lines.isEmpty)
        controller.change { _ in NumberEdit(numbers: [0: 2]) }
        throw Failure()
      }
    }
    #expect(log.lines == ["a (prior): 0 → nil", "sum (prior): 0 → nil", "a: 0 → 2", "sum: 0 → 7"])
    controller.update {}
    #expect(log.take().count == 4)
  }

  @Test("WAV.9, KVO.7, KVO.9: whom updates of the same keys notify is kept until an observer is added or cancelled")
  func kept() throws {
    final class Witness {}
    weak var witness: Witness?
    func change(_ number: Int) { controller.change { _ in NumberEdit(numbers: [0: number, 1: number]) } }
    var token: KVObservation?
    do {
      let object = Witness()
      witness = object
      token = try controller.observe("sum") { _ in withExtendedLifetime(object) {} }
    }
    try log.observe(controller, "a")
    change(1)
    change(2)
    #expect(witness != nil)
    token?.cancel()
    token = nil
    #expect(witness == nil)
    change(3)
    try log.observe(controller, "sum")
    change(4)
    #expect(log.lines == ["a: 0 → 1", "a: 1 → 2", "a: 2 → 3", "a: 3 → 4", "sum: 6 → 8"])
  }

  @Test(
    "KVO.7, CTR.12: a path that a prior handler of any key observes follows the elements after the update",
    arguments: ["content", "arrangedObjects", "selectedObjects", "selectionIndexes"] as [KVKeyPath],
    ["selection.rank", "selectedObjects.@sum.rank", "arrangedObjects.@sum.rank"] as [KVKeyPath])
  func begunInUpdate(key: KVKeyPath, path: KVKeyPath) throws {
    let list = KVArrayController<Tune>()
    list.content = [Tune("a", rank: 1), Tune("b", rank: 2)]
    list.selectionIndexes = [0]
    var inner: KVObservation?
    var lines: [String] = []
    let outer = try list.observe(key, options: [.prior]) { [list] change in
      guard change.isPrior, inner == nil else { return }
      inner = try? list.observe(path, options: [.old, .new]) { lines.append(brief($0)) }
    }
    list.content = [Tune("c", rank: 5)]
    list.selectionIndexes = [0]
    lines = []
    list.content[0].rank = 7
    #expect(inner != nil && lines == ["\(path) setting 5 → 7"])
    [outer, inner].forEach { $0?.cancel() }
  }

  @Test("CTR.7: a change by a handler is a separate update, delivered completely before the outer one continues")
  func nested() throws {
    let token = try controller.observe("a") { [unowned controller] change in
      if change.new as? Int == 1 { controller.change { _ in NumberEdit(numbers: [0: 2, 1: 9]) } }
    }
    try log.observe(controller, "a", "b")
    controller.change { _ in NumberEdit(numbers: [0: 1]) }
    #expect(log.lines == ["a: 1 → 2", "b: 0 → 9", "a: 0 → 1"])
    withExtendedLifetime(token) {}
  }

  @Test("CTR.7, CTR.8: a change by a handler of a prior record follows the update that the record announces")
  func nestedInPrior() throws {
    let token = try controller.observe("a", options: [.prior]) { [unowned controller] change in
      if change.isPrior, controller.a == 0 { controller.change { _ in NumberEdit(numbers: [0: 2, 1: 9]) } }
    }
    try log.observe(controller, "a", "b")
    controller.change { _ in NumberEdit(numbers: [0: 1]) }
    #expect(log.lines == ["a: 0 → 1", "a: 1 → 2", "b: 0 → 9"] && controller.a == 2)
    withExtendedLifetime(token) {}
  }

  @Test("CTR.8: an observer that an earlier one cancels or kills is not notified any more")
  func cancelling() throws {
    final class Owner {}
    var owner: Owner? = Owner()
    var tokens: [KVObservation] = []
    var calls: [String] = []
    tokens.append(
      try controller.observe("b") { _ in
        calls.append("b")
        tokens[1].cancel()
        owner = nil
      })
    tokens.append(try controller.observe("a") { _ in calls.append("a") })
    if let owner { _ = try controller.observe("sum", owner: owner) { _, _ in calls.append("sum") } }
    controller.change { _ in NumberEdit(numbers: [0: 1, 1: 1]) }
    #expect(calls == ["b"])
    tokens = []
  }

  @Test("CTR.10, CTR.11: a removal and an insertion notify one after the other, and paths through them once")
  func pairs() throws {
    controller.change { _ in NumberEdit(inserted: [0, 1, 2]) }
    let holder = ControllerHolder()
    holder.controller = controller
    var kinds: [String] = []
    var counts: [Int] = []
    let tokens = [
      try controller.observe("items") { [unowned controller] change in
        kinds.append("\(change.kind) \(change.indexes ?? [])")
        counts.append(controller.items.count)
      },
      try holder.observe("controller.items") { change in kinds.append("path \(change.kind)") },
    ]
    try log.observe(controller, "items.@count", "a")
    controller.change { _ in NumberEdit(numbers: [0: 4], removed: [0, 2], inserted: [0]) }
    #expect(kinds == ["removal [0, 2]", "path removal", "insertion [0]", "path insertion"])
    #expect(counts == [1, 2])
    #expect(log.lines == ["items.@count: 3 → 2", "a: 0 → 4"])
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.6: a controller that is deallocated by a handler of its update is delivered to the end")
  func death() throws {
    var living: NumberController? = NumberController()
    var calls = 0
    let tokens = try [0, 1].map { _ in
      try #require(living).observe("a") { _ in
        living = nil
        calls += 1
      }
    }
    weak let gone = living
    living?.change { _ in NumberEdit(numbers: [0: 1]) }
    #expect(calls == 2 && gone == nil)
    withExtendedLifetime(tokens) {}
  }

  @Test("KVO.23: updates that handlers nest without end stop with an error")
  func endless() throws {
    let token = try controller.observe("a", options: []) { [unowned controller] _ in
      controller.change { _ in NumberEdit(numbers: [0: controller.a + 1]) }
    }
    let events = capturingEvents(level: .error) { controller.change { _ in NumberEdit(numbers: [0: 1]) } }
    #expect(events.about(controller).contains { $0.topic == .endlessChange })
    withExtendedLifetime(token) {}
  }
}
