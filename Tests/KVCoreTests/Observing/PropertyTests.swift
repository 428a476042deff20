import Foundation
import KVCore
import Testing

@Suite("KVProperty, and the slot of the registrar")
struct PropertyTests {
  private final class Account: KVObject, Codable {
    @KVProperty var owner: String
    @KVProperty var balance = 0.0
    @KVProperty var tags: [String]? = ["new"]

    init(_ owner: String) { self.owner = owner }
  }

  private struct Holder<Value: Hashable>: Hashable {
    var property: KVProperty<Value>
  }

  @Test("KVO.14: an observable property encodes and decodes as its value")
  func codable() throws {
    let account = Account("Ada")
    account.balance = 2.5
    account.tags = nil
    let data = try JSONEncoder().encode(account)
    let object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    #expect(object["owner"] as? String == "Ada")
    #expect(object["balance"] as? Double == 2.5)
    let decoded = try JSONDecoder().decode(Account.self, from: data)
    #expect(decoded.owner == "Ada")
    #expect(decoded.balance == 2.5)
    #expect(decoded.tags == nil)
    let recorder = ShopRecorder.watch(decoded, "owner")
    decoded.owner = "Grace"
    #expect(recorder.lines == notifiedOnce("owner setting Ada → Grace"))
  }

  @Test("KVO.14: its storage is Equatable, Hashable and Sendable where the value is")
  func conformances() {
    #expect(Holder(property: KVProperty(wrappedValue: 1)) == Holder(property: KVProperty(wrappedValue: 1)))
    #expect(Holder(property: KVProperty(wrappedValue: 1)) != Holder(property: KVProperty(wrappedValue: 2)))
    #expect(Set([KVProperty(wrappedValue: "a"), KVProperty(wrappedValue: "a")]).count == 1)
    func takesSendable(_ value: some Sendable) {}
    takesSendable(KVProperty(wrappedValue: 1))
  }

  @Test("KVO.14: a property that no table lists notifies all the same, and is read by reflection")
  func unlisted() throws {
    let account = Account("Ada")
    let recorder = ShopRecorder.watch(account, "owner", "balance")
    account.owner = "Grace"
    account.balance += 5
    #expect(recorder.lines == notifiedOnce("owner setting Ada → Grace") + toldOnceInPlace("balance setting 0.0 → 5.0"))
    #expect(try account.value(forKey: "owner") as? String == "Grace")
    #expect(try account.value(forKey: "tags") as? [String] == ["new"])
  }

  @Test("KVO.14: values of every size and kind come through whole")
  func valueKinds() {
    let wide = ShopCell((1, 2.0, "three", [4], ShopPoint(x: 5)))
    let wideRecorder = ShopRecorder.watch(wide, "value")
    wide.value.2 = "drei"
    #expect((wideRecorder.lastOld as? (Int, Double, String, [Int], ShopPoint))?.2 == "three")
    #expect((wideRecorder.lastNew as? (Int, Double, String, [Int], ShopPoint))?.2 == "drei")
    let void = ShopCell(())
    let voidRecorder = ShopRecorder.watch(void, "value")
    void.value = ()
    #expect(voidRecorder.lines.count == 2)
    let closure = ShopCell({ 1 } as () -> Int)
    let closureRecorder = ShopRecorder.watch(closure, "value")
    closure.value = { 2 }
    #expect((closureRecorder.lastNew as? () -> Int)?() == 2)
    let any = ShopCell(1 as Any?)
    let anyRecorder = ShopRecorder.watch(any, "value")
    any.value = nil
    any.value = "x"
    #expect(anyRecorder.lines == notifiedOnce("value setting 1 → nil") + notifiedOnce("value setting nil → x"))
    let existential = ShopCell(ShopItem("tea") as any ShopSellable)
    let existentialRecorder = ShopRecorder.watch(existential, "value")
    existential.value = ShopLine(count: 1, price: 9)
    #expect((existentialRecorder.lastNew as? ShopLine)?.price == 9)
  }

  @Test("KVO.14: a value that is set is released once, and no copy of it stays with the object")
  func lifetimes() {
    let item = ShopItem("tea")
    let recorder = ShopRecorder.watch(item, "twin")
    weak var first: ShopItem?
    do {
      let twin = ShopItem("twin")
      first = twin
      item.twin = twin
    }
    #expect(first != nil)
    item.twin = nil
    #expect(recorder.lines.count == 4)
    recorder.forget()
    #expect(first == nil)
  }

  @Test("LIF.1: the registrar lives with its object, and does not keep it alive")
  func registrarLifetime() {
    weak var registrar: ShopRecorder?
    weak var object: ShopItem?
    do {
      let item = ShopItem("tea")
      object = item
      registrar = ShopRecorder.watch(item, "name")
      item.name = "x"
      #expect(registrar != nil)
    }
    #expect(object == nil)
    #expect(registrar == nil)
  }

  @Test("THR.1: a slot that many threads fill holds one registrar, the same for all")
  func slotRace() async {
    struct Unchecked: @unchecked Sendable {  // guard: only the slot is used, which is safe from any thread
      let item: ShopItem
    }
    for _ in 0..<50 {
      let shared = Unchecked(item: ShopItem("tea"))
      let found = await withTaskGroup(of: ObjectIdentifier.self) { group in
        for _ in 0..<8 {
          group.addTask { ObjectIdentifier(shared.item.registrarSlot.registrar { ShopRecorder() }) }
        }
        return await group.reduce(into: Set<ObjectIdentifier>()) { $0.insert($1) }
      }
      #expect(found.count == 1)
      #expect(found.first == shared.item.registrarSlot.registrar.map { ObjectIdentifier($0) })
    }
  }

  @Test("THR.1: a second installation gives the first registrar, and makes no other")
  func secondInstallation() {
    let item = ShopItem("tea")
    let first = item.registrarSlot.registrar { ShopRecorder() }
    var made = false
    let second = item.registrarSlot.registrar {
      made = true
      return ShopRecorder()
    }
    #expect(first === second)
    #expect(!made)
  }

  @Test("KVO.14: keys are one of a kind")
  func keys() {
    #expect(InternedKey("shop.key") == InternedKey("shop.key"))
    #expect(InternedKey("shop.key") != InternedKey("shop.other"))
    #expect(InternedKey("shop.key").hashValue == InternedKey("shop.key").hashValue)
    #expect(InternedKey("shop.key").name == "shop.key")
    #expect("\(InternedKey("shop.key"))" == "shop.key")
    #expect(InternedKey.existing("shop.never made") == nil)
    #expect(InternedKey.existing("shop.key") == InternedKey("shop.key"))
  }

  @Test("KVO.14: a mask says no for certain, and yes perhaps, however many keys there are")
  func mask() {
    let registrar = _KVRegistrar()
    let keys = (0..<200).map { InternedKey("shop.mask.\($0)") }
    #expect(!keys.contains { registrar.mayObserve($0) })
    registrar.setObservedKeys(keys[..<3])
    #expect(keys[..<3].allSatisfy { registrar.mayObserve($0) })
    #expect(keys.filter { registrar.mayObserve($0) }.count < 20)
    registrar.setObservedKeys(keys)
    #expect(keys.allSatisfy { registrar.mayObserve($0) })
    registrar.setObservedKeys([])
    #expect(!keys.contains { registrar.mayObserve($0) })
  }
}
