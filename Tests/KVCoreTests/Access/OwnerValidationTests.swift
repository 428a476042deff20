import KVCore
import Testing

@Suite("VAL validators with their owner, and setters that throw")
struct OwnerValidationTests {
  private struct SoldOut: Error, CustomStringConvertible { var description: String { "sold out" } }

  private class Order: KVObject {
    @KVProperty var stock = 5
    @KVProperty var quantity = 1
    @KVProperty var note: String?
    private(set) var age = 30
    private var stored = 1

    func setAge(_ age: Int) throws {
      if age < 0 { throw SoldOut() }
      self.age = min(age, 150)
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("stock", \.stock)
        key("quantity", \.quantity).alias("count").validated { order, quantity in
          if quantity > order.stock { throw SoldOut() }
          return .valid
        } nil: { order in
          if order.stock == 0 { throw SoldOut() }
          return .replaced(with: 1)
        }
        key("single", \.stock).validated { order, stock in stock > order.quantity ? .valid : .replaced(with: 9) }
        key("note", \.note).validated { order, note in
          if note == nil { return order.stock == 0 ? .replaced(with: "sold out") : .valid }
          return note == "" ? .replaced(with: nil) : .valid
        }
        key("age", { $0.age }, set: { order, age in try order.setAge(age) }).alias("years")
        key(
          "limit", { $0.stored }, set: { if $1 > 9 { throw KVError(.custom, "nine at most.") } else { $0.stored = $1 } }
        )
        key("items", { _ in [1, 2] }, set: { (_: Order, items: [Int]) in if items.count > 2 { throw SoldOut() } })
      }
    }
  }

  private struct Range: KeyValueCoding {
    var low = 0
    var high = 10
    static var keyTable: KVTable {
      KVTable(Range.self) { key in
        key("low", \.low).validated { range, low in
          low > range.high ? .replaced(with: range.high) : .valid
        } nil: { _ in
          .replaced(with: 0)
        }
        key(
          "high", { $0.high },
          set: { range, high in
            if high < range.low { throw SoldOut() }
            range.high = high
          })
      }
    }
  }

  private final class Holder: KVObject {
    @KVProperty var range = Range()
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Holder.self) { key in key("range", \.range) }
    }
  }

  private let order = Order()

  private func outcome(_ value: Any?, _ path: String, of root: some KeyValueCoding) throws(KVError) -> String {
    if case .replaced(let other) = try root.validate(value, forKeyPath: path) { return other.map { "\($0)" } ?? "nil" }
    return "valid"
  }

  @Test("VAL.3: a validator receives its owner")
  func owner() throws {
    #expect(try outcome(5, "quantity", of: order) == "valid")
    let error = #expect(throws: KVError.self) { try order.validate(6, forKeyPath: "count") }
    #expect(error?.code == .invalidValue)
    #expect(error?.underlying is SoldOut)
    order.stock = 6
    #expect(try outcome(6, "quantity", of: order) == "valid")
    #expect(try outcome(6.5, "quantity", of: order) == "valid", "converted to the type of the key")
    #expect(try outcome(11, "range.low", of: Holder()) == "10")
  }

  @Test("VAL.3: a validator of a subclass receives the object")
  func subclass() throws {
    final class Big: Order {}
    #expect(try outcome(nil, "quantity", of: Big()) == "1")
  }

  @Test("VAL.3: it is asked about nil, and may replace nil for a property that is not optional")
  func nils() throws {
    #expect(try outcome(nil, "quantity", of: order) == "1")
    #expect(try outcome(Int?.none as Any, "quantity", of: order) == "1")
    #expect(try outcome(nil, "low", of: Range()) == "0")
    #expect(try outcome(nil, "note", of: order) == "valid")
    #expect(try outcome("", "note", of: order) == "nil")
    #expect(throws: KVError.self, "without the other closure") { try order.validate(nil, forKeyPath: "single") }
    order.stock = 0
    #expect(throws: KVError.self) { try order.validate(nil, forKeyPath: "quantity") }
    #expect(try outcome(nil, "note", of: order) == "sold out")
    order.stock = 1
    guard case .replaced(let value) = try order.validate(nil, forKeyPath: "quantity") else { return }
    try order.setValue(value, forKey: "quantity")
    #expect(order.quantity == 1)
  }

  @Test("TAB.10: a setter may throw: the error is the cause, and nothing has changed")
  func throwing() throws {
    try order.setValue(40, forKey: "age")
    #expect(order.age == 40)
    try order.setValue(41.5, forKeyPath: "years")
    #expect(order.age == 41)
    try order.setValue(500 as Any?, forKey: "age")
    #expect(order.age == 150)
    let error = #expect(throws: KVError.self) { try order.setValue(-1, forKey: "age") }
    #expect(error?.code == .invalidValue)
    #expect(error?.underlying is SoldOut)
    #expect(error?.message == "the Int -1 is not valid for \"age\" of Order: sold out")
    #expect(order.age == 150)
    let own = #expect(throws: KVError.self) { try order.setValue(10, forKeyPath: "limit") }
    #expect(own?.message == "nine at most.")
    #expect(own?.keyPath == "limit")
    #expect(throws: KVError.self) { try order.setValue("x", forKey: "age") }
    #expect(Order.keyTable.keys.first { $0.name == "age" }?.isReadOnly == false)
    #expect(try KVC.canConvert(-1, forKeyPath: "age", of: order), "only the setter knows")
  }

  @Test("TAB.10, KVC.14: a write notifies if the setter does not throw")
  func notifications() throws {
    let recorder = ShopRecorder.watch(order, "age")
    try order.setValue(40, forKey: "age")
    #expect(recorder.take() == notifiedOnce("age setting 30 → 40"))
    #expect(throws: KVError.self) { try order.setValue(-1, forKey: "age") }
    #expect(recorder.take() == ["will age setting 40 → -1"])
    try order.setValue(41, forKey: "age")
    #expect(recorder.take() == notifiedOnce("age setting 40 → 41"))
  }

  @Test("TAB.10: a setter of a struct may throw, also within an object")
  func structs() throws {
    var range = Range(low: 5)
    try range.setValue(7, forKey: "high")
    #expect(range.high == 7)
    #expect(throws: KVError.self) { try range.setValue(4, forKey: "high") }
    #expect(range.high == 7)
    let holder = Holder()
    holder.range = range
    try holder.setValue(8, forKeyPath: "range.high")
    #expect(holder.range.high == 8)
    let recorder = ShopRecorder.watch(holder, "range")
    let error = #expect(throws: KVError.self) { try holder.setValue(4, forKeyPath: "range.high") }
    #expect(error?.keyPath == "range.high")
    #expect(holder.range.high == 8)
    #expect(recorder.take() == [])
  }

  @Test("TAB.10: a view of a key whose setter throws passes its error on")
  func views() throws {
    let items = order.mutableArray(forKey: "items")
    try items.replace(at: 0, with: 3)
    let error = #expect(throws: KVError.self) { try items.append(3) }
    #expect(error?.underlying is SoldOut)
  }
}
