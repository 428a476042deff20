import KVCore
import Testing

@Suite("Tables: faults")
struct TableFaultTests {
  @Test("TAB.6: every fault of a table is reported, all together, with its cure")
  func allTogether() throws {
    let error = try #require(failure { () throws(KVError) in try Faulty().value(forKey: "name") })
    #expect(error.code == .invalidTable)
    #expect(
      error.message
        == #"""
        the keyTable of Faulty has 12 faults:
        - key "name" is declared twice for Faulty; remove one line.
        - "a.b" is not a key: a key is not empty, holds no ".", "[" or "]", and does not begin with "@". For other dictionary keys use an entry, as in ["a.b"].
        - alias "title" of "name" already names "title"; choose another name.
        - alias "label" of "title" already names "name"; choose another name.
        - "sum" is affected by "titel", but there is no key "titel". Did you mean "title"?
        - "sum" is affected by "zzzzzz.x", but there is no key "zzzzzz". Declare "zzzzzz", or name another key.
        - "sum" is affected by a malformed path: "a..b" is not a key path: at offset 2, expected a key.
        - "selfish" is affected by itself; remove "selfish" from its affected(by:).
        - it does not extend the table of its superclass FaultyBase; begin it with super.keyTable.extended(for: Faulty.self) { key in … }.
        """#.replacing("12 faults", with: "9 faults"))
  }

  @Test("TAB.6: the first use reports, and every use after it")
  func everyUse() throws {
    for _ in 0..<3 {
      #expect(failure { () throws(KVError) in try Faulty().value(forKey: "name") }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try Faulty().value(forKey: "unrelated") }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try Faulty().setValue("x", forKey: "name") }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try Faulty().setValues(forKeys: ["name": 1]) }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try KVC.keys(of: Faulty()) }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try Faulty().validate(1, forKeyPath: "name") }?.code == .invalidTable)
      #expect(failure { () throws(KVError) in try [Faulty()].value(forKeyPath: "@max.name") }?.code == .invalidTable)
    }
  }

  @Test("TAB.6: a table of another type is refused, and its accessors never run")
  func foreignTable() throws {
    let error = try #require(failure { () throws(KVError) in try Impostor().value(forKey: "city") })
    #expect(
      error.message == """
        the keyTable of Impostor has a fault:
        - it lists keys of Town, which Impostor is not; begin it with Impostor.self.
        """)
    let object = try #require(failure { () throws(KVError) in try ImpostorObject().value(forKey: "genre") })
    #expect(object.message.contains("- it lists keys of Novelist, which ImpostorObject is not"))
  }

  @Test("TAB.6: affecting paths may be keys, aliases, reflected properties, or lead through any of them")
  func goodAffectingPaths() throws {
    #expect(try Sound().value(forKey: "sum") as? Int == 1)
  }

  @Test("TAB.6: affecting paths are followed as far as the declared types say all of their keys")
  func badAffectingPaths() throws {
    struct Closed: KeyValueCoding {
      var city = ""
      static var keyTable: KVTable { KVTable(Closed.self, listedKeysOnly: true) { key in key("city", \.city) } }
    }
    struct Letter: KeyValueCoding {
      var address: Closed? = Closed()
      var text = ""
      static var keyTable: KVTable {
        KVTable(Letter.self) { key in
          key("address", \.address)
          key("text", \.text)
          key("one") { $0.text }.affected(by: "address.citty")
          key("two") { $0.text }.affected(by: "text.length")
          key("three") { $0.text }.affected(by: "address.city")
        }
      }
    }
    let error = #expect(throws: KVError.self) { _ = try Letter().value(forKey: "text") }
    #expect(
      error?.message == """
        the keyTable of Letter has 2 faults:
        - "one" is affected by "address.citty", but Closed has no key "citty". Did you mean "city"?
        - "two" is affected by "text.length", but "text" is a String and has no keys; end the path there.
        """)
  }

  @Test("TAB.6: of two lines that have a name, the first one says what an affecting path leads through")
  func ambiguousName() throws {
    struct Letter: KeyValueCoding {
      var text = ""
      var parts: [String: Int] = [:]
      static var keyTable: KVTable {
        KVTable(Letter.self) { key in
          key("text", \.text)
          key("parts", \.parts).alias("text")
          key("length") { $0.text.count }.affected(by: "text.length")
        }
      }
    }
    let error = #expect(throws: KVError.self) { _ = try Letter().value(forKey: "parts") }
    #expect(
      error?.message == """
        the keyTable of Letter has 2 faults:
        - alias "text" of "parts" already names "text"; choose another name.
        - "length" is affected by "text.length", but "text" is a String and has no keys; end the path there.
        """)
  }

  @Test("TAB.6: diamonds and paths through other objects are no cycles")
  func noCycles() throws {
    #expect(try Sound().value(forKey: "top") as? Int == 1)
    #expect(try Sound().value(forKey: "depth") as? Int == 1)
  }

  @Test("DEP.3, TAB.6: keys may affect each other, also by an alias; a key that affects itself is a fault")
  func circles() throws {
    #expect(try AliasCircle().value(forKey: "a") as? Int == 1)
    let error = try #require(failure { () throws(KVError) in try AliasSelf().value(forKey: "a") })
    #expect(error.message.contains("\"a\" is affected by itself; remove \"ay\" from its affected(by:)."))
  }

  @Test("TAB.6, KVO.21: undefined affecting keys behind operators, and paths through elements")
  func affectingElements() throws {
    final class Item: KVObject {
      var price = 1
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Item.self, listedKeysOnly: true) { key in key("price", \.price) }
      }
    }
    final class Cart: KVObject {
      var items: [Item] = []
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Cart.self) { key in
          key("items", \.items)
          key("one") { $0.items.count }.affected(by: "items.@sum.prise")
          key("two") { $0.items.count }.affected(by: "items.price")
          key("three") { $0.items.count }.affected(by: "items.@sum.price", "items.@count", "items[0].price")
        }
      }
    }
    let error = try #require(failure { () throws(KVError) in try Cart().value(forKey: "items") })
    #expect(
      error.message == """
        the keyTable of Cart has 2 faults:
        - "one" is affected by "items.@sum.prise", but Item has no key "prise". Did you mean "price"?
        - "two" is affected by "items.price", but leads through the elements of "items", which have no single "price": \
        end the path at "items", or use an operator, as in "items.@unionOfObjects.price".
        """)
  }
}

private class FaultyBase: KVObject {
  var inherited = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: FaultyBase.self) { key in key("inherited", \.inherited) }
  }
}

private final class Faulty: FaultyBase {
  var name = "n"
  override class var keyTable: KVTable {
    KVTable(Faulty.self) { key in
      key("name", \.name)
      key("name", \.name).alias("label", "title")
      key("title") { _ in 1 }.alias("label")
      key("a.b") { _ in 1 }
      key("sum") { _ in 1 }.affected(by: "titel", "zzzzzz.x", "a..b", "name")
      key("one") { _ in 1 }.affected(by: "two")
      key("two") { _ in 1 }.affected(by: "three")
      key("three") { _ in 1 }.affected(by: "one")
      key("selfish") { _ in 1 }.affected(by: "selfish")
    }
  }
}

private struct Impostor: KeyValueCoding {
  var number = 1
  static var keyTable: KVTable { Town.keyTable }
}

private final class ImpostorObject: Author {
  override class var keyTable: KVTable { Novelist.keyTable }
}

private final class Sound: KVObject {
  var reflected = Town()
  var price = 1
  var _hidden = 1
  var next: Sound?
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Sound.self) { key in
      key("price", \.price).alias("cost")
      key("next", \.next)
      key("sum") { $0.price }.affected(
        by: "price", "cost", "reflected.city", "hidden", "_hidden", "next.sum", "@self.x")
      key("left") { $0.price }.affected(by: "price")
      key("right") { $0.price }.affected(by: "price")
      key("top") { $0.price }.affected(by: "left", "right")
      key("depth") { $0.price }.affected(by: "next.depth")
    }
  }
}

private final class AliasCircle: KVObject {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: AliasCircle.self) { key in
      key("a") { _ in 1 }.affected(by: "bee")
      key("b") { _ in 1 }.alias("bee").affected(by: "a")
    }
  }
}

private final class AliasSelf: KVObject {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: AliasSelf.self) { key in
      key("a") { _ in 1 }.alias("ay").affected(by: "ay")
    }
  }

  @Test("TAB.6: an affecting path whose operator stands first, lacks its right path or does not exist is a fault")
  func operators() throws {
    final class Team: KVObject {
      @KVProperty var people: [KVRecord] = []
      var total: Int { 0 }
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Team.self) { key in
          key("people", \.people)
          key("first", { $0.total }).affected(by: "@sum.people.salary")
          key("second", { $0.total }).affected(by: "people.@sum")
          key("third", { $0.total }).affected(by: "people.@sums.salary")
          key("fourth", { $0.total }).affected(by: "people.@count", "people.@sum.salary", "people.@self")
        }
      }
    }
    let error = try #require(throws: KVError.self) { try Team().value(forKey: "total") }
    #expect(error.code == .invalidTable)
    for fault in [
      "\"first\" is affected by \"@sum.people.salary\", but begins with an operator: write the key of the",
      "\"second\" is affected by \"people.@sum\", but @sum needs a key path to its right",
      "\"third\" is affected by \"people.@sums.salary\", but there is no operator @sums. Did you mean \"@sum\"?",
    ] {
      #expect(error.message.contains(fault), "\(error.message)")
    }
    #expect(!error.message.contains("fourth"))
  }
}
