import KVBinding
import KVCore
import Synchronization
import TestModels
import Testing

@Suite("Placeholders, and transformers that throw, cancel and bind", .serialized)
struct BindingTransformTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.10: the null placeholder counts as nil in the reverse direction, also when its type is another one")
  func placeholder() throws {
    let binding = try view.bind("price", to: "amount", of: model, options: .init(.twoWay, nullPlaceholder: 0))
    #expect(view.price == 0)
    view.price = 5
    #expect(model.amount == 5)
    view.price = 0
    #expect(model.amount == nil && binding.state == .active)
  }

  @Test("BND.3, BND.11: a transformer that throws is called once a change")
  func callsOnce() throws {
    var calls = 0
    let binding = try view.bind("name", to: "number", of: model) { (n: Int) throws -> String in
      calls += 1
      if n == 13 { throw BoxFailure() }
      return "\(n)"
    }
    calls = 0
    model.number = 13
    #expect(calls == 1 && binding.state == .failed)
  }

  @Test("BND.11: a value for which a function returns nil changes nothing, boxed or not", arguments: [false, true])
  func unconverted(isTraced: Bool) throws {
    let binding = try view.bind(
      "name", to: "number", of: model, options: .init(.twoWay, isTraced: isTraced),
      transform: { (n: Int) in n < 0 ? nil : "\(n)" }, reverse: { Int($0) })
    view.name = "36"
    #expect(model.number == 36 && binding.state == .active)
    view.name = "old"
    #expect(model.number == 36 && view.name == "old" && binding.state == .failed)
    #expect(binding.lastError?.code == .invalidValue)
    #expect(
      binding.lastError?.description
        == "a transformer cannot take a value on the way back: the String \"old\" does not convert to an Int.")
    view.name = "37"
    #expect(model.number == 37 && binding.state == .active && binding.lastError == nil)
    model.number = -1
    #expect(view.name == "37" && binding.state == .failed)
    #expect(
      binding.lastError?.description
        == "a transformer cannot take a value: the Int -1 does not convert to a String.")
    #expect(throws: KVError.self) {
      try KeyBox().bind("name", to: "number", of: model, transform: { (n: Int) in n < 0 ? nil : "\(n)" }) { Int($0) }
    }
  }

  @Test("BND.11, TRN.1: the description of an optional is not set, boxed or not", arguments: [false, true])
  func described(isTraced: Bool) throws {
    model.name = "1.5"
    let binding = try view.bind(
      "amount", to: "name", of: model, options: .init(.twoWay, isTraced: isTraced),
      transform: { (text: String) in Double(text) }, reverse: { String(describing: $0) })
    #expect(view.amount == 1.5)
    view.amount = 2.5
    #expect(model.name == "1.5" && binding.state == .failed && binding.lastError?.code == .invalidValue)
    #expect(
      binding.lastError?.message.hasPrefix("a transformer returns the text Optional(2.5) on the way back: ") == true)
  }

  @Test("BND.11, TRN.1: an optional key is set to nil if its function takes nil, and keeps its value otherwise")
  func optionalKey() throws {
    try view.bind("note", to: "amount", of: model) { (n: Double?) in
      "\(n ?? 0)"
    } reverse: {
      Double($0)
    }
    view.note = "1.5"
    #expect(model.amount == 1.5)
    view.note = "x"
    #expect(model.amount == nil)
    view.unbindAll()
    model.amount = 2
    let binding = try view.bind("note", to: "amount", of: model) { (n: Double) in
      "\(n)"
    } reverse: {
      Double($0)
    }
    view.note = "x"
    #expect(model.amount == 2 && binding.state == .failed)
    view.note = nil
    #expect(model.amount == nil && binding.state == .active)
    let parsed = try view.bind("number", to: "name", of: model, options: .init(initialSync: .none)) { (text: String) in
      Int(text)
    }
    let error = #expect(throws: KVError.self) { try parsed.updateTarget() }
    #expect(error?.code == .nilValue && view.number == 0)
  }

  @Test("BND.1: what is ended inside of its transformer sets nothing any more")
  func endInTransformer() throws {
    var binding: KVPathBinding?
    binding = try view.bind("name", to: "number", of: model) { (n: Int) in
      binding?.cancel()
      return "\(n)"
    }
    model.number = 5
    #expect(binding?.state == .ended)
    #expect(view.name == "0")
  }

  @Test("BND.9: what is unbound and bound anew inside of a transformer sets nothing any more")
  func rebindInTransformer() throws {
    let (model, view) = (model, view)
    var isFirst = false
    try view.bind("name", to: "number", of: model) { (n: Int) -> String in
      if isFirst {
        isFirst = false
        view.unbindAll()
        model.name = "new"
        try view.bind("name", to: "name", of: model)
      }
      return "old \(n)"
    }
    isFirst = true
    model.number = 5
    #expect(view.name == "new", "an ended binding has overwritten what the new one had set")
    #expect(view.bindings.count == 1)
  }

  @Test("BND.11: a change of the source by a handler of the diagnostics is propagated")
  func mending() throws {
    let model = model
    let binding = try view.bind("number", to: "note", of: model, options: .init(nullPlaceholder: 0)) { (s: String) in
      guard let number = Int(s) else { throw BoxFailure() }
      return number
    }
    handlerInUse.withLock { _ in
      nonisolated(unsafe) let source = model
      KVDiagnostics.setHandler(level: .error) { event in
        if event.topic == .binding, source.note == "bad" { source.note = "17" }
      }
      model.note = "bad"
      KVDiagnostics.setHandler(nil)
    }
    #expect(view.number == 17 && binding.state == .active, "\(binding)")
  }
}
