import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("LIF.1: targets and owners that are not observable")
struct PlainTargetTests {
  private let model = KeyBox()

  @Test("LIF.1: a binding whose plain target is gone is not active, and has ended")
  func deadTarget() throws {
    var target: PlainTarget? = PlainTarget()
    let binding = try #require(target).bind("text", to: "name", of: model)
    #expect(binding.isActive)
    target = nil
    #expect(!binding.isActive && binding.state == .ended)
    #expect(KVDiagnostics.bindings(of: model).isEmpty && KVDiagnostics.observations(of: model).isEmpty)
  }

  @Test("LIF.1: each listing notices by itself that the plain target is gone")
  func listings() throws {
    let listings: [(KeyBox) throws -> Bool] = [
      { KVDiagnostics.bindings(of: $0).isEmpty },
      { model in !KVDiagnostics.bindings.contains { $0.source.object === model } },
      { KVDiagnostics.observations(of: $0).isEmpty },
      { try KVDiagnostics.observations(of: $0, forKeyPath: "name").isEmpty },
      { KVDiagnostics.graph(around: [$0]).edges.isEmpty },
      { KVDiagnostics.graph(around: [$0]).description == "KeyBox 1" },
      { model in
        expectNoObserversLeft(on: model)
        return true
      },
    ]
    for (index, isEmpty) in listings.enumerated() {
      let model = KeyBox()
      var target: PlainTarget? = PlainTarget()
      try #require(target).bind("text", to: "name", of: model)
      let wasEmpty = index == listings.count - 1 ? false : try isEmpty(model)
      #expect(!wasEmpty, "\(index)")
      target = nil
      #expect(try isEmpty(model), "\(index)")
    }
  }

  @Test("LIF.1: one of two bindings of a model ends with its plain target, the other one goes on")
  func other() throws {
    var first: PlainTarget? = PlainTarget()
    let second = PlainTarget()
    try #require(first).bind("text", to: "name", of: model)
    try second.bind("text", to: "name", of: model)
    first = nil
    #expect(KVDiagnostics.bindings(of: model).map { $0.target.object === second } == [true])
    model.name = "b"
    #expect(second.text == "b")
    second.unbindAll()
  }
}

private final class PlainTarget: KeyValueCoding {
  var text = ""

  static var keyTable: KVTable {
    KVTable(PlainTarget.self) { key in key("text", \.text) }
  }
}
