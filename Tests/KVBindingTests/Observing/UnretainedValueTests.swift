import KVBinding
import KVCore
import TestModels
import Testing

/// Typed records carry values that are lent to the handler; nothing is counted twice, and nothing is lost.
@Suite("KVO.2: values in typed records")
struct UnretainedValueTests {
  private struct Link: Equatable {
    weak var target: Villager?
    var number: Int

    static func == (left: Link, right: Link) -> Bool { left.number == right.number }
  }

  private final class Counted {
    let count: Count
    init(_ count: Count) {
      self.count = count
      count.alive += 1
    }
    deinit {
      count.alive -= 1
      count.deallocated += 1
    }
  }

  private final class Count {
    var alive = 0
    var deallocated = 0
  }

  private final class Model: KVObject {
    @KVProperty var link = Link(number: 0)
    @KVProperty var counted: Counted?
    @KVProperty var texts: [String] = []

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Model.self) { key in
        key("link", \.link)
        key("counted", \.counted)
        key("texts", \.texts)
      }
    }
  }

  @Test("KVO.2: a struct with a weak member: each of several typed observers has it whole")
  func weakMember() throws {
    let model = Model()
    let villagers = [Villager("a"), Villager("b"), Villager("c")]
    var received: [String] = []
    var kept: [Link?] = []
    let tokens = try (0..<3).map { number in
      try model.observe("link", as: Link.self) { change in
        let (old, new) = (change.old?.target?.name ?? "nil", change.new?.target?.name ?? "nil")
        received.append("\(number): \(old) → \(new)")
        kept.append(change.new)
      }
    }
    for (number, villager) in villagers.enumerated() { model.link = Link(target: villager, number: number) }
    #expect(
      received == ["nil → a", "a → b", "b → c"].flatMap { text in (0..<3).map { "\($0): \(text)" } })
    #expect(kept.compactMap { $0?.target?.name } == ["a", "a", "a", "b", "b", "b", "c", "c", "c"])
    #expect(model.link.target === villagers[2])
    withExtendedLifetime(tokens) {}
  }

  @Test("KVO.2: objects are deallocated once each, and none before its time, through ten thousand typed deliveries")
  func deaths() throws {
    let count = Count()
    var kept: [Counted?] = []
    do {
      let model = Model()
      let tokens = try [
        model.observe("counted", as: Counted.self) { change in
          if count.deallocated % 1_000 == 0 { kept.append(change.old) }
        },
        model.observe("counted", as: Counted.self, options: [.new]) { change in if change.new == nil { kept = [] } },
        model.observe("counted", as: Counted.self, options: []) { _ in },
      ]
      for number in 1...10_000 {
        model.counted = Counted(count)
        if count.alive + count.deallocated != number {
          Issue.record("\(number): \(count.alive) and \(count.deallocated)")
        }
      }
      model.counted = nil
      tokens.forEach { $0.cancel() }
    }
    #expect(count.deallocated == 10_000 && count.alive == 0)
  }
}
