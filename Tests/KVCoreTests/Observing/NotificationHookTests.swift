import KVCore
import Testing

/// What an observable object tells its registrar: the ground that observing stands on.
@Suite("KVO.14 what the notification hook is told")
struct NotificationHookTests {
  // MARK: Properties set directly

  @Test("KVO.14 a direct set tells before and after, once, with the old and the new value")
  func directSet() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    item.name = "coffee"
    #expect(recorder.lines == toldOnce("name setting tea → coffee"))
    #expect(item.name == "coffee")
    #expect(recorder.lastType == String.self)
    #expect(recorder.lastObject === item)
  }

  @Test("KVO.14 the property has its old value when will is told, and its new value when did is told")
  func moments() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    var seen: [String] = []
    recorder.before = { _ in seen.append(item.name) }
    recorder.afterwards = { _ in seen.append(item.name) }
    item.name = "coffee"
    #expect(seen == ["tea", "coffee"])
  }

  @Test("KVO.5 setting an equal value tells too")
  func equalValue() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "quantity")
    item.name = "tea"
    try item.setValue(1, forKey: "quantity")
    #expect(recorder.lines == toldOnce("name setting tea → tea") + toldOnce("quantity setting 1 → 1"))
  }

  @Test("KVO.14 old and new are typed: exactly the property's type, and nothing else")
  func typedValues() {
    let item = ShopItem("tea")
    let registrar = item.registrarSlot.registrar { TypedRecorder() }
    registrar.setObservedKeys([KVKey("twin"), KVKey("price")])
    let twin = ShopItem("twin")
    item.twin = twin
    item.price = 2
    #expect((registrar as? TypedRecorder)?.seen == ["twin: old nil new twin", "price: old 1.0 new 2.0"])
  }

  @Test("KVO.14 a change in place tells one setting of the whole value")
  func inPlace() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "parts", "name")
    item.parts.append(ShopItem("leaf"))
    item.name += "s"
    #expect(recorder.lines == toldOnce("parts setting [] → [leaf]") + toldOnce("name setting tea → teas"))
  }

  @Test("KVO.14 properties of generic classes, of subclasses of subclasses, inherited and private ones")
  func everyClass() throws {
    let texts = ShopCell("a")
    let numbers = ShopCell(1)
    let textRecorder = ShopRecorder.watch(texts, "value")
    let numberRecorder = ShopRecorder.watch(numbers, "value")
    for round in 0..<10 {
      texts.value = "b"
      numbers.value = 2
      #expect(textRecorder.take() == toldOnce("value setting \(round == 0 ? "a" : "b") → b"))
      #expect(numberRecorder.take() == toldOnce("value setting \(round == 0 ? 1 : 2) → 2"))
    }
    let atlas = ShopAtlas("atlas")
    let recorder = ShopRecorder.watch(atlas, "name", "pages", "maps", "secret")
    atlas.name = "big"
    atlas.pages = 5
    atlas.maps = 6
    atlas.hide("x")
    try atlas.setValue("y", forKey: "secret")
    #expect(
      recorder.lines == toldOnce("name setting atlas → big") + toldOnce("pages setting 100 → 5")
        + toldOnce("maps setting 7 → 6") + toldOnce("secret setting none → x") + toldOnce("secret setting x → y"))
    #expect(atlas.reveal == "y")
  }

  @Test("KVO.14 a class that stores the slot itself tells as a KVObject does")
  func ownSlot() throws {
    let till = ShopTill()
    #expect(till.registrarSlot.registrar == nil)
    let recorder = ShopRecorder.watch(till, "total", "drawer")
    till.total = 5
    try till.setValue(6, forKey: "total")
    try till.setValue("open", forKey: "drawer")
    try till.setValue(7, forKeyPath: "total")
    #expect(
      recorder.lines == toldOnce("total setting 0 → 5") + toldOnce("total setting 5 → 6")
        + toldOnce("drawer setting closed → open") + toldOnce("total setting 6 → 7"))
    #expect(try KVC.keys(of: till).map(\.name) == ["total", "drawer"])
  }

  // MARK: By key

  @Test("KVO.14 a set by key tells exactly once, of observable and of plain properties of a table")
  func byKey() throws {
    let item = ShopItem("tea", price: 1, quantity: 1)
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity", "note")
    try item.setValue("coffee", forKey: "name")
    try item.setValue(2, forKey: "price")
    try item.setValue(2, forKeyPath: "quantity")
    try item.setValue("cold" as Any?, forKey: "note")
    try item.setValue(nil, forKeyPath: "note")
    #expect(
      recorder.lines == toldOnce("name setting tea → coffee") + toldOnce("price setting 1.0 → 2.0")
        + toldOnce("quantity setting 1 → 2") + toldOnce("note setting nil → cold") + toldOnce("note setting cold → nil"))
  }

  @Test("KVO.14 a plain stored property that is written directly is silent")
  func plainProperty() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "quantity", "note")
    item.quantity = 9
    item.note = "x"
    #expect(recorder.keysTold == [])
  }

  @Test("KVO.14 an alias tells its key")
  func aliases() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "quantity", "title", "stock")
    try item.setValue("coffee", forKey: "title")
    try item.setValue("cocoa", forKeyPath: "label")
    try item.setValue(3, forKey: "stock")
    #expect(
      recorder.lines == toldOnce("name setting tea → coffee") + toldOnce("name setting coffee → cocoa")
        + toldOnce("quantity setting 1 → 3"))
  }

  @Test("KVC.15 several values at once tell once a key, in the order of the keys")
  func severalKeys() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity")
    try item.setValues(forKeys: ["quantity": 5, "name": "x", "price": 2.5])
    #expect(
      recorder.lines == toldOnce("name setting tea → x") + toldOnce("price setting 1.0 → 2.5")
        + toldOnce("quantity setting 1 → 5"))
  }

  @Test("KVC.14 a thrown error tells nothing, and later changes tell normally")
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
    #expect(recorder.keysTold == [])
    #expect(item.name == "tea")
    try item.setValue("x", forKey: "name")
    item.price = 2
    #expect(recorder.lines == toldOnce("name setting tea → x") + toldOnce("price setting 1.0 → 2.0"))
  }

  @Test("KVC.9 a nested write tells each observed level once, with whole values")
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
    #expect(twinRecorder.take() == toldOnce("name setting twin → y"))
  }

  @Test("KVC.10 a write to every element tells each of them once")
  func elements() throws {
    let item = ShopItem("order")
    item.parts = [ShopItem("a"), ShopItem("b")]
    let recorder = ShopRecorder.watch(item, "parts")
    let recorders = item.parts.map { ShopRecorder.watch($0, "quantity") }
    try item.setValue(4, forKeyPath: "parts.quantity")
    #expect(recorders.map(\.lines) == [toldOnce("quantity setting 1 → 4"), toldOnce("quantity setting 1 → 4")])
    #expect(recorder.lines == [])
  }

  @Test("KVO.14 the nil-value hook's own sets are told, and nothing else")
  func nilHook() throws {
    let item = Resetting()
    let recorder = ShopRecorder.watch(item, "count")
    item.count = 5
    try item.setValue(nil, forKey: "count")
    #expect(recorder.lines == toldOnce("count setting 1 → 5") + toldOnce("count setting 5 → 0"))
  }

  @Test("KVO.14 a setter that stores something else is told with what it stored")
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

  @Test("KVO.14 a property that reflection writes tells as others do")
  func reflectedWrite() throws {
    let item = Reflecting()
    let recorder = ShopRecorder.watch(item, "shelf")
    try item.setValue("top", forKey: "shelf")
    #expect(item.shelf == "top")
    #expect(recorder.lines == toldOnce("shelf setting low → top"))
    #expect(throws: KVError.self) { try item.setValue(5, forKey: "shelf") }
    #expect(recorder.lines.count == 2)
  }

  // MARK: Who is told

  @Test("KVO.14 nothing is told of keys that nobody observes")
  func unobservedKeys() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    item.price = 2
    item.parts = []
    try item.setValue(3, forKey: "quantity")
    try item.setValue(5, forKeyPath: "offer.price.amount")
    try item.mutableArray(forKey: "parts").append(ShopItem("x"))
    for key in ["price", "parts", "quantity", "offer"] where !recorder.mayObserve(KVKey(key)) {
      #expect(!recorder.keysTold.contains(key))
    }
    #expect(recorder.lines == [])
    recorder.observe([])
    item.name = "x"
    try item.setValue("y", forKey: "name")
    #expect(recorder.keysTold.filter { $0 == "name" } == [])
    #expect(!recorder.mayObserve(KVKey("name")))
    recorder.observe(["price"])
    item.price = 4
    #expect(recorder.lines == toldOnce("price setting 2.0 → 4.0"))
  }

  @Test("KVO.15 a key that notifies manually tells nothing by itself")
  func manualKeys() throws {
    let item = Manual()
    let recorder = ShopRecorder.watch(item, "plain", "wrapped", "rows", "tags")
    try item.setValue(1, forKey: "plain")
    try item.setValue(1, forKey: "wrapped")
    item.wrapped = 2
    try item.setValue(3, forKeyPath: "wrapped")
    try item.mutableArray(forKey: "rows").append("x")
    try item.mutableSet(forKey: "tags").add("x")
    try item.setValues(forKeys: ["plain": 2, "wrapped": 3])
    #expect(recorder.lines == [])
    #expect(item.wrapped == 3)
    #expect(item.rows == ["x"])
  }

  @Test("KVO.14 an object that nobody observes has no registrar, however it is written")
  func unobservedObjects() throws {
    let item = ShopItem("tea")
    item.name = "x"
    item.price += 1
    try item.setValue("y", forKey: "name")
    try item.setValue(3, forKeyPath: "offer.price.amount")
    try item.mutableArray(forKey: "parts").append(ShopItem("z"))
    try item.setValues(forKeys: ["quantity": 1])
    _ = try item.value(forKeyPath: "parts.@sum.price")
    #expect(item.registrarSlot.registrar == nil)
    #expect(item._activeRegistrar == nil)
  }

  @Test("KVO.7 a set inside a notification is told inside it, completely")
  func reentrant() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "price")
    var rounds = 0
    recorder.afterwards = { key in
      rounds += 1
      if key == "name", rounds < 3 { item.name += "s" }
      if rounds == 3 { item.price = 2 }
    }
    item.name = "egg"
    #expect(
      recorder.lines == toldOnce("name setting tea → egg") + toldOnce("name setting egg → eggs")
        + toldOnce("name setting eggs → eggss") + toldOnce("price setting 1.0 → 2.0"))
  }

  @Test("KVO.7 a set by key inside a notification of the same key is told too")
  func reentrantByKey() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "quantity")
    recorder.afterwards = { _ in if item.quantity < 4 { try? item.setValue(item.quantity + 1, forKey: "quantity") } }
    try item.setValue(2, forKey: "quantity")
    #expect(
      recorder.lines == toldOnce("quantity setting 1 → 2") + toldOnce("quantity setting 2 → 3")
        + toldOnce("quantity setting 3 → 4"))
  }

  @Test("KVO.7 a set inside will is told and then overwritten; the outer notice keeps the old value it read")
  func reentrantWill() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    var once = true
    recorder.before = { _ in
      guard once else { return }
      once = false
      item.name = "inner"
    }
    item.name = "outer"
    #expect(item.name == "outer")
    #expect(
      recorder.lines == [
        "will name setting tea → outer", "will name setting tea → inner", "did name setting tea → inner",
        "did name setting tea → outer",
      ])
  }

  @Test("KVO.7 a listener that observes other keys in a notification changes nothing of the change at hand")
  func maskChanges() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    recorder.before = { _ in recorder.observe(["name", "price"]) }
    item.name = "x"
    item.price = 3
    #expect(recorder.lines == toldOnce("name setting tea → x") + toldOnce("price setting 1.0 → 3.0"))
  }
}

/// Notes values through the typed accessors of the notice, and that other types yield nothing.
private final class TypedRecorder: KVRegistrar, @unchecked Sendable {  // guard: used by one test on one thread
  var seen: [String] = []

  override func didChange(_ change: borrowing KVChangeNotice) {
    if change.key.name == "twin" {
      let old = change.old(as: ShopItem?.self)
      let new = change.new(as: ShopItem?.self)
      #expect(change.new(as: ShopItem.self) == nil)
      #expect(change.new(as: Any?.self) == nil)
      #expect(change.hasOldValue && change.hasNewValue)
      #expect(change.oldValue == nil)
      seen.append("twin: old \(old.map { $0?.name ?? "nil" } ?? "-") new \(new.map { $0?.name ?? "nil" } ?? "-")")
    } else {
      let old: Double? = change.old()
      let new: Double? = change.new()
      #expect(change.new(as: Int.self) == nil)
      seen.append("price: old \(old ?? -1) new \(new ?? -1)")
    }
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

private final class Manual: KVObject {
  var plain = 0
  @KVProperty var wrapped = 0
  @KVProperty var rows: [String] = []
  @KVProperty var tags: Set<String> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Manual.self) { key in
      key("plain", \.plain).notifiesManually()
      key("wrapped", \.wrapped).notifiesManually()
      key("rows", \.rows).notifiesManually()
      key("tags", \.tags).notifiesManually()
    }
  }
}

@propertyWrapper
private struct ShopBoxed<Value>: KVReferenceProperty {
  final class Storage { var value: Value; init(_ value: Value) { self.value = value } }
  let storage: Storage
  init(wrappedValue: Value) { storage = Storage(wrappedValue) }
  var wrappedValue: Value {
    get { storage.value }
    nonmutating set { storage.value = newValue }
  }
}

private final class Reflecting: KVObject {
  @ShopBoxed var shelf = "low"
}
