import KVBinding
import Testing

@Suite("COA.3: values whose end defers another change")
struct ScopeReentryTests {
  private final class Holder: KVObject {
    /// Not a `KVProperty`: the old value is released before observers that do not want it are notified.
    var hook: DeinitProbe?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Holder.self) { key in key("hook", \.hook) }
    }
  }

  private final class Number: KVObject {
    @KVProperty var value = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Number.self) { key in key("value", \.value) }
    }
  }

  @Test("COA.3: each registration gets its own value", arguments: [2, 3, 5])
  func others(count: Int) throws {
    let (holder, number) = (Holder(), Number())
    var (hooks, values): ([DeinitProbe?], [Int]) = ([], [])
    let tokens = [
      try holder.observe("hook", options: [.new, .coalesced]) { hooks.append($0.new as? DeinitProbe) },
      try number.observe("value", options: [.new, .coalesced]) { values.append($0.new as? Int ?? -1) },
    ]
    let last = DeinitProbe()
    try KVCoalescing.coalesce {
      for turn in 1..<count { try holder.setValue(DeinitProbe { number.value = turn }, forKey: "hook") }
      try holder.setValue(last, forKey: "hook")
    }
    #expect(values == [count - 1])
    #expect(hooks.count == 1 && hooks[0] === last)
    withExtendedLifetime(tokens) {}
  }

  @Test("COA.8: in a transaction that fails, the end of a value defers what stays")
  func failedTransaction() throws {
    let (holder, number) = (Holder(), Number())
    var values: [Int] = []
    let tokens = [
      try holder.observe("hook", options: [.new, .coalesced]) { _ in },
      try number.observe("value", options: [.new, .coalesced]) { values.append($0.new as? Int ?? -1) },
    ]
    KVCoalescing.coalesce {
      try? KVTransaction.run {
        for turn in 1...3 { try holder.setValue(DeinitProbe { number.value = turn }, forKey: "hook") }
        throw KVError(.custom, "failed")
      }
    }
    #expect(holder.hook == nil)
    #expect(values == [number.value])
    withExtendedLifetime(tokens) {}
  }
}
