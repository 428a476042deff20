import KVCore
import TestModels
import Testing

@Suite("KVO.14: the notifications of values set by key")
struct NotifyingWriteTests {
  @Test("KVO.14: a set by key notifies exactly once, of observable and of plain properties of a table")
  func byKey() throws {
    let item = ShopItem("tea", price: 1, quantity: 1)
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity", "note")
    try item.setValue("coffee", forKey: "name")
    try item.setValue(2, forKey: "price")
    try item.setValue(2, forKeyPath: "quantity")
    try item.setValue("cold" as Any?, forKey: "note")
    try item.setValue(nil, forKeyPath: "note")
    #expect(
      recorder.lines == notifiedOnce("name setting tea → coffee") + notifiedOnce("price setting 1.0 → 2.0")
        + notifiedOnce("quantity setting 1 → 2") + notifiedOnce("note setting nil → cold")
        + notifiedOnce("note setting cold → nil")
    )
  }

  @Test("KVO.14: a plain stored property that is written directly does not notify")
  func plainProperty() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "quantity", "note")
    item.quantity = 9
    item.note = "x"
    #expect(recorder.notifiedKeys == [])
  }

  @Test("KVO.14: an alias notifies of its key")
  func aliases() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "quantity", "title", "stock")
    try item.setValue("coffee", forKey: "title")
    try item.setValue("cocoa", forKeyPath: "label")
    try item.setValue(3, forKey: "stock")
    #expect(
      recorder.lines == notifiedOnce("name setting tea → coffee") + notifiedOnce("name setting coffee → cocoa")
        + notifiedOnce("quantity setting 1 → 3"))
  }

  @Test("KVC.15: several values at once notify once a key, in the order of the keys")
  func severalKeys() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity")
    try item.setValues(forKeys: ["quantity": 5, "name": "x", "price": 2.5])
    #expect(
      recorder.lines == notifiedOnce("name setting tea → x") + notifiedOnce("price setting 1.0 → 2.5")
        + notifiedOnce("quantity setting 1 → 5"))
  }

  @Test("KVC.14: a thrown error notifies nobody, and later changes notify normally")
  func errors() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity", "offer")
    #expect(throws: KVError.self) { try item.setValue(5, forKey: "name") }
    #expect(throws: KVError.self) { try item.setValue(nil, forKey: "quantity") }
    #expect(throws: KVError.self) { try item.setValue("x", forKeyPath: "offer.price.amount") }
    #expect(throws: KVError.self) { try item.setValue("x", forKeyPath: "offer.nope") }
    #expect(throws: KVError.self) { try item.setValue("x", forKeyPath: "offer.extras[7]") }
    #expect(throws: KVError.self) { try item.setValues(forKeys: ["name": "x", "quantity": "y"]) }
    #expect(throws: KVError.self) { try item.setValues(forKeys: ["name": "x", "nope": "y"]) }
    #expect(recorder.notifiedKeys == [])
    #expect(item.name == "tea")
    try item.setValue("x", forKey: "name")
    item.price = 2
    #expect(recorder.lines == notifiedOnce("name setting tea → x") + notifiedOnce("price setting 1.0 → 2.0"))
  }

  @Test("KVC.9: a nested write notifies of each observed level once, with whole values")
  func nestedWrites() throws {
    let item = ShopItem("tea")
    let twin = ShopItem("twin")
    item.twin = twin
    let recorder = ShopRecorder.watch(item, "offer", "twin")
    let twinRecorder = ShopRecorder.watch(twin, "offer", "name")
    try item.setValue(5, forKeyPath: "offer.price.amount")
    #expect(recorder.lines.count == 2)
    #expect((recorder.lastOld as? ShopOffer)?.price.amount == 10)
    #expect((recorder.lastNew as? ShopOffer)?.price.amount == 5)
    #expect(recorder.take().map { $0.prefix(10) } == ["will offer", "did offer "])
    try item.setValue(6, forKeyPath: "twin.offer.price.amount")
    #expect(recorder.take() == [])
    #expect(twinRecorder.take().map { $0.prefix(10) } == ["will offer", "did offer "])
    try item.setValue("sack", forKeyPath: "offer.extras[0]")
    #expect(recorder.take().count == 2)
    try item.setValue("y", forKeyPath: "twin.name")
    #expect(twinRecorder.take() == notifiedOnce("name setting twin → y"))
  }

  @Test("KVC.10: a write to every element notifies of each of them once")
  func elements() throws {
    let item = ShopItem("order")
    item.parts = [ShopItem("a"), ShopItem("b")]
    let recorder = ShopRecorder.watch(item, "parts")
    let recorders = item.parts.map { ShopRecorder.watch($0, "quantity") }
    try item.setValue(4, forKeyPath: "parts.quantity")
    #expect(recorders.map(\.lines) == [notifiedOnce("quantity setting 1 → 4"), notifiedOnce("quantity setting 1 → 4")])
    #expect(recorder.lines == [])
  }

  @Test("KVO.14: the nil-value hook's own sets are reported, and nothing else")
  func nilHook() throws {
    let item = Resetting()
    let recorder = ShopRecorder.watch(item, "count")
    item.count = 5
    try item.setValue(nil, forKey: "count")
    #expect(recorder.lines == notifiedOnce("count setting 1 → 5") + notifiedOnce("count setting 5 → 0"))
  }

  @Test("KVO.14: a setter that stores something else is reported with what it stored")
  func normalisingSetter() throws {
    let item = Clamping()
    let recorder = ShopRecorder.watch(item, "percent", "level")
    try item.setValue(150, forKey: "percent")
    #expect(item.percent == 100)
    #expect(recorder.didLines == ["did percent setting 0 → 100"])
    _ = recorder.take()
    try item.setValue(150, forKey: "level")
    #expect(recorder.didLines.last == "did level setting 150 → 100")
    #expect(item.level == 100)
  }

  @Test("KVO.14: a property that reflection writes notifies as others do")
  func reflectedWrite() throws {
    let item = Reflecting()
    let recorder = ShopRecorder.watch(item, "shelf")
    try item.setValue("top", forKey: "shelf")
    #expect(item.shelf == "top")
    #expect(recorder.lines == notifiedOnce("shelf setting low → top"))
    #expect(throws: KVError.self) { try item.setValue(5, forKey: "shelf") }
    #expect(recorder.lines.count == 2)
  }
}

private final class Resetting: KVObject {
  @KVProperty var count = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Resetting.self) { key in key("count", \.count) }
  }

  override func setNilValue(forKey key: String) throws(KVError) { try setValue(0, forKey: key) }
}

private final class Clamping: KVObject {
  private(set) var percent = 0
  @KVProperty var level = 0 {
    didSet { if level > 100 { level = 100 } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Clamping.self) { key in
      key("percent", { $0.percent }, set: { $0.percent = min($1, 100) })
      key("level", \.level)
    }
  }
}

private final class Reflecting: KVObject {
  @Boxed var shelf = "low"
}
