import KVCore
import Testing

@Suite("TAB conversions that a line declares")
struct ConversionTests {
  private struct Color: Equatable {
    var red = 0
    init(red: Int) { self.red = red }
    init?(name: String) {
      guard name.hasPrefix("red"), let red = Int(name.dropFirst(3)) else { return nil }
      self.red = red
    }
    var name: String { "red\(red)" }
  }

  private struct NoColor: Error, CustomStringConvertible { var description: String { "there is no such color" } }

  private final class Drawing: KVObject {
    @KVProperty var fill = Color(red: 1)
    var border: Color?
    var palette: [Color] = []
    var named: [String: Color] = [:]
    var strict = Color(red: 0)
    var plain = Color(red: 0)

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Drawing.self) { key in
        key("fill", \.fill).converted(from: String.self) {
          Color(name: $0)
        } back: {
          $0.name
        }
        .converted(from: Double.self) { Color(red: Int($0)) }
        key("border", \.border).converted(from: String.self) {
          Color(name: $0)
        } back: {
          $0.name
        }
        key("palette", \.palette).converted(from: String.self) {
          Color(name: $0)
        } back: {
          $0.name
        }
        key("named", \.named).converted(from: String.self) {
          Color(name: $0)
        } back: {
          $0.name
        }
        key("strict", \.strict).converted(from: String.self, to: Color.self) { name in
          guard let color = Color(name: name) else { throw NoColor() }
          return color
        }
        key("plain", \.plain)
      }
    }
  }

  private let drawing = Drawing()

  @Test("TAB.10: a conversion takes what neither is of the type nor converts to it")
  func writing() throws {
    try drawing.setValue("red7", forKey: "fill")
    #expect(drawing.fill == Color(red: 7))
    try drawing.setValue(Color(red: 8), forKey: "fill")
    #expect(drawing.fill == Color(red: 8))
    try drawing.setValue("red9", forKeyPath: "fill")
    #expect(drawing.fill == Color(red: 9))
    try drawing.setValues(forKeys: ["fill": "red1", "border": "red2"])
    #expect(drawing.fill == Color(red: 1))
    #expect(drawing.border == Color(red: 2))
    let recorder = ShopRecorder.watch(drawing, "fill")
    try drawing.setValue("red3", forKey: "fill")
    #expect(recorder.take().count == 2)
  }

  @Test("TAB.10: a line may have several conversions, and a number converts to the source of one")
  func sources() throws {
    try drawing.setValue(5.0, forKey: "fill")
    #expect(drawing.fill == Color(red: 5))
    try drawing.setValue(6, forKey: "fill")
    #expect(drawing.fill == Color(red: 6))
  }

  /// Lines that are lenient and have a conversion, in both orders.
  private final class Tag: KeyValueCoding {
    var number = 0
    var count = 0
    static var keyTable: KVTable {
      KVTable(Tag.self) { key in
        key("number", \.number).lenient().converted(from: String.self) {
          $0.hasPrefix("#") ? Int($0.dropFirst()) : nil
        } back: {
          "#\($0)"
        }
        key("count", \.count).converted(from: String.self) {
          $0 == "1" ? 100 : nil
        } back: {
          "#\($0)"
        }
        .lenient()
      }
    }
  }

  @Test("TAB.10, CO.5: the conversions of a lenient line come first, and other text is read leniently")
  func lenientLines() throws {
    let tag = Tag()
    for (text, number) in [("#7", 7), ("8", 8)] {
      try tag.setValue(text, forKey: "number")
      #expect(tag.number == number)
    }
    for (text, count) in [("1", 100), ("2", 2)] {
      try tag.setValue(text, forKey: "count")
      #expect(tag.count == count)
    }
    for key in ["number", "count"] {
      #expect(try tag.value(forKey: key, as: String.self).hasPrefix("#"))
      #expect(throws: KVError.self) { try tag.setValue("x", forKey: key) }
    }
  }

  @Test("TAB.10: the conversion of a type serves optionals, elements and entries of it")
  func depths() throws {
    try drawing.setValue("red2", forKey: "border")
    #expect(drawing.border == Color(red: 2))
    try drawing.setValue(nil, forKey: "border")
    #expect(drawing.border == nil)
    try drawing.setValue(["red1", Color(red: 2)] as [Any], forKey: "palette")
    #expect(drawing.palette == [Color(red: 1), Color(red: 2)])
    try drawing.setValue("red3", forKeyPath: "palette[1]")
    #expect(drawing.palette == [Color(red: 1), Color(red: 3)])
    try drawing.mutableArray(forKey: "palette").append("red4")
    #expect(drawing.palette.last == Color(red: 4))
    try drawing.setValue(["sky": "red1"], forKey: "named")
    try drawing.setValue("red2", forKeyPath: "named.sea")
    try drawing.setValue("red3", forKeyPath: #"named["the sun"]"#)
    #expect(drawing.named == ["sky": Color(red: 1), "sea": Color(red: 2), "the sun": Color(red: 3)])
  }

  @Test("TAB.10: the way back serves reads as the source type")
  func back() throws {
    drawing.fill = Color(red: 3)
    drawing.palette = [Color(red: 1), Color(red: 2)]
    drawing.named = ["sky": Color(red: 4)]
    #expect(try drawing.value(forKey: "fill", as: String.self) == "red3")
    #expect(try drawing.value(forKeyPath: "fill", as: String?.self) == "red3")
    #expect(try drawing.value(forKeyPath: "border", as: String?.self) == nil)
    #expect(try drawing.value(forKeyPath: "palette", as: [String].self) == ["red1", "red2"])
    #expect(try drawing.value(forKeyPath: "palette[1]", as: String.self) == "red2")
    #expect(try drawing.value(forKeyPath: "named.sky", as: String.self) == "red4")
    #expect(try KVC.value(of: drawing, forKeyPath: "named", as: [String: String].self) == ["sky": "red4"])
    #expect(throws: KVError.self) { try drawing.value(forKey: "strict", as: String.self) }
    #expect(try drawing.value(forKey: "fill") as? Color == Color(red: 3))
  }

  @Test("TAB.10: nil of a conversion is a mismatch, and an error of it the cause")
  func refusals() throws {
    let nothing = #expect(throws: KVError.self) { try drawing.setValue("blue", forKey: "fill") }
    #expect(nothing?.code == .typeMismatch)
    #expect(nothing?.message == "cannot set \"fill\" of Drawing: the String \"blue\" is not a Color.")
    let error = #expect(throws: KVError.self) { try drawing.setValue("blue", forKey: "strict") }
    #expect(error?.code == .typeMismatch)
    #expect(error?.underlying is NoColor)
    #expect(
      error?.message == "cannot set \"strict\" of Drawing: the String \"blue\" is not a Color: there is no such color.")
    let element = #expect(throws: KVError.self) { try drawing.setValue(["red1", "blue"], forKey: "palette") }
    #expect(element?.code == .typeMismatch)
    #expect(drawing.palette == [])
    #expect(throws: KVError.self) { try drawing.setValue("red1", forKey: "plain") }
    #expect(throws: KVError.self) { try drawing.setValue(true, forKey: "border") }
  }

  @Test("TAB.6, TAB.10: a conversion to a type that the key does not have is a fault of the table")
  func faults() {
    struct Wrong: KeyValueCoding {
      var fill = Color(red: 1)
      static var keyTable: KVTable {
        KVTable(Wrong.self) { key in key("fill", \.fill).converted(from: String.self) { Int($0) } }
      }
    }
    let error = #expect(throws: KVError.self) { try Wrong().value(forKey: "fill") }
    #expect(error?.code == .invalidTable)
    #expect(error?.message.contains("\"fill\" is converted from String to Int, but is a Color; return that") == true)
  }

  @Test("TAB.10, COL.7: a conversion serves the elements of any collection")
  func foreignElements() throws {
    struct Palette: KeyValueCoding {
      var chain = Chain<Color>()
      static var keyTable: KVTable {
        KVTable(Palette.self) { key in
          key("chain", \.chain).converted(from: Int.self) { Color(red: $0) }
        }
      }
    }
    var palette = Palette()
    try palette.setValue([1, 2], forKey: "chain")
    #expect(palette.chain.map(\.red) == [1, 2])
  }

  // MARK: CO.5

  private enum Level: Int, CaseIterable { case low = 1, high }
  private enum Fruit: String, CaseIterable { case apple = "A", pear }

  private func write<Target>(_ value: Any?, over initial: Target) throws(KVError) -> Target {
    let cell = ShopCell<Target>(initial)
    try cell.setValue(value, forKey: "lenient")
    return cell.lenient
  }

  private func text<Target>(_ value: Target) throws(KVError) -> String {
    try ShopCell(value).value(forKey: "lenient", as: String.self)
  }

  @Test("CO.8: a lenient Bool takes six words in any case", arguments: ["true", "YES", "1", "false", "No", "0"])
  func bools(_ word: String) throws {
    let expected = ["true", "yes", "1"].contains(word.lowercased())
    #expect(try write(word, over: !expected) == expected)
    #expect(try write(word, over: Bool?.none) == expected)
    #expect(try write([word], over: [Bool]()) == [expected])
    #expect(try text(expected) == "\(expected)")
    #expect(throws: KVError.self) { try write(word + "x", over: false) }
    #expect(throws: KVError.self) { try ShopCell(false).setValue(word, forKey: "plain") }
  }

  @Test(
    "CO.8: a lenient Bool takes no other text, which Cocoa's boolValue does; a number converts",
    arguments: ["7", "-1", "+1", "01", "1.0", "0.0", "1e0", "t", "y", " yes", ""])
  func otherBools(_ word: String) throws {
    let error = failure { () throws(KVError) in try write(word, over: false) }
    #expect(error?.code == .typeMismatch)
    #expect(error?.message.hasSuffix("is not a Bool: true, false, yes, no, 1 or 0 is expected.") == true)
    #expect(failure { () throws(KVError) in try write(word, over: Bool?.none) }?.code == .typeMismatch)
    #expect(try write(7, over: false) && write(-0.5, over: false))
  }

  @Test("CO.5, KVC.18: a strict Bool says that the key could be lenient where that would help")
  func strictBools() {
    for (word, helps) in [("yes", true), ("1", true), ("7", false), ("maybe", false)] {
      let error = failure { () throws(KVError) in try ShopCell(false).setValue(word, forKey: "plain") }
      #expect(error?.message.contains(".lenient()") == helps, "\(word)")
    }
  }

  @Test("CO.5: a lenient enum takes the names of its cases besides its raw values, and is read as text")
  func enums() throws {
    #expect(try write("high", over: Level.low) == .high)
    #expect(try write("2", over: Level.low) == .high)
    #expect(try write(2, over: Level.low) == .high)
    #expect(try write("apple", over: Fruit.pear) == .apple)
    #expect(try write("A", over: Fruit.pear) == .apple)
    #expect(try write(["high", "low"], over: [Level]()) == [.high, .low])
    #expect(throws: KVError.self) { try write("middle", over: Level.low) }
    #expect(throws: KVError.self) { try write("High", over: Level.low) }
    #expect(try text(Level.high) == "high")
    #expect(try text(Fruit.apple) == "A")
    #expect(try text(ShopSize.large) == "2")
  }

  @Test("CO.5: lossless descriptions convert, and text of the wrong length is refused")
  func lossless() throws {
    #expect(try write("x", over: "a" as Character) == "x")
    #expect(throws: KVError.self) { try write("xy", over: "a" as Character) }
    #expect(throws: KVError.self) { try write("", over: "a" as Character) }
    #expect(try write("x", over: Substring("a")) == "x")
    #expect(throws: KVError.self) { try write(["xy": 1], over: ["a" as Character: 1]) }
    #expect(try text("x" as Character) == "x")
    #expect(try text(5) == "5")
    #expect(try text(2.5) == "2.5")
  }

  @Test("CO.5: the cure of a mismatch works: declare the key lenient")
  func cures() throws {
    let write = #expect(throws: KVError.self) { try ShopCell(Level.low).setValue("high", forKey: "plain") }
    #expect(
      write?.message.hasSuffix(
        "write @KVKey(.lenient) before the property, or .lenient() in its table, to let strings convert.") == true)
    #expect(try self.write("high", over: Level.low) == .high)
    let read = #expect(throws: KVError.self) { try ShopCell(Level.low).value(forKey: "plain", as: String.self) }
    #expect(
      read?.message.hasSuffix(
        "Write @KVKey(.lenient) before the property, or .lenient() in its table, to have its values read as text.")
        == true)
    #expect(try text(Level.low) == "low")
    // What no lenient key takes has no such cure.
    let none = #expect(throws: KVError.self) { try ShopCell(Level.low).setValue("middle", forKey: "plain") }
    #expect(none?.message.contains("lenient") == false)
  }

  // MARK: CO.8

  @Test("CO.8: convert is public, strict or lenient")
  func convert() throws {
    #expect(try KVC.convert(3.9, to: Int.self) == 3)
    #expect(try KVC.convert([1, 2], to: [Double].self) == [1, 2])
    #expect(try KVC.convert(nil, to: Int?.self) == nil)
    #expect(try KVC.convert("yes", to: Bool.self, lenient: true))
    #expect(try KVC.convert(7, to: String.self, lenient: true) == "7")
    #expect(try KVC.convert(["1"], to: [Int].self, lenient: true) == [1])
    let strict = #expect(throws: KVError.self) { try KVC.convert("7", to: Int.self) }
    #expect(
      strict?.message == "cannot convert: the String \"7\" is not an Int. Pass lenient: true to let strings convert.")
    let range = #expect(throws: KVError.self) { try KVC.convert(300, to: UInt8.self) }
    #expect(range?.code == .numberOutOfRange)
    let none = #expect(throws: KVError.self) { try KVC.convert(nil, to: Int.self) }
    #expect(none?.message == "cannot convert: nil is not an Int. Convert to an optional type.")
  }

  @Test("CO.8: canConvert says whether a value would fit a key path, and sets nothing")
  func canConvert() throws {
    let item = ShopItem("tea", price: 2)
    item.parts = [ShopItem()]
    func fits(_ value: Any?, _ path: String, of root: Any) throws(KVError) -> Bool {
      try KVC.canConvert(value, forKeyPath: path, of: root)
    }
    #expect(try fits(3, "price", of: item))
    #expect(try !fits("3", "price", of: item))
    #expect(try !fits(nil, "price", of: item))
    #expect(try fits(nil, "note", of: item))
    #expect(try fits("x", "offer.title", of: item))
    #expect(try !fits(1, "offer.title", of: item))
    #expect(try !fits(1, "parts.name", of: item))
    #expect(try fits("x", "parts.name", of: item))
    #expect(try !fits("x", "twin.name", of: item))
    #expect(try !fits(1, "offer.extras[0]", of: item))
    #expect(try fits("x", "offer.extras[0]", of: item))
    #expect(
      try fits(
        "red5", "palette[0]",
        of: {
          drawing.palette = [Color(red: 1)]; return drawing
        }()))
    #expect(try !fits("blue", "fill", of: drawing))
    #expect(try !fits("x", "a", of: ["a": 1]))
    #expect(try fits(2, "b", of: ["a": 1]))
    #expect(try !fits("x", "x", of: ShopPoint()))
    #expect(try fits(2.5, "x", of: ShopPoint()))
    #expect(throws: KVError.self) { try fits(2, "nope", of: item) }
    #expect(throws: KVError.self) { try fits(2, "offer.extras[9]", of: item) }
    #expect(item.price == 2)
  }
}
