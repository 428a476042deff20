import KVCore
import Testing

@Suite("KVO.7, KVO.14: which keys notify, and when")
struct NotifiedKeysTests {
  @Test("KVO.14: nothing is reported of keys without observers")
  func unobservedKeys() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    item.price = 2
    item.parts = []
    try item.setValue(3, forKey: "quantity")
    try item.setValue(5, forKeyPath: "offer.price.amount")
    try item.mutableArray(forKey: "parts").append(ShopItem("x"))
    for key in ["price", "parts", "quantity", "offer"] where !recorder.mayObserve(InternedKey(key)) {
      #expect(!recorder.notifiedKeys.contains(key))
    }
    #expect(recorder.lines == [])
    recorder.observe([])
    item.name = "x"
    try item.setValue("y", forKey: "name")
    #expect(recorder.notifiedKeys.filter { $0 == "name" } == [])
    #expect(!recorder.mayObserve(InternedKey("name")))
    recorder.observe(["price"])
    item.price = 4
    #expect(recorder.lines == notifiedOnce("price setting 2.0 → 4.0"))
  }

  @Test("KVO.15: a key that notifies manually reports nothing by itself")
  func manualKeys() throws {
    let item = Manual()
    let recorder = ShopRecorder.watch(item, "plain")
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

  @Test("KVO.14: an object without observers has no registrar, however it is written")
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

  @Test("KVO.7: a set inside a notification is delivered inside it, completely")
  func reentrant() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "price")
    var rounds = 0
    recorder.afterwards = { [unowned item] key in
      rounds += 1
      if key == "name", rounds < 3 { item.name += "s" }
      if rounds == 3 { item.price = 2 }
    }
    item.name = "egg"
    #expect(
      recorder.lines == notifiedOnce("name setting tea → egg") + toldOnceInPlace("name setting egg → eggs")
        + toldOnceInPlace("name setting eggs → eggss") + notifiedOnce("price setting 1.0 → 2.0"))
  }

  @Test("KVO.7: a set by key inside a notification of the same key is delivered too")
  func reentrantByKey() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "quantity")
    recorder.afterwards = { [unowned item] _ in
      if item.quantity < 4 { try? item.setValue(item.quantity + 1, forKey: "quantity") }
    }
    try item.setValue(2, forKey: "quantity")
    #expect(
      recorder.lines == notifiedOnce("quantity setting 1 → 2") + notifiedOnce("quantity setting 2 → 3")
        + notifiedOnce("quantity setting 3 → 4"))
  }

  @Test(
    "KVO.7: a set inside willChange is delivered and then overwritten; the outer notice keeps the old value it read")
  func reentrantWill() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    var once = true
    recorder.before = { [unowned item] _ in
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

  @Test("KVO.7: a listener that observes other keys in a notification changes nothing of the change at hand")
  func maskChanges() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    recorder.before = { [unowned recorder] _ in recorder.observe(["name", "price"]) }
    item.name = "x"
    item.price = 3
    #expect(recorder.lines == notifiedOnce("name setting tea → x") + notifiedOnce("price setting 1.0 → 3.0"))
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
