import KVBinding
import KVCore
import KVTestSupport
import Testing

/// What an object tells while it dies.
@Suite("LIF.1: changes in a deinit")
struct DeallocatingObjectTests {
  /// Sets an observed property in its `deinit`.
  private final class DeinitSetter: KVObject {
    @KVProperty var state = "open"

    deinit { state = "closed" }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: DeinitSetter.self) { key in key("state", \.state) }
    }
  }

  private final class Keeper {
    var values: [String?] = []
    var states: [String] = []
    var calls = 0
  }

  @Test("LIF.1: an observed property that is set in the deinit notifies of it; nothing keeps the object")
  func typedReceives() throws {
    let keeper = Keeper()
    var object: DeinitSetter? = DeinitSetter()
    let token = try #require(object).observe("state", as: String.self) { keeper.states.append($0.new ?? "nil") }
    try object?.addTarget(keeper, KVAction("count", perform: { $0.calls += 1 }), forKeyPath: "state")
    expectReleased(&object)
    #expect(keeper.states == ["closed"])
    #expect(keeper.calls == 1)
    withExtendedLifetime(token) {}
  }

  @Test(
    "LIF.1, COA.7: an object in its deinit is not kept for the end of a scope: its last change is delivered at once")
  func notDeferred() throws {
    let keeper = Keeper()
    var object: DeinitSetter? = DeinitSetter()
    weak let witness = object
    let token = try #require(object).observe("state", options: [.new, .coalesced]) {
      keeper.values.append($0.new as? String)
    }
    let typed = try #require(object).observe("state", as: String.self, options: [.new, .coalesced]) { _ in
      keeper.calls += 1
    }
    KVCoalescing.coalesce {
      object = nil
      #expect(witness == nil)
      #expect(keeper.values == ["closed"] && keeper.calls == 1)
    }
    #expect(keeper.values.count == 1 && keeper.calls == 1)
    withExtendedLifetime((token, typed)) {}
  }

  /// Sets its keys by name in its `deinit`, as ported code does.
  private final class KeyedFarewell: KVObject {
    @KVProperty var isOpen = true
    @KVProperty var items = [1]
    var plain = 1

    deinit {
      try? setValue(false, forKey: "isOpen")
      try? setValue(2, forKey: "plain")
      try? mutableArray(forKey: "items").append(2)
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: KeyedFarewell.self) { key in
        key("isOpen", \.isOpen)
        key("items", \.items)
        key("plain", \.plain)
      }
    }
  }

  private struct Refusal: Error {}

  @Test("LIF.1, COA.8: a transaction does not retain an object that writes its keys as it dies, nor undo those writes")
  func transaction() throws {
    let other = KeyedFarewell()
    for fails in [false, true] {
      var object: KeyedFarewell? = KeyedFarewell()
      weak let witness = object
      let token = try #require(object).observe("isOpen", as: Bool.self) { _ in }
      try? KVTransaction.run { () throws in
        try KVTransaction.run { () throws in
          try other.setValue(3, forKey: "plain")
          object = nil
          #expect(witness == nil)
          if fails { throw Refusal() }
        }
      }
      #expect(other.plain == 3 - (fails ? 2 : 0))
      other.plain = 1
      withExtendedLifetime(token) {}
    }
  }

  @Test("LIF.1, TST.2: a recorder leaves out what a dying object notifies, since its records retain their object")
  func recorder() throws {
    var object: DeinitSetter? = DeinitSetter()
    let recorder = try KVChangeRecorder(of: #require(object), "state")
    object?.state = "late"
    recorder.take()
    expectReleased(&object)
    #expect(recorder.take().isEmpty)
  }

  @Test(
    "LIF.1, THR.4: a sequence of untyped records leaves out what an object reports in its deinit; a typed one has it")
  func sequences() async throws {
    var object: DeinitSetter? = DeinitSetter()
    let changes = try #require(object).changes(of: "state")
    let typed = try #require(object).changes(of: "state", as: String.self)
    object?.state = "late"
    for await change in changes {
      #expect(change.new as? String == "late")
      break
    }
    expectReleased(&object)
    var rest: [String] = []
    for await change in changes { rest.append("\(change)") }
    #expect(rest == [])
    var states: [String] = []
    for await change in typed { states.append(change.new ?? "nil") }
    #expect(states == ["late", "closed"])
  }
}
