import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("BND.8: bindings end with their objects, and leave nothing")
struct BindingLifetimeTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.8: toSource: the binding ends when the source is deallocated")
  func toSourceDeallocation() throws {
    var source: KeyBox? = KeyBox()
    let binding = try view.bind("name", to: "name", of: source!, options: .toSource)
    source = nil
    #expect(binding.state == .ended)
    #expect(!KVDiagnostics.bindings.contains(binding) && KVDiagnostics.observations(of: view).isEmpty)
  }

  @Test("BND.8: explicit: the binding ends when either endpoint is deallocated")
  func explicitDeallocation() throws {
    var source: KeyBox? = KeyBox()
    let binding = try view.bind("name", to: "name", of: source!, options: .init(.twoWay, trigger: .explicit))
    source = nil
    #expect(binding.state == .ended && KVDiagnostics.observations(of: view).isEmpty)
  }

  @Test("BND.8: a target that is released by the setter that the binding calls")
  func dyingTarget() throws {
    var target: KeyBox? = KeyBox()
    weak let weakTarget = target
    let binding = try target!.bind("name", to: "name", of: model)
    let token = try target!.observe("name") { _ in target = nil }
    model.name = "die"
    #expect(weakTarget == nil && binding.state == .ended && KVDiagnostics.observations(of: model).isEmpty)
    token.cancel()
  }

  @Test("BND.8, BND.12: dispatched: both endpoints are deallocated while the work waits")
  func dispatchedDeallocation() throws {
    let executor = KVManualExecutor()
    var source: KeyBox? = KeyBox()
    var target: KeyBox? = KeyBox()
    let binding = try target!.bind(
      "name", to: "name", of: source!, options: .init(.twoWay, concurrency: .dispatched(executor)))
    source!.name = "x"
    expectReleased(&source)
    executor.runAll()
    #expect(binding.state == .ended && target!.name == "a")
    expectReleased(&target)
    #expect(executor.pendingCount == 0)
  }

  @Test("BND.8: whatever is bound and ended leaves nothing")
  func leaks() throws {
    weak var weakModel: KeyBox?
    weak var weakView: KeyBox?
    weak var weakCapture: KeyBox?
    do {
      let (model, view, capture) = (KeyBox(), KeyBox(), KeyBox())
      (weakModel, weakView, weakCapture) = (model, view, capture)
      model.next = KeyBox()
      try view.bind("name", to: "next.name", of: model, options: .twoWay) { (s: String) in
        s + capture.name
      } reverse: {
        $0
      }
      try view.bind("number", to: "next.number", of: model, options: .init(.twoWay, trigger: .onCommit))
      try view.bind("rows", to: "rows", of: model, options: .init(.twoWay))
      try view.bind("note", toAll: [.init(model, "name"), .init(capture, "name")], by: .joined(separator: " "))
      try view.bind("first", to: "name", of: view) { (s: String) in s + view.last }
      _ = try? view.bind("number", to: "name", of: model)
      view.number = 7
      view.unbindAll()
    }
    #expect(weakModel == nil && weakView == nil && weakCapture == nil)
  }

  @Test("BND.8: whatever is bound and not ended leaves nothing")
  func leaksWithout() throws {
    weak var weakModel: KeyBox?
    weak var weakView: KeyBox?
    do {
      let (model, view) = (KeyBox(), KeyBox())
      (weakModel, weakView) = (model, view)
      model.next = model
      try view.bind("name", to: "next.next.name", of: model, options: .twoWay)
      model.note = "n"
      try model.bind("note", to: "name", of: view, options: .init(.toSource, trigger: .explicit))
      try view.bind("size.width", to: "price", of: model, options: .twoWay)
      view.name = "x"
      model.next = nil
    }
    #expect(weakModel == nil && weakView == nil)
  }
}
