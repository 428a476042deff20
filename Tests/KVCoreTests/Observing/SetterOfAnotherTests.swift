import KVCore
import Testing

@Suite("KVO.14: a setter that a write by key calls does not notify a second time, and everything else does")
struct SetterOfAnotherTests {
  /// The setter of `value` sets that of the partner, by key or in Swift, before and after its own.
  private final class Pair: KVObject {
    @KVProperty var stored = 0
    var partner: Pair?
    var isByKey = false
    var plain = 0

    var value: Int {
      get { stored }
      set {
        setPartner(newValue)
        stored = newValue
        setPartner(newValue + 1)
      }
    }

    private func setPartner(_ value: Int) {
      if isByKey { try? partner?.setValue(value, forKey: "stored") } else { partner?.stored = value }
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Pair.self) { key in
        key("stored", { $0.stored }, set: { $0.value = $1 })
        key("plain", \.plain)
      }
    }
  }

  @Test("KVO.14: the same key of another object, which the setter sets, notifies each time", arguments: [false, true])
  func sameKeyOfAnother(isByKey: Bool) throws {
    let (pair, partner) = (Pair(), Pair())
    (pair.partner, pair.isByKey) = (partner, isByKey)
    let own = ChangeLog.attached(to: pair, keys: "stored", "plain")
    let other = ChangeLog.attached(to: partner, keys: "stored", "plain")
    let once = ["will stored", "did stored"]
    try pair.setValue(5, forKey: "stored")
    #expect(own.takeAll() == once)
    #expect(other.takeAll() == once + once)
    #expect(pair.stored == 5 && partner.stored == 6)
    pair.stored = 7
    try pair.setValue(8, forKey: "plain")
    #expect(own.takeAll() == once + ["will plain", "did plain"])
  }

  @Test("KVO.14: setters that set the same key of the next object notify each, however deep")
  func chain() throws {
    let (pair, partner) = (Pair(), Pair())
    let behind = Pair()
    (pair.partner, partner.partner) = (partner, behind)
    (pair.isByKey, partner.isByKey) = (true, true)
    let logs = [pair, partner, behind].map { ChangeLog.attached(to: $0, keys: "stored") }
    let once = ["will stored", "did stored"]
    try pair.setValue(1, forKey: "stored")
    #expect(logs.map { $0.takeAll() } == [once, once + once, once + once + once + once])
    #expect(behind.stored == 3)
  }
}
