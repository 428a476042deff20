import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.18: what an operator reads of elements")
struct OperandTests {
  private let shop = OperandShop()
  private let log = ChangeLines()
  private let tea = OperandItem(2)
  private let jam = OperandItem(3)

  @Test("KVO.18, DEP.1: a key that is affected by an operator path, and a binding of one, notify as an observer does")
  func everywhere() throws {
    shop.items = [tea]
    let label = Villager()
    try label.bind("age", to: "items.@sum.price", of: shop)
    let tokens = [try log.watch(shop, "items.@sum.price"), try log.watch(shop, "total"), try log.watch(shop, "label")]
    tea.price = 5
    #expect(
      log.take() == [
        "items.@sum.price setting 2 → 5", "total setting 2 → 5", "label setting 2 € → 5 €",
      ])
    #expect(label.age == 5)
    try shop.mutableArray(forKey: "items").append(jam)
    #expect(log.take().last == "label setting 5 € → 8 €")
    jam.price = 4
    #expect(log.take().last == "label setting 8 € → 9 €" && label.age == 9)
    try shop.mutableArray(forKey: "items").remove(at: 0)
    _ = log.take()
    tea.price = 100
    #expect(log.lines == [] && label.age == 4)
    tokens.forEach { $0.cancel() }
    label.unbindAll()
    expectNoObserversLeft(on: tea)
    expectNoObserversLeft(on: jam)
  }

  @Test(
    "KVO.7, KVO.18: an operator that a `prior` handler observes follows the elements after the change",
    arguments: ["items.@sum.price", "items.@firstObject.price"])
  func begunInChange(path: KVKeyPath) throws {
    shop.items = [jam]
    var token: KVObservation?
    let outer = try shop.observe("items", options: [.prior]) { [shop, log] change in
      if change.isPrior, token == nil { token = try? log.watch(shop, path) }
    }
    shop.items = [tea]
    #expect(log.take() == [])
    tea.price = 7
    jam.price = 8
    #expect(log.take() == ["\(path) setting 2 → 7"])
    [outer, token].forEach { $0?.cancel() }
  }

  @Test("KVO.18, KVO.20: an observation of an operator path is listed once, and not as one of each element")
  func listing() throws {
    shop.items = [tea]
    let token = try log.watch(shop, "items.@sum.price")
    #expect(KVDiagnostics.observations(of: shop).map(\.keyPath) == ["items.@sum.price"])
    #expect(KVDiagnostics.observations(of: tea).isEmpty)
    token.cancel()
  }

  @Test("KVO.18: an operator in the right path, by membership and by element")
  func nested() throws {
    let other = OperandShop()
    shop.branches = [other]
    let token = try log.watch(shop, "branches.@sum.items.@sum.price")
    other.items = [tea]
    tea.price = 7
    #expect(
      log.take() == ["branches.@sum.items.@sum.price setting 0 → 2", "branches.@sum.items.@sum.price setting 2 → 7"])
    other.items = []
    _ = log.take()
    tea.price = 8
    #expect(log.lines == [])
    token.cancel()
  }

  @Test("KVO.18: a right path through the elements of a collection, which may be nil first")
  func throughCollection() throws {
    let token = try log.watch(shop, "branches.@unionOfArrays.spares.price")
    let other = OperandShop()
    other.spares = []
    shop.branches = [other]
    _ = log.take()
    other.spares = [tea]
    tea.price = 7
    #expect(
      log.take() == [
        "branches.@unionOfArrays.spares.price setting [] → [2]",
        "branches.@unionOfArrays.spares.price setting [2] → [7]",
      ])
    token.cancel()
  }

  @Test("KVO.18: elements that are values and lead to objects; elements of arrays in the array; numbers")
  func values() throws {
    shop.anything = [OperandSlot(item: tea)]
    let slots = try log.watch(shop, "anything.@sum.item.price", as: "slots")
    tea.price = 7
    #expect(log.take() == ["slots: anything.@sum.item.price setting 2 → 7"])
    shop.anything = [OperandSlot(item: jam)]
    #expect(log.take() == ["slots: anything.@sum.item.price setting 7 → 3"])
    tea.price = 8
    jam.price = 4
    #expect(log.take() == ["slots: anything.@sum.item.price setting 3 → 4"])
    slots.cancel()
    shop.anything = [[tea], [jam]]
    let grid = try log.watch(shop, "anything.@unionOfArrays.price", as: "grid")
    tea.price = 1
    #expect(log.take() == ["grid: anything.@unionOfArrays.price setting [8, 4] → [1, 4]"])
    grid.cancel()
    shop.anything = [1, 2]
    let numbers = try log.watch(shop, "anything.@sum.self", as: "numbers")
    shop.anything = [1, 2, 3]
    #expect(log.lines == ["numbers: anything.@sum.self setting 3 → 6"])
    numbers.cancel()
  }

  @Test("KVO.18, KVC.18: elements are followed through 200 nested arrays, and not through more")
  func nesting() throws {
    func nested(_ depth: Int) -> Any { (0..<depth).reduce(tea as Any) { inner, _ in [inner] } }
    shop.anything = nested(150)
    var count = 0
    let token = try shop.observe("anything.@unionOfArrays.price", options: []) { _ in count += 1 }
    tea.price += 1
    #expect(count == 1)
    token.cancel()
    shop.anything = nested(250)
    let error = #expect(throws: KVError.self) {
      try shop.observe("anything.@unionOfArrays.price", options: []) { _ in }
    }
    #expect(error?.code == .limitExceeded)
  }

  @Test("KVO.18: @firstObject and @lastObject read one element, @self reads the value to its left")
  func ends() throws {
    shop.items = [tea, jam]
    let tokens = [
      try log.watch(shop, "items.@firstObject.price"), try log.watch(shop, "items.@lastObject.price"),
      try log.watch(shop, "best.@self.price"),
    ]
    tea.price = 7
    jam.price = 8
    try shop.mutableArray(forKey: "items").insert(OperandItem(1), at: 0)
    shop.best = tea
    tea.price = 9
    #expect(
      log.lines == [
        "items.@firstObject.price setting 2 → 7", "items.@lastObject.price setting 3 → 8",
        "items.@firstObject.price setting 7 → 1", "items.@lastObject.price setting 8 → 8",
        "best.@self.price setting nil → 7", "best.@self.price setting 7 → 9",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.18, OP.2: @count reads nothing of the elements, also with a right path")
  func count() throws {
    shop.items = [tea]
    let token = try log.watch(shop, "items.@count.price")
    tea.price = 7
    #expect(log.lines == [])
    try shop.mutableArray(forKey: "items").append(jam)
    #expect(log.lines == ["items.@count.price setting 1 → 2"])
    token.cancel()
  }

  @Test("KVO.18, LIF.1: a cancelled observation of an operator path leaves nothing on the elements")
  func cancelled() throws {
    shop.items = [tea, jam]
    let token = try log.watch(shop, "items.@sum.price")
    token.cancel()
    expectNoObserversLeft(on: tea)
    expectNoObserversLeft(on: shop)
    jam.price = 9
    #expect(log.lines == [])
  }

  @Test("KVO.18: elements that cannot notify are left out, and the path is accepted")
  func silentElements() throws {
    shop.items = [tea]
    let token = try log.watch(shop, "items.@sum.silent")
    tea.silent = 5
    #expect(log.lines == [])
    try shop.mutableArray(forKey: "items").append(jam)
    try shop.mutableArray(forKey: "items").remove(at: 0)
    #expect(log.lines == ["items.@sum.silent setting 5 → 5", "items.@sum.silent setting 5 → 0"])
    token.cancel()
  }

  @Test("KVO.18, DEP.3: elements whose keys depend on their owner's total, which depends on them")
  func circle() throws {
    shop.items = [tea, jam]
    tea.shop = shop
    jam.shop = shop
    let tokens = [
      try log.watch(tea, "share"), try log.watch(shop, "total"), try log.watch(shop, "shares"),
    ]
    jam.price = 6
    #expect(log.take() == ["share setting 40 → 25", "total setting 5 → 8", "shares setting 100 → 100"])
    try shop.mutableArray(forKey: "items").remove(at: 1)
    #expect(log.take() == ["share setting 25 → 100", "total setting 8 → 2", "shares setting 100 → 100"])
    tokens.forEach { $0.cancel() }
    for object in [tea, jam] { expectNoObserversLeft(on: object) }
  }

  @Test("KVO.21, DEP.1: an affecting key that elements do not have is reported, also when the element comes later")
  func undefinedKeys() throws {
    var tokens: [KVObservation] = []
    var events = try capturingEvents(level: .error) {
      tokens.append(try log.watch(shop, "wrong"))
      try shop.mutableArray(forKey: "items").append(tea)
    }
    #expect(events.about("items.@sum.prise").about(shop).map(\.topic) == [.faultyPath])
    #expect(events.about("items.@sum.prise").first?.location == OperandShop.wrongLine)
    tokens = []
    events = try capturingEvents(level: .error) { tokens.append(try log.watch(shop, "wrong")) }
    #expect(events.about("items.@sum.prise").about(shop).map(\.topic) == [.faultyPath])
    #expect(events.about("items.@sum.prise").first?.location == OperandShop.wrongLine)
  }

  @Test("KVO.18: a key that an element of a later element does not have is reported, also if no value is wanted")
  func undefinedInnerKey() throws {
    let other = OperandShop()
    shop.branches = [other]
    let token = try shop.observe("branches.@sum.items.@sum.prise", options: []) { _ in }
    let events = capturingEvents(level: .error) { other.items = [tea] }
    #expect(events.about(shop).map(\.topic) == [.faultyPath])
    token.cancel()
  }

  @Test("KVO.18, KVO.7, LIF.1: handlers that end the observation, and objects that die")
  func endings() throws {
    shop.items = [tea]
    var token: KVObservation?
    token = try shop.observe("items.@sum.price", options: [.old, .new, .prior]) { [log] in
      log.add($0)
      token?.cancel()
    }
    tea.price = 7
    #expect(log.lines == ["items.@sum.price setting prior 2 → nil"])
    expectNoObserversLeft(on: tea)
    token = nil
    var mortal: OperandShop? = OperandShop()
    mortal?.items = [tea]
    let total = try mortal.map { try log.watch($0, "total") }
    mortal = nil
    #expect(total?.isActive == false)
    expectNoObserversLeft(on: tea)
  }
}

private final class OperandItem: KVObject {
  @KVProperty var price = 0
  weak var shop: OperandShop?
  var silent = 0
  var share: Int { price * 100 / max(1, shop?.total ?? 1) }

  init(_ price: Int) { self.price = price }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OperandItem.self) { key in
      key("price", \.price)
      key("shop", \.shop)
      key("share", \.share).affected(by: "price", "shop.total")
    }
  }
}

private struct OperandSlot {
  var item: OperandItem?
}

private final class OperandShop: KVObject {
  @KVProperty var items: [OperandItem] = []
  @KVProperty var branches: [OperandShop] = []
  @KVProperty var spares: [OperandItem]?
  @KVProperty var best: OperandItem?
  @KVProperty var anything: Any?
  var total: Int { items.reduce(0) { $0 + $1.price } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: OperandShop.self) { key in
      key("items", \.items)
      key("branches", \.branches)
      key("spares", \.spares)
      key("best", \.best)
      key("anything", \.anything)
      key("total", \.total).affected(by: "items.@sum.price")
      key("label") { "\($0.total) €" }.affected(by: "total")
      key("shares") { $0.items.reduce(0) { $0 + $1.share } }.affected(by: "items.@sum.share")
      declareWrong(key)
    }
  }

  static let wrongLine = "KVBindingTests/OperandTests.swift:\(#line + 2)"
  static func declareWrong(_ key: KVObjectKeys<OperandShop>) {
    key("wrong") { $0.total }.affected(by: "items.@sum.prise")
  }
}
