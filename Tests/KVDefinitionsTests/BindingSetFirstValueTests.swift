import KVBinding
import KVCore
import KVDefinitions
import KVTestSupport
import TestModels
import Testing

@Suite("DEF.3 the first values of binding sets")
struct BindingSetFirstValueTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("DEF.3, BND.12: a set with once and dispatched options sets its value")
  func sets() throws {
    model.next = view
    let executor = KVManualExecutor()
    model.name = "m"
    let set = try KVBindingSet(
      [KVBindingDefinition(key: "k", "name", to: "note", ofTarget: "next", direction: .once)], owner: model,
      options: .init(concurrency: .dispatched(executor)))
    executor.runAll()
    #expect(view.note == "m" && set.bindings.count == 1)
  }

  @Test("DEF.3: a set that fails when values are set leaves no binding and no value")
  func setUndone() throws {
    model.next = view
    model.name = "no number"
    _ = try #require(
      throws: KVBindingFaults.self,
      performing: {
        try KVBindingSet(
          [
            KVBindingDefinition(key: "1", "name", to: "note", ofTarget: "next", direction: .twoWay),
            KVBindingDefinition(key: "2", "name", to: "number", ofTarget: "next", direction: .twoWay),
          ], owner: model)
      })
    #expect(view.note == nil && model.bindings.isEmpty && view.bindings.isEmpty)
    #expect(model.name == "no number")
  }
}
