import KVCore
import TestModels
import Testing

/// Numbers of objects and values in an array of their own type take a shorter way than those in an array of `Any`; both
/// have to agree, whatever the data.
@Suite("OP.3: sums and averages agree, however the elements are stored")
struct OperatorAgreementTests {
  private static let operators = [
    "@sum", "@avg", "@min", "@max", "@count", "@unionOfObjects", "@distinctUnionOfObjects",
  ]

  private func agree(_ fast: Any, _ slow: [Any?], _ key: String, _ location: SourceLocation = #_sourceLocation) throws {
    for name in Self.operators {
      let path = "\(name).\(key)"
      let left = try KVC.value(of: fast, forKeyPath: path)
      let right = try KVC.value(of: slow, forKeyPath: path)
      #expect(
        left.map { type(of: $0) == type(of: right ?? ()) } ?? (right == nil), "\(path) of \(type(of: fast))",
        sourceLocation: location)
      #expect(
        KVC.areEqual(left, right) || ((left as? Double)?.isNaN == true && (right as? Double)?.isNaN == true),
        "\(path) of \(type(of: fast)): \(String(describing: left)), \(String(describing: right))",
        sourceLocation: location)
    }
  }

  private func makeItem(_ random: inout SplitMix64) -> ShopItem {
    let price = Double.random(in: -1_000...1_000, using: &random)
    let quantity = Int.random(in: -1_000_000_000...1_000_000_000, using: &random)
    return switch Int.random(in: 0..<3, using: &random) {
    case 0: ShopItem("item", price: price, quantity: quantity)
    case 1: ShopBook("book", price: price, quantity: quantity)
    default: ShopAtlas("atlas", price: price, quantity: quantity)
    }
  }

  @Test("OP.3: arrays of a class, of its subclasses mixed, of existentials and of optionals", arguments: 1...20)
  func objects(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 0..<60, using: &random)
    let items = (0..<count).map { _ in makeItem(&random) }
    let slow: [Any?] = items
    for key in ["price", "quantity", "offer.price.amount", "offer.price.@self.amount"] {
      try agree(items, slow, key)
      try agree(ContiguousArray(items), slow, key)
      try agree(items[...], slow, key)
      try agree(items as [Any], slow, key)
      try agree(items as [any ShopSellable], slow, key)
      try agree(items as [AnyObject], slow, key)
      try agree(items as [KVObject], slow, key)
      try agree(items as [ShopItem?], slow, key)
    }
    let expected = items.reduce(0) { $0 + $1.quantity }
    #expect(try KVC.value(of: items, forKeyPath: "@sum.quantity") as? Int == expected)
    let price = items.reduce(0) { $0 + $1.price }
    #expect(try KVC.value(of: items, forKeyPath: "@sum.price", as: Double.self) == price)
  }

  @Test("OP.3: arrays of structs, with and without optionals", arguments: 1...20)
  func values(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 0..<60, using: &random)
    let lines = (0..<count).map { _ in
      ShopLine(
        count: Int.random(in: .min ... .max, using: &random), price: Double.random(in: -1...1, using: &random))
    }
    let slow: [Any?] = lines
    for key in ["count", "price"] {
      try agree(lines, slow, key)
      try agree(lines[...], slow, key)
      try agree(ContiguousArray(lines), slow, key)
      try agree(lines as [any ShopSellable], slow, key)
      try agree(lines as [ShopLine?], slow, key)
    }
  }

  @Test("OP.3: a class whose key has another type in a subclass")
  func overriddenTypes() throws {
    let boxes = [ShopBox(), ShopFloatBox(), ShopBox(), ShopDoubleBox()]
    try agree(boxes, boxes, "weight")
    #expect(try KVC.value(of: boxes, forKeyPath: "@sum.weight") as? Double == 2 + 0.5 + 0.25)
    let halves = [ShopBox(), ShopDoubleBox()]
    #expect(try KVC.value(of: halves, forKeyPath: "@sum.weight") as? Double == 1.25)
  }

  @Test("OP.3: one element of another kind spoils nothing: what was counted before it is not counted twice")
  func lateStranger() throws {
    let items = (0..<10).map { ShopItem("", price: 1, quantity: $0) }
    let late: [ShopBox] = [ShopBox(), ShopBox(), ShopFloatBox()]
    #expect(try KVC.value(of: late, forKeyPath: "@sum.weight") as? Double == 2.5)
    #expect(try KVC.value(of: items as [AnyObject] + [late[0]], forKeyPath: "@count") as? Int == 11)
    let error = #expect(throws: KVError.self) {
      try KVC.value(of: items as [AnyObject] + [late[0]], forKeyPath: "@sum.quantity")
    }
    #expect(error?.code == .undefinedKey)
  }

  @Test("OP.3: one path used on arrays of different classes, back and forth")
  func sharedPath() throws {
    let path: KVKeyPath = "@sum.price"
    for _ in 0..<3 {
      #expect(try KVC.value(of: [ShopItem("", price: 2)], forKeyPath: path) as? Double == 2)
      #expect(try KVC.value(of: [ShopLine(count: 1, price: 3)], forKeyPath: path) as? Double == 3)
      #expect(try KVC.value(of: [ShopAtlas("", price: 4)], forKeyPath: path) as? Double == 4)
      #expect(try KVC.value(of: [["price": 5]], forKeyPath: path) as? Int == 5)
    }
  }

  @Test("OP.3: aliases are summed as their key is")
  func aliases() throws {
    #expect(
      try KVC.value(of: [ShopItem("", quantity: 4), ShopBook("", quantity: 5)], forKeyPath: "@sum.stock") as? Int == 9)
  }

  @Test("OP.3: keys that only reflection finds are summed too")
  func reflected() throws {
    #expect(try KVC.value(of: [ShopPoint(x: 1), ShopPoint(x: 5)], forKeyPath: "@sum.x") as? Int == 6)
  }

  @Test("OP.3: a faulty table is an error, not a wrong sum")
  func faultyTable() {
    let error = #expect(throws: KVError.self) {
      try KVC.value(of: [ShopFaulty()], forKeyPath: "@sum.size")
    }
    #expect(error?.code == .invalidTable)
  }
}

private class ShopBox: KVObject {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopBox.self) { key in key("weight") { _ in 1 } }
  }
}

private final class ShopFloatBox: ShopBox {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopFloatBox.self) { key in key("weight") { _ in Float(0.5) } }
  }
}

private final class ShopDoubleBox: ShopBox {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopDoubleBox.self) { key in key("weight") { _ in 0.25 } }
  }
}

private final class ShopFaulty: KVObject {
  var size = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopFaulty.self) { key in
      key("size", \.size)
      key("size", \.size)
    }
  }
}
