import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("Bindings against the grain: rings, mirrors, chains", .serialized)
struct AdverseThirdTests {
  let model = AdverseBox()
  let view = AdverseBox()

  @Test("dispatched bindings that set each other off stop, too (BND.5)")
  func dispatchedRing() throws {
    let executor = KVManualExecutor()
    let options = KVBindingOptions(initialSync: .none, concurrency: .dispatched(executor))
    try view.bind("number", to: "number", of: model, options: options) { (n: Int) in n + 1 }
    try model.bind("number", to: "number", of: view, options: options) { (n: Int) in n + 1 }
    model.number = 1
    let steps = executor.runAll(limit: 5000)
    #expect(steps < 5000, "the queue is busy for ever: \(view.bindings)")
  }

  @Test("the target is the source's element: two-way with both arrays edited by handlers")
  func crossed() throws {
    let (model, view) = (model, view)
    model.rows = ["a", "b", "c"]
    let token = try model.observe("rows") { [unowned model] change in
      if change.kind == .removal, model.rows.count == 2 { try? model.mutableArray(forKey: "rows").insert("n", at: 0) }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    let late = try view.observe("rows") { [unowned view] _ in
      if view.rows.first == "n" { view.rows.removeFirst() }
    }
    try model.mutableArray(forKey: "rows").remove(at: 0)
    #expect(model.rows == view.rows, "\(model.rows) \(view.rows)")
    token.cancel()
    late.cancel()
  }

  @Test("an explicit binding with a dotted target whose middle is replaced")
  func explicitMiddle() throws {
    view.next = AdverseBox()
    let binding = try view.bind("next.name", to: "name", of: model, options: .init(.twoWay, trigger: .explicit))
    view.next = AdverseBox()
    view.next?.name = "typed"
    try binding.updateSource()
    #expect(model.name == "typed")
  }

  @Test("two-way to rows[0]: insertion before it")
  func indexInsertion() throws {
    view.rows = ["a", "b"]
    model.name = "bound"
    try view.bind("rows[0]", to: "name", of: model, options: .twoWay)
    try view.mutableArray(forKey: "rows").insert("new", at: 0)
    #expect(view.rows == ["new", "bound", "b"] && model.name == "new")
  }

  @Test("the source's observers see a reconciled target: a chain below a normalising source")
  func settledChain() throws {
    let third = AdverseBox()
    try view.bind("number", to: "limited", of: model, options: .twoWay)
    try third.bind("number", to: "number", of: view, options: .twoWay)
    third.number = 77
    #expect(model.limited == 10 && view.number == 10 && third.number == 10)
  }

  @Test("coalesced observers behind a binding are notified once, and the binding acts at once")
  func coalesced() throws {
    try view.bind("name", to: "name", of: model)
    var received: [String] = []
    let token = try view.observe("name", options: [.new, .coalesced]) { received.append("\($0.new ?? "")") }
    KVCoalescing.coalesce {
      model.name = "1"
      #expect(view.name == "1")
      model.name = "2"
    }
    #expect(received == ["2"])
    token.cancel()
  }
}
