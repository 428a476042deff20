import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Endpoints: structs, indexes, entries, operators and dependent keys")
struct BindingPathTests {
  let model = KeyBox()
  let view = KeyBox()

  @Test("BND.3: another object in the middle of a target's path gets the source's value, with a struct behind it")
  func structBehindObject() throws {
    model.price = 5
    view.next = KeyBox()
    try view.bind("next.size.width", to: "price", of: model, options: .twoWay)
    #expect(view.next?.size.width == 5)
    view.next = KeyBox()
    #expect(model.price == 5)
    #expect(view.next?.size.width == 5)
  }

  @Test("BND.3: another object in the middle of a target's path gets the source's value, without a struct")
  func objectOnly() throws {
    model.price = 5
    view.next = KeyBox()
    try view.bind("next.price", to: "price", of: model, options: .twoWay)
    view.next = KeyBox()
    #expect(model.price == 5 && view.next?.price == 5)
  }

  @Test("BND.2, KVC.9: a member of a struct that cannot be set itself is refused by the call, as a key is")
  func constantContainers() throws {
    let fixed = FixedBox()
    for (text, sentence) in [
      ("size.width", #"key "size" of FixedBox cannot be set: its key path is not writable"#),
      ("rows[0]", #"key "rows" of FixedBox cannot be set: its key path is not writable"#),
      ("plain.width", #"key "plain" of FixedBox cannot be set: it is a plain stored property"#),
    ] {
      let error = #expect(throws: KVError.self) { try fixed.bind(KVKeyPath(text), to: "price", of: model) }
      #expect(error?.code == .notSettable && error?.message.hasPrefix(sentence) == true, "\(String(describing: error))")
      #expect(error?.keyPath == text)
    }
    fixed.next = view
    try fixed.bind("next.size.width", to: "price", of: model, options: .twoWay)
    model.price = 4
    #expect(view.size.width == 4)
  }

  private final class FixedBox: KVObject {
    let size = BoxSize()
    let rows = [1.0]
    var next: KeyBox?
    var plain = BoxSize()

    override class var keyTable: KVTable {
      super.keyTable.extended(for: FixedBox.self) { key in
        key("size", \.size)
        key("rows", \.rows)
        key("next", \.next)
      }
    }
  }

  @Test("BND.1: two members of one struct are bound to two sources, two-way")
  func structMembers() throws {
    let other = KeyBox()
    try view.bind("size.width", to: "price", of: model, options: .twoWay)
    try view.bind("size.height", to: "price", of: other, options: .twoWay)
    view.size = BoxSize(width: 3, height: 4)
    #expect(model.price == 3 && other.price == 4)
    model.price = 9
    #expect(view.size == BoxSize(width: 9, height: 4) && other.price == 4)
  }

  @Test("BND.10: an optional struct in the middle: unresolved, resolved, unresolved, with a fallback")
  func optionalStruct() throws {
    let binding = try view.bind("price", to: "maybeSize.width", of: model, options: .init(.twoWay, fallback: -1.0))
    #expect(view.price == -1)
    #expect(binding.state == .unresolved, "a fallback stands, but nothing is there: \(binding.state)")
    model.maybeSize = BoxSize(width: 4, height: 4)
    #expect(view.price == 4 && binding.state == .active)
    view.price = 6
    #expect(model.maybeSize?.width == 6)
    model.maybeSize = nil
    #expect(view.price == -1)
    view.price = 8
    #expect(model.maybeSize == nil && binding.state == .unresolved)
    model.maybeSize = BoxSize(width: 2, height: 2)
    #expect(view.price == 2)
  }

  @Test("BND.10: index paths: two-way, out of range and back")
  func indexes() throws {
    model.rows = ["a", "b"]
    let binding = try view.bind("name", to: "rows[1]", of: model, options: .twoWay)
    #expect(view.name == "b")
    view.name = "B"
    #expect(model.rows == ["a", "B"])
    model.rows = ["only"]
    #expect(binding.state == .unresolved && view.name == "B")
    view.name = "C"
    #expect(model.rows == ["only"])
    try model.mutableArray(forKey: "rows").append("D")
    #expect(view.name == "D" && binding.state == .active)
    try model.mutableArray(forKey: "rows").insert("first", at: 0)
    #expect(view.name == "only")
  }

  @Test("BND.1: two-way from rows[0]: an insertion before it propagates the new first element")
  func indexInsertion() throws {
    view.rows = ["a", "b"]
    model.name = "bound"
    try view.bind("rows[0]", to: "name", of: model, options: .twoWay)
    try view.mutableArray(forKey: "rows").insert("new", at: 0)
    #expect(view.rows == ["new", "bound", "b"] && model.name == "new")
  }

  @Test("BND.1: dictionaries and records as endpoints, two-way")
  func dictionaries() throws {
    model.scores = ["bob": 1]
    let first = try view.bind("number", to: "scores.bob", of: model, options: .twoWay)
    view.number = 5
    #expect(model.scores == ["bob": 5])
    model.scores["bob"] = 6
    #expect(view.number == 6 && first.state == .active)
    let record: KVRecord = ["title": "x", "artist": ["name": "Miles"]]
    let binding = try record.bind("artist.name", to: "name", of: model, options: .twoWay)
    #expect(try record.value(forKeyPath: "artist.name") as? String == "a")
    try record.setValue("Bill", forKeyPath: "artist.name")
    #expect(model.name == "Bill")
    try record.setValue(["name": "Herbie"] as [String: Any], forKey: "artist")
    #expect(binding.state == .active)
    #expect(try record.value(forKeyPath: "artist.name") as? String == model.name, "\(model.name)")
  }

  @Test("BND.1, KVO.18: an operator in the source's path follows its elements")
  func operatorElements() throws {
    model.items = [KeyBox(), KeyBox()]
    try view.bind("price", to: "items.@sum.price", of: model)
    #expect(view.price == 2)
    model.items[0].price = 10
    #expect(view.price == 11)
  }

  @Test("BND.3, DEP.1: a dependent key as the source, two-way, whose setter sets two others")
  func dependent() throws {
    try view.bind("name", to: "fullName", of: model, options: .twoWay)
    #expect(view.name == "A B")
    view.name = "Ada Lovelace"
    #expect(model.first == "Ada" && model.last == "Lovelace" && view.name == "Ada Lovelace")
    model.last = "Byron"
    #expect(view.name == "Ada Byron")
    view.name = "  Grace   Hopper "
    #expect(view.name == model.fullName)
  }

  @Test("BND.1, KVO.15: a manual key is reported by hand, and set by the binding")
  func manual() throws {
    let binding = try view.bind("number", to: "manual", of: model, options: .twoWay)
    model.withChange(forKey: "manual") { model.manual = 3 }
    #expect(view.number == 3)
    view.number = 4
    #expect(model.manual == 4 && binding.state == .active)
  }

  @Test("BND.3: toSource from a key that can only be read, to a source that normalises")
  func readOnlyToSource() throws {
    view.name = "b"
    let binding = try view.bind("shout", to: "note", of: model, options: .toSource)
    view.name = "c"
    #expect(model.note == "C" && binding.state == .active)
    try view.bind(
      "shout", to: "limited", of: model,
      options: .init(
        .toSource,
        transformer: KVTransformer(forward: { (n: Int) in "\(n)" }, reverse: { (s: String) in s.utf8.count * 100 })))
    #expect(model.limited == 10)
  }

  @Test("BND.5: one object, one path at both endpoints")
  func selfBinding() throws {
    let error = #expect(throws: KVError.self) { try view.bind("number", to: "number", of: view, options: .twoWay) }
    #expect(error?.code == .unsupported)
    let growing = try? view.bind("number", to: "number", of: view) { (n: Int) in n + 1 }
    #expect(growing == nil)
    #expect(view.bindings.isEmpty)
  }

  @Test("BND.1, BND.10: two-way between two keys of one object")
  func sameObject() throws {
    try view.bind("name", to: "note", of: view, options: .init(.twoWay, nullPlaceholder: ""))
    #expect(view.name == "")
    view.name = "x"
    #expect(view.note == "x")
    view.note = nil
    #expect(view.name == "")
  }

  @Test("BND.3, KVO.12: an object of the path that appears in its middle gets the source's value")
  func ancestorInTheMiddle() throws {
    view.price = 1
    try view.bind("next.price", to: "price", of: model, options: .twoWay)
    model.price = 7
    defer { view.next = nil }
    view.next = view
    #expect(view.price == 7 && model.price == 7)
    view.price = 8
    #expect(model.price == 8)
    let (root, middle) = (KeyBox(), KeyBox())
    root.next = middle
    try root.bind("next.next.price", to: "price", of: model)
    model.price = 9
    defer { middle.next = nil }
    middle.next = middle
    #expect(middle.price == 9)
  }

  @Test(
    "BND.3: an object that an observer puts into the path of the receiver, which is being set, gets the value, too",
    arguments: [KVBindingDirection.oneWay, .twoWay, .toSource], [true, false])
  func replacedWhileSet(direction: KVBindingDirection, isObservedFirst: Bool) throws {
    let (sender, first, second) = (KeyBox(), KeyBox(), KeyBox())
    view.next = first
    var token: KVObservation?
    func observe() throws {
      token = try first.observe("price", options: []) { [view] _ in view.next = second }
    }
    if isObservedFirst { try observe() }
    if direction == .toSource {
      try sender.bind("price", to: "next.price", of: view, options: KVBindingOptions(direction))
    } else {
      try view.bind("next.price", to: "price", of: sender, options: KVBindingOptions(direction))
    }
    if !isObservedFirst { try observe() }
    sender.price = 7
    #expect([sender, first, second].map(\.price) == [7, 7, 7])
    #expect(view.next === second)
    sender.price = 8
    #expect([sender, first, second].map(\.price) == [8, 7, 8])
    token?.cancel()
  }
}
