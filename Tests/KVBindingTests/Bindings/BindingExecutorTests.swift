import KVBinding
import KVTestSupport
import TestModels
import Testing

@Suite("The first value of bindings on an executor")
struct BindingExecutorTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.2, BND.12: once, dispatched: the value arrives")
  func onceDispatched() throws {
    let executor = KVManualExecutor()
    model.name = "arrived"
    let binding = try view.bind(
      "name", to: "name", of: model, options: .init(.once, concurrency: .dispatched(executor)))
    executor.runAll()
    #expect(view.name == "arrived", "\(binding)")
  }

  @Test("BND.12: only(executor): binding elsewhere is refused, or nothing is set")
  func onlyAtFirst() throws {
    let executor = KVManualExecutor()
    model.name = "from the wrong thread"
    let binding = try? view.bind("name", to: "name", of: model, options: .init(concurrency: .only(executor)))
    #expect(view.name == "a", "set on the wrong thread; \(binding.map { "\($0)" } ?? "refused")")
  }
}
