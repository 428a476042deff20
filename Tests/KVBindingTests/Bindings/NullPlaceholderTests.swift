import KVBinding
import KVTestSupport
import TestModels
import Testing

@Suite("BND.10: the null placeholder on the way back")
struct NullPlaceholderTests {
  private let model = KeyBox()
  private let view = KeyBox()
  private let empty = KVBindingOptions(.twoWay, nullPlaceholder: "")

  @Test("BND.10: a source that takes no nil gets the placeholder itself, and one that takes it gets nil")
  func string() throws {
    let binding = try view.bind("name", to: "first", of: model, options: empty)
    view.name = ""
    #expect(model.first == "" && binding.state == .active && binding.lastError == nil)
    expectConsistent(binding)
    model.first = "x"
    #expect(view.name == "x")
    try view.bind("last", to: "note", of: model, options: empty)
    view.last = "y"
    view.last = ""
    #expect(model.note == nil)
  }

  @Test("BND.10, BND.13: the same at a commit, and with a path through another object")
  func committed() throws {
    model.next = KeyBox()
    var options = empty
    options.trigger = .onCommit
    let binding = try view.bind("name", to: "next.first", of: model, options: options)
    view.name = ""
    #expect(model.next?.first == "A")
    try binding.commit()
    #expect(model.next?.first == "")
    model.next?.first = "x"
    view.name = ""
    let former = model.next
    model.next = KeyBox()
    #expect(former?.first == "" && view.name == "A" && binding.lastError == nil)
  }

  @Test("BND.10, KVC.13: a source that chooses a value for nil gets nil")
  func hook() throws {
    let source = Zeroing()
    try view.bind(
      "name", to: "count", of: source, options: .init(.twoWay, nullPlaceholder: ""), transform: { (n: Int) in "\(n)" },
      reverse: { Int($0) })
    view.name = "5"
    #expect(source.count == 5)
    view.name = ""
    #expect(source.count == 0 && view.name == "0")
  }

  @Test("BND.10, TRN.1: the function of the way back gets the placeholder of a source that takes no nil")
  func function() throws {
    let binding = try view.bind(
      "name", to: "number", of: model, options: .init(.twoWay, nullPlaceholder: ""), transform: { (n: Int) in "\(n)" },
      reverse: { Int($0) })
    view.name = "5"
    _ = capturingEvents { view.name = "" }
    #expect(model.number == 5)
    #expect(
      binding.lastError?.message
        == "a transformer cannot take a value on the way back: the String \"\" does not convert to an Int.")
  }
}

private final class Zeroing: KVObject {
  @KVProperty var count = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Zeroing.self) { key in key("count", \.count) }
  }

  override func setNilValue(forKey key: String) throws(KVError) { count = 0 }
}
