import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.14: classes that store the slot themselves, generic ones, and keys under other names")
struct OwnSlotTests {
  private let log = ChangeLines()

  @Test("KVO.14: an observable class of its own: keys, dependents, by hand, and as every part of a path")
  func ownSlot() throws {
    let till = Till("a")
    let owner = Villager("owner")
    owner.anything = till
    let tokens = [
      try log.watch(till, "total"), try log.watch(till, "label", [.old, .new, .prior]),
      try log.watch(till, "next.total"), try log.watch(owner, "anything.next.label"),
    ]
    till.total = 1
    #expect(
      log.take() == ["label setting prior a0 → nil", "total setting 0 → 1", "label setting a0 → a1"])
    let next = Till("b")
    till.next = next
    #expect(log.take() == ["next.total setting nil → 0", "anything.next.label setting nil → b0"])
    try next.setValue(5, forKey: "total")
    #expect(log.take() == ["next.total setting 0 → 5", "anything.next.label setting b0 → b5"])
    try till.setValue("drawer", forKey: "drawer")
    till.withChange(forKey: "total") {}
    #expect(log.take().count == 3)
    till.next = nil
    #expect(log.take() == ["next.total setting 5 → nil", "anything.next.label setting b5 → nil"])
    next.total = 9
    #expect(log.lines == [])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.14: generic classes: the same property of different types")
  func generics() throws {
    let text = Cell("a")
    let number = Cell(1)
    let tokens = [
      try log.watch(text, "value"), try log.watch(number, "value"), try log.watch(text, "description"),
    ]
    text.value = "b"
    number.value = 2
    #expect(log.lines == ["value setting a → b", "description setting a → b", "value setting 1 → 2"])
    tokens.forEach { $0.cancel() }
  }

  @Test("DEP.1: a dependence on an alias is one on its key, and a dependent key is reported under its alias")
  func aliases() throws {
    let till = Till("a")
    let token = try log.watch(till, "tag")
    try till.setValue("x", forKey: "drawer")
    try till.setValue("y", forKey: "box")
    #expect(log.lines == ["tag setting closed! → x!", "tag setting x! → y!"])
    token.cancel()
  }

  @Test("DEP.1, KVO.18: a dependence on an operator is one on the collection and on what is read of the elements")
  func operators() throws {
    let till = Till("a")
    till.others = [Till("b"), Till("c")]
    till.others[0].total = 1
    let token = try log.watch(till, "all")
    try till.mutableArray(forKey: "others").remove(at: 1)
    till.others[0].total = 5
    #expect(log.lines == ["all setting 1 → 1", "all setting 1 → 5"])
    till.others.append(Till("d"))
    #expect(log.lines.last == "all setting 5 → 5")
    token.cancel()
  }

  @Test("KVO.11: a path that begins with the object itself")
  func selfKey() throws {
    let till = Till("a")
    let token = try log.watch(till, "self.total")
    till.total = 3
    #expect(log.lines == ["self.total setting 0 → 3"])
    token.cancel()
  }
}

private final class Till: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  let name: String
  @KVProperty var total = 0
  @KVProperty var next: Till?
  @KVProperty var others: [Till] = []
  var drawer = "closed"

  init(_ name: String) { self.name = name }

  static var keyTable: KVTable {
    KVTable(Till.self) { key in
      key("total", \.total)
      key("next", \.next)
      key("others", \.others)
      key("drawer", \.drawer).alias("box")
      key("label") { "\($0.name)\($0.total)" }.affected(by: "total")
      key("boxed") { "\($0.drawer)!" }.alias("tag").affected(by: "box")
      key("all") { $0.others.map(\.total).reduce(0, +) }.affected(by: "others.@sum.total")
    }
  }
}

private final class Cell<Value>: KVObject {
  @KVProperty var value: Value

  init(_ value: Value) { self.value = value }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Cell<Value>.self) { key in
      key("value", \.value)
      key("description") { "\($0.value)" }.affected(by: "value")
    }
  }
}
