import KVCore
import Testing

/// What an observable object tells its registrar: the ground that observing stands on.
@Suite("KVO.14: the notifications of a property that is set")
struct NotificationHookTests {
  @Test("KVO.14: a direct set notifies before and after, once, with the old and the new value")
  func directSet() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    item.name = "coffee"
    #expect(recorder.lines == notifiedOnce("name setting tea → coffee"))
    #expect(item.name == "coffee")
    #expect(recorder.lastType == String.self)
    #expect(recorder.lastObject === item)
  }

  @Test("KVO.14: the property has its old value at willChange, and its new value at didChange")
  func moments() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name")
    var seen: [String] = []
    recorder.before = { [unowned item] _ in seen.append(item.name) }
    recorder.afterwards = { [unowned item] _ in seen.append(item.name) }
    item.name = "coffee"
    #expect(seen == ["tea", "coffee"])
  }

  @Test("KVO.5: setting an equal value notifies too")
  func equalValue() throws {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "name", "quantity")
    item.name = "tea"
    try item.setValue(1, forKey: "quantity")
    #expect(recorder.lines == notifiedOnce("name setting tea → tea") + notifiedOnce("quantity setting 1 → 1"))
  }

  @Test("KVO.14: old and new are typed: exactly the property's type, and nothing else")
  func typedValues() {
    let item = ShopItem("tea")
    let registrar = item.registrarSlot.registrar { TypedRecorder() }
    registrar.setObservedKeys([InternedKey("twin"), InternedKey("price")])
    let twin = ShopItem("twin")
    item.twin = twin
    item.price = 2
    #expect((registrar as? TypedRecorder)?.seen == ["twin: old nil new twin", "price: old 1.0 new 2.0"])
  }

  @Test("KVO.14: a change in place reports one setting of the whole value")
  func inPlace() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "parts", "name")
    item.parts.append(ShopItem("leaf"))
    item.name += "s"
    #expect(recorder.lines == toldOnceInPlace("parts setting [] → [leaf]") + toldOnceInPlace("name setting tea → teas"))
  }

  @Test("KVO.14: properties of generic classes, of subclasses of subclasses, inherited and private ones")
  func everyClass() throws {
    let texts = ShopCell("a")
    let numbers = ShopCell(1)
    let textRecorder = ShopRecorder.watch(texts, "value")
    let numberRecorder = ShopRecorder.watch(numbers, "value")
    for round in 0..<10 {
      texts.value = "b"
      numbers.value = 2
      #expect(textRecorder.take() == notifiedOnce("value setting \(round == 0 ? "a" : "b") → b"))
      #expect(numberRecorder.take() == notifiedOnce("value setting \(round == 0 ? 1 : 2) → 2"))
    }
    let atlas = ShopAtlas("atlas")
    let recorder = ShopRecorder.watch(atlas, "name", "pages", "maps", "secret")
    atlas.name = "big"
    atlas.pages = 5
    atlas.maps = 6
    atlas.hide("x")
    try atlas.setValue("y", forKey: "secret")
    #expect(
      recorder.lines == notifiedOnce("name setting atlas → big") + notifiedOnce("pages setting 100 → 5")
        + notifiedOnce("maps setting 7 → 6") + notifiedOnce("secret setting none → x")
        + notifiedOnce("secret setting x → y"))
    #expect(atlas.reveal == "y")
  }

  @Test("KVO.14: a class that stores the slot itself notifies as a KVObject does")
  func ownSlot() throws {
    let till = ShopTill()
    #expect(till.registrarSlot.registrar == nil)
    let recorder = ShopRecorder.watch(till, "total", "drawer")
    till.total = 5
    try till.setValue(6, forKey: "total")
    try till.setValue("open", forKey: "drawer")
    try till.setValue(7, forKeyPath: "total")
    #expect(
      recorder.lines == notifiedOnce("total setting 0 → 5") + notifiedOnce("total setting 5 → 6")
        + notifiedOnce("drawer setting closed → open") + notifiedOnce("total setting 6 → 7"))
    #expect(try KVC.keys(of: till).map(\.name) == ["total", "drawer"])
  }
}

/// Notes values through the typed accessors of the notice, and that other types yield nothing.
private final class TypedRecorder: _KVRegistrar, @unchecked Sendable {  // guard: used by one test on one thread
  var seen: [String] = []

  override func didChange(_ change: borrowing _KVChangeNotice, since beginning: AnyObject?) {
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
