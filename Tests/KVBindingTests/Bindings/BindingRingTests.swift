import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("Rings and chains: executors, names, values that are never equal")
struct BindingRingTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.5, BND.12: dispatched bindings that set each other off stop, too")
  func dispatchedRing() throws {
    let executor = KVManualExecutor()
    let options = KVBindingOptions(initialSync: .none, concurrency: .dispatched(executor))
    try view.bind("number", to: "number", of: model, options: options) { (n: Int) in n + 1 }
    try model.bind("number", to: "number", of: view, options: options) { (n: Int) in n + 1 }
    model.number = 1
    let steps = executor.runAll(limit: 5000)
    #expect(steps < 5000, "the queue is busy for ever: \(view.bindings)")
  }

  @Test("BND.5: the error of a cycle of objects of one class says where each binding was made")
  func ringNames() throws {
    let boxes = (0..<3).map { _ in KeyBox() }
    for index in 0..<3 {
      try boxes[(index + 1) % 3].bind(
        "number", to: "number", of: boxes[index], options: .init(initialSync: .none)
      ) { (n: Int) in n + 1 }
    }
    boxes[0].number = 1
    let message = try #require(boxes.flatMap(\.bindings).compactMap(\.lastError).first).message
    #expect(message.contains("BindingRingTests.swift:"), "three times the same text: \(message)")
  }

  @Test("BND.5: a cycle of bindings settles with a NaN")
  func notANumber() throws {
    let third = KeyBox()
    try view.bind("price", to: "price", of: model)
    try third.bind("price", to: "price", of: view)
    let last = try model.bind("price", to: "price", of: third)
    model.price = .nan
    #expect(last.state == .active && view.bindings.allSatisfy { $0.state == .active }, "\(view.bindings)")
  }

  @Test("BND.5: values that cannot be compared in a ring: the error says so")
  func opaque() throws {
    try view.bind("opaque", to: "opaque", of: model)
    let back = try? model.bind("opaque", to: "opaque", of: view)
    model.opaque = Incomparable(number: 3)
    #expect(view.opaque.number == 3)
    let errors = view.bindings.compactMap(\.lastError)
    #expect(
      errors.allSatisfy { $0.message.contains("Equatable") || $0.message.contains("compare") },
      "\(errors) \(back as Any)")
  }

  @Test("BND.3, BND.6: a chain below a normalising source is reconciled to its end")
  func settledChain() throws {
    let third = KeyBox()
    try view.bind("number", to: "limited", of: model, options: .twoWay)
    try third.bind("number", to: "number", of: view, options: .twoWay)
    third.number = 77
    #expect(model.limited == 10 && view.number == 10 && third.number == 10)
  }
}
