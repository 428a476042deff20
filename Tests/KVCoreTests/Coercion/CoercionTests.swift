import KVCore
import Testing

@Suite("CO assigning values of other types")
struct CoercionTests {
  private func write<Target>(_ value: Any?, over initial: Target, key: String = "plain") throws(KVError) -> Target {
    let cell = ShopCell<Target>(initial)
    do throws(KVError) {
      try cell.setValue(value, forKey: key)
    } catch {
      if error.code != .nilValue { #expect(error.component == key) }
      throw error
    }
    return key == "lenient" ? cell.lenient : cell.plain
  }

  private func code<Target>(_ value: Any?, over initial: Target, key: String = "plain") -> KVError.Code? {
    do throws(KVError) {
      _ = try write(value, over: initial, key: key)
      return nil
    } catch {
      return error.code
    }
  }

  // MARK: CO.1

  @Test("CO.1: a value of exactly the type is accepted, whatever the type")
  func exactTypes() throws {
    #expect(try write("x", over: "") == "x")
    #expect(try write(ShopPoint(x: 1, y: 2), over: ShopPoint()) == ShopPoint(x: 1, y: 2))
    #expect(try write(ShopMood.closed, over: ShopMood.open) == .closed)
    #expect(try write((1, "a"), over: (0, "")) == (1, "a"))
    let closure = try write({ 42 } as () -> Int, over: { 0 } as () -> Int)
    #expect(closure() == 42)
    #expect(try write(Int.self as Any.Type, over: String.self as Any.Type) == Int.self)
  }

  @Test("CO.1: a subtype is accepted: subclass, conforming type, anything for Any")
  func subtypes() throws {
    let book = ShopBook("book")
    #expect(try write(book, over: ShopItem()) === book)
    #expect(try write(book, over: ShopItem?.none) === book)
    #expect(try write(book, over: ShopLine(count: 0, price: 0) as any ShopSellable) as? ShopBook === book)
    #expect(try write(7, over: "any" as Any) as? Int == 7)
    #expect(try write(book, over: ShopTill() as AnyObject) === book)
    #expect(try write(3, over: "h" as AnyHashable) == AnyHashable(3))
    #expect(code(ShopItem(), over: ShopBook()) == .typeMismatch)
    #expect(code(ShopTill(), over: ShopItem()) == .typeMismatch)
  }

  @Test("CO.1: a value wrapped in optionals is accepted, at any depth and on either side")
  func optionals() throws {
    #expect(try write(Int??.some(.some(4)) as Any, over: 0) == 4)
    #expect(try write(4, over: Int???.none) == 4)
    #expect(try write(Int???.some(.some(.some(4))) as Any, over: Int??.none) == 4)
    #expect(try write(4.9, over: Int??.none) == 4)
    #expect(try write(Int??.some(.none) as Any, over: Int?.some(3)) == Int?.none)
    #expect(try write(nil, over: Int?.some(3)) == Int?.none)
    #expect(try write(Optional<ShopItem>.some(ShopItem("x")) as Any, over: ShopItem()).name == "x")
  }

  @Test("CO.1: nil for a property that is not optional is a nil value error, not a mismatch")
  func nilValues() {
    #expect(code(nil, over: 0) == .nilValue)
    #expect(code(Int?.none as Any, over: 0) == .nilValue)
    #expect(code(Int??.some(.none) as Any, over: "") == .nilValue)
    #expect(code([1, nil] as [Int?], over: [0]) == .nilValue)
  }

  // MARK: CO.4

  @Test("CO.4: raw-representable enums accept their raw value, and numbers convert in between")
  func enums() throws {
    #expect(try write("coffee", over: ShopKind.tea) == .coffee)
    #expect(try write(2, over: ShopSize.small) == .large)
    #expect(try write(2.0, over: ShopSize.small) == .large)
    #expect(try write(UInt8(2), over: ShopSize.small) == .large)
    #expect(try write("coffee", over: ShopKind?.none) == .coffee)
    #expect(try write(ShopKind.coffee, over: ShopKind.tea) == .coffee)
    #expect(try write(["tea", "coffee"], over: [ShopKind]()) == [.tea, .coffee])
    #expect(try write(["k": "tea"], over: [String: ShopKind]()) == ["k": .tea])
  }

  @Test("CO.4: a text or number that is no raw value is a type mismatch that says so")
  func badRawValues() {
    #expect(code("cocoa", over: ShopKind.tea) == .typeMismatch)
    #expect(code(3, over: ShopSize.small) == .typeMismatch)
    #expect(code("1", over: ShopSize.small) == .typeMismatch)
    #expect(code(1, over: ShopKind.tea) == .typeMismatch)
    #expect(code("open", over: ShopMood.open) == .typeMismatch)
    let error = #expect(throws: KVError.self) { _ = try write("cocoa", over: ShopKind.tea) }
    #expect(
      error?.message
        == "cannot set \"plain\" of ShopCell<ShopKind>: the String \"cocoa\" is not a raw value of ShopKind.")
  }

  @Test("CO.4: reading yields the enum")
  func readingEnums() throws {
    let cell = ShopCell(ShopKind.tea)
    try cell.setValue("coffee", forKey: "plain")
    #expect(try cell.value(forKey: "plain") as? ShopKind == .coffee)
    #expect(try cell.value(forKey: "plain", as: ShopKind.self) == .coffee)
  }

  @Test("CO.4: option sets are raw-representable too")
  func optionSets() throws {
    #expect(try write(3, over: ShopFlags()) == [.new, .cheap])
  }

  // MARK: CO.5

  static let numerals: [(String, Double)] = [
    ("12", 12), ("-7", -7), ("+7", 7), ("0", 0), ("007", 7), ("3.5", 3.5), ("1e3", 1_000), ("-0.25", -0.25),
  ]

  @Test("CO.5: strings do not convert to numbers unless the accessor opts in", arguments: numerals)
  func strings(_ text: String, _ number: Double) throws {
    #expect(code(text, over: 0) == .typeMismatch)
    #expect(code(text, over: 0.0) == .typeMismatch)
    #expect(code(text, over: false) == .typeMismatch)
    #expect(try write(text, over: 0.0, key: "lenient") == number)
    #expect(try write(text, over: Float(0), key: "lenient") == Float(number))
    if number == number.rounded() {
      #expect(try write(text, over: 0, key: "lenient") == Int(number))
    } else {
      #expect(code(text, over: 0, key: "lenient") == .typeMismatch, "a fraction is no exact integer")
    }
    #expect(try write(text, over: Double?.none, key: "lenient") == number)
    // A Bool takes words, of which "0" and "1" are two (CO.8).
    #expect(code(text, over: false, key: "lenient") == (text == "0" ? nil : .typeMismatch))
  }

  @Test("CO.5: the mismatch of a string names the cure")
  func stringMessage() {
    let error = #expect(throws: KVError.self) { _ = try write("12", over: 0) }
    #expect(
      error?.message == """
        cannot set "plain" of ShopCell<Int>: the String "12" is not an Int; write @KVKey(.lenient) before the property, or .lenient() in its table, to let strings convert.
        """)
  }

  @Test(
    "CO.5: lenient coercion is exact and free of locale: anything else than a number is refused",
    arguments: [
      "", " 1", "1 ", "1,5", "1.000,5", "1_000", "one", "١٢", "nan", "inf", "-infinity", "1.2.3", "12kg", "true",
    ])
  func badNumerals(_ text: String) {
    #expect(code(text, over: 0, key: "lenient") == .typeMismatch, "\(text)")
    #expect(code(text, over: 0.0, key: "lenient") == .typeMismatch, "\(text)")
  }

  @Test("CO.5: lenient integers are exact, and their range is checked")
  func lenientRange() throws {
    #expect(try write("9223372036854775807", over: 0, key: "lenient") == .max)
    #expect(try write("18446744073709551615", over: UInt64(0), key: "lenient") == .max)
    #expect(try write("9007199254740993", over: 0, key: "lenient") == 9_007_199_254_740_993)
    #expect(code("9223372036854775808", over: 0, key: "lenient") == .numberOutOfRange)
    #expect(code("300", over: UInt8(0), key: "lenient") == .numberOutOfRange)
    #expect(code("-1", over: UInt(0), key: "lenient") == .numberOutOfRange)
  }

  @Test("CO.5: lenient keys convert strings inside collections and raw values")
  func lenientCollections() throws {
    #expect(try write(["1", "2"], over: [Int](), key: "lenient") == [1, 2])
    #expect(try write("2", over: ShopSize.small, key: "lenient") == .large)
  }

  @Test("CO.5: numbers do not convert to strings, lenient or not")
  func numbersToStrings() {
    #expect(code(5, over: "") == .typeMismatch)
    #expect(code(5, over: "", key: "lenient") == .typeMismatch)
    #expect(code(true, over: "") == .typeMismatch)
  }

  // MARK: CO.2 in collections

  @Test("CO.2: elements of arrays, sets and dictionaries convert one by one")
  func collections() throws {
    #expect(try write([1, 2], over: [Double]()) == [1, 2])
    #expect(try write([1.9, -1.9], over: [Int]()) == [1, -1])
    #expect(try write([1, 2] as [Any], over: [Int]()) == [1, 2])
    #expect(try write([1, nil] as [Int?], over: [Double?]()) == [1, nil])
    #expect(try write([[1], [2, 3]], over: [[Double]]()) == [[1], [2, 3]])
    #expect(try write(Set([1, 2]), over: Set<Double>()) == [1, 2])
    #expect(try write(["a": 1], over: ["": 0.0]) == ["a": 1])
    #expect(try write(["a": 1] as [String: Any], over: [String: Int]()) == ["a": 1])
    #expect(try write(ContiguousArray([1]), over: [Double]()) == [1])
    #expect(try write([1, 2, 3][1...], over: [Int]()) == [2, 3])
    #expect(try write([1], over: ContiguousArray<Double>()) == [1])
    #expect(try write([7: "x"], over: [String: String]()) == ["7": "x"])
    #expect(try write(["7": "x"], over: [Int: String]()) == [7: "x"])
  }

  @Test("CO.2: one element out of range refuses the whole collection")
  func badElements() {
    #expect(code([1, 300], over: [UInt8]()) == .numberOutOfRange)
    #expect(code([1, "x"] as [Any], over: [Int]()) == .typeMismatch)
    #expect(code(["a": Double.nan], over: ["a": 1]) == .numberOutOfRange)
    #expect(code(Set([1, -1]), over: Set<UInt>()) == .numberOutOfRange)
  }

  @Test("CO.6: a dictionary whose keys do not convert is refused, never emptied")
  func unnamedKeys() throws {
    #expect(code([ShopPoint(): 1], over: [ShopPoint: Double]()) == .typeMismatch)
    #expect(code([ShopPoint(): 1], over: [String: Int]()) == .typeMismatch)
    #expect(code(["x": 1], over: [Int: Int]()) == .typeMismatch)
    #expect(try write([ShopPoint(): 1], over: [ShopPoint: Int]()) == [ShopPoint(): 1])
  }

  // MARK: CO.6

  static let strangers: [any Sendable] = [
    "text", 1, 1.5, true, ShopKind.tea, ShopPoint(), [1], Set([1]), ["k": 1], ShopMood.open,
  ]

  @Test("CO.6: everything else is a type mismatch", arguments: strangers.indices)
  func mismatches(_ index: Int) {
    let value = Self.strangers[index]
    if !(value is String) { #expect(code(value, over: "") == .typeMismatch) }
    if !(value is ShopPoint) { #expect(code(value, over: ShopPoint()) == .typeMismatch) }
    if !(value is ShopMood) { #expect(code(value, over: ShopMood.open) == .typeMismatch) }
    #expect(code(value, over: ShopItem()) == .typeMismatch)
    #expect(code(value, over: (1, 2)) == .typeMismatch)
    if value is String || value is ShopPoint || value is [Int] || value is Set<Int> || value is [String: Int] {
      #expect(code(value, over: 0) == .typeMismatch)
      #expect(code(value, over: 0.0) == .typeMismatch)
      #expect(code(value, over: false) == .typeMismatch)
    }
    if !(value is [Int]) && !(value is Set<Int>) { #expect(code(value, over: [0]) == .typeMismatch) }
    if !(value is [String: Int]) { #expect(code(value, over: ["": 0]) == .typeMismatch) }
  }

  @Test("CO.6: a mismatch is thrown before anything changes")
  func nothingChanges() throws {
    let item = ShopItem("tea", price: 2, quantity: 3)
    let recorder = ShopRecorder.watch(item, "name", "price", "quantity", "offer")
    for (key, value) in [("name", 1 as Any), ("price", "x"), ("quantity", 1e300), ("offer", 5)] {
      #expect(throws: KVError.self) { try item.setValue(value, forKey: key) }
    }
    #expect(throws: KVError.self) { try item.setValue("x", forKeyPath: "offer.price.amount") }
    #expect(item.name == "tea")
    #expect(item.price == 2)
    #expect(item.quantity == 3)
    #expect(item.offer == ShopOffer())
    #expect(recorder.lines == [])
    item.name = "coffee"
    try item.setValue(4, forKey: "quantity")
    #expect(recorder.take() == notifiedOnce("name setting tea → coffee") + notifiedOnce("quantity setting 3 → 4"))
  }

  @Test("CO.6: the mismatch names both types")
  func message() {
    let error = #expect(throws: KVError.self) { _ = try write(ShopPoint(), over: 0) }
    #expect(error?.message == "cannot set \"plain\" of ShopCell<Int>: a value of type ShopPoint is not an Int.")
  }
}

private struct ShopFlags: OptionSet {
  let rawValue: Int
  static let new = ShopFlags(rawValue: 1)
  static let cheap = ShopFlags(rawValue: 2)
}
