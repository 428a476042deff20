import KVCore
import Testing

/// A struct that copies what it refers to if it is shared, and counts that.
private struct Ledger: KeyValueCoding {
  final class Storage {
    var total = 0
  }

  private var storage = Storage()
  private(set) var copies = 0

  var total: Int {
    get { storage.total }
    set {
      if !isKnownUniquelyReferenced(&storage) {
        storage = Storage()
        copies += 1
      }
      storage.total = newValue
    }
  }

  static var keyTable: KVTable {
    KVTable(Ledger.self) { key in
      key("total", { $0.total }, set: { $0.total = $1 })
      key("copies", \.copies)
    }
  }
}

@Suite("Tables")
struct TableTests {
  @Test("TAB.1: a table declares key, getter, setter, aliases, flags, affecting paths, validator and notes")
  func everything() throws {
    let keys = Catalogued.keyTable.keys
    let price = try #require(keys.first { $0.name == "price" })
    #expect(price.valueType is Int.Type)
    #expect(price.aliases == ["cost", "amount"])
    #expect(price.isLenient && price.isValidated && price.notifiesManually && !price.isReadOnly && !price.isReflected)
    #expect(price.metadata["unit"] as? String == "€" && price.metadata["digits"] as? Int == 2)
    #expect(price.toMany == nil)
    let label = try #require(keys.first { $0.name == "label" })
    #expect(label.isReadOnly && label.affectingKeyPaths == ["price", "title"] && label.valueType is String.Type)
    #expect(keys.first { $0.name == "tags" }?.toMany == .ordered)
    #expect(keys.first { $0.name == "marks" }?.toMany == .unordered)
    #expect(keys.first { $0.name == "shelves" }?.toMany == nil)
  }

  @Test("TAB.1: aliases read, write and validate as the key does", arguments: ["price", "cost", "amount"])
  func aliases(name: String) throws {
    let item = Catalogued()
    try item.setValue(12, forKey: name)
    #expect(item.price == 12)
    #expect(try item.value(forKey: name) as? Int == 12)
    #expect(try [item].value(forKeyPath: "@sum.\(name)") as? Int == 12)
    guard case .replaced(let value) = try item.validate(-3, forKeyPath: name) else {
      Issue.record("not validated")
      return
    }
    #expect(value as? Int == 0)
  }

  @Test("TAB.1: a change by alias is reported as one of the key")
  func aliasNotifies() throws {
    let author = Author()
    let log = ChangeLog.attached(to: author, keys: "born", "birthYear")
    try author.setValue(3, forKey: "birthYear")
    #expect(log.takeAll() == ["will born", "did born"])
  }

  @Test("TAB.1: readOnly() refuses writes by key, whatever the property allows")
  func readOnly() throws {
    let author = Novelist()
    #expect(failure { () throws(KVError) in try author.setValue(1.0, forKey: "advance") }?.code == .notSettable)
    #expect(author.advance == 100)
    #expect(try author.value(forKey: "advance") as? Double == 100)
    author.advance = 5
    #expect(try author.value(forKey: "advance") as? Double == 5)
  }

  @Test("TAB.1: lenient() lets strings convert for that key only")
  func lenient() throws {
    let item = Catalogued()
    try item.setValue("12", forKey: "price")
    #expect(item.price == 12)
    #expect(failure { () throws(KVError) in try item.setValue("12", forKey: "strict") }?.code == .typeMismatch)
    #expect(failure { () throws(KVError) in try item.setValue("twelve", forKey: "price") }?.code == .typeMismatch)
    #expect(failure { () throws(KVError) in try item.setValue("1e30", forKey: "price") }?.code == .numberOutOfRange)
  }

  @Test("TAB.1: a key that notifies manually does not notify when it is set")
  func notifiesManually() throws {
    let item = Catalogued()
    let log = ChangeLog.attached(to: item, keys: "price", "strict")
    try item.setValue(1, forKey: "price")
    #expect(log.takeAll() == [])
    try item.setValue(1, forKey: "strict")
    #expect(log.takeAll() == ["will strict", "did strict"])
  }

  @Test("TAB.2: native key paths and closures serve alike")
  func spellings() throws {
    var book = Spelled()
    for key in ["path", "closures"] {
      try book.setValue(5, forKey: key)
      #expect(try book.value(forKey: key, as: Int.self) == 5)
    }
    #expect(try book.value(forKey: "closure") as? Int == 10)
    #expect(try book.value(forKey: "constant") as? Int == 1)
    #expect(failure { () throws(KVError) in try book.setValue(2, forKey: "constant") }?.code == .notSettable)
    #expect(failure { () throws(KVError) in try book.setValue(2, forKey: "closure") }?.code == .notSettable)
  }

  @Test("TAB.3: a subclass's table extends its superclass's, and a key that both have is replaced")
  func inheritance() throws {
    #expect(
      Novelist.keyTable.keys.map(\.name) == [
        "name", "town", "born", "agent", "titles", "books", "rivals", "initial", "genre", "badge", "advance",
      ])
    #expect(Novelist.keyTable.keys.first { $0.name == "initial" }?.affectingKeyPaths == [], "replaced as a whole")
    #expect(try Novelist().value(forKey: "birthYear") as? Int == 1_815, "inherited with its aliases")
    #expect(try Novelist().value(forKey: "initial") as? String == "N:A")
  }

  @Test("TAB.3: a class between that has no table of its own inherits one")
  func inheritanceWithoutTable() throws {
    let author = Ghostwriter()
    try author.setValue("x", forKey: "name")
    #expect(author.name == "x")
    #expect(try author.value(forKey: "client") as? String == "nobody", "by reflection")
  }

  @Test("TAB.4: setters of value types change the value in place")
  func valueTypes() throws {
    var town = Town()
    try town.setValue("Paris", forKey: "city")
    #expect(town.city == "Paris")
    let copy = town
    try town.setValue(75, forKeyPath: "zip")
    #expect(copy.zip == nil && town.zip == 75)
    var any: any KeyValueCoding = town
    try any.setValue("Lyon", forKey: "city")
    #expect(try any.value(forKey: "city") as? String == "Lyon" && town.city == "Paris")
  }

  @Test("TAB.4: a setter is passed the struct where it is, by key and by path: no copy shares what it refers to")
  func setterInPlace() throws {
    var ledger = Ledger()
    #expect(try ledger.value(forKeyPath: "total", as: Int.self) == 0)
    try ledger.setValue(1, forKey: "total")
    try ledger.setValue(2 as Any?, forKey: "total")
    try ledger.setValue(3, forKeyPath: "total")
    try KVC.setValue(4, forKeyPath: "total", in: &ledger)
    #expect(try ledger.value(forKey: "copies", as: Int.self) == 0)
    #expect(try ledger.value(forKeyPath: "total", as: Int.self) == 4)
    let copy = ledger
    try ledger.setValue(5, forKeyPath: "total")
    #expect(copy.total == 4 && ledger.total == 5 && ledger.copies == 1)
  }

  @Test("TAB.5: without a table a type is reflected; with one, unlisted stored properties stay readable")
  func unlisted() throws {
    let ghost = Partly()
    #expect(try ghost.value(forKey: "unlisted") as? Int == 2)
    #expect(failure { () throws(KVError) in try ghost.setValue(1, forKey: "unlisted") }?.code == .notSettable)
    #expect(try KVC.keys(of: ghost).map { "\($0.name) \($0.isReflected)" } == ["listed false", "unlisted true"])
  }

  @Test("TAB.8: all keys of a value: its table's, then those that only reflection finds")
  func keysOfValue() throws {
    let keys = try KVC.keys(of: Novelist())
    #expect(keys.prefix(11).map(\.name) == Novelist.keyTable.keys.map(\.name))
    #expect(keys.dropFirst(11).map(\.name) == [], "everything else is listed or lazy")
    #expect(
      try KVC.keys(of: Leaflet(title: "x", pages: 1)).map(\.description) == [
        "title: String (read-only; reflected)", "pages: Int (read-only; reflected)",
        "editor: Optional<Optional<String>> (read-only; reflected)",
      ])
    #expect(
      try KVC.keys(of: Author()).first { $0.name == "born" }?.description == "born: Int (also yearOfBirth, birthYear)")
    #expect(
      try KVC.keys(of: Author()).first { $0.name == "initial" }?.description
        == "initial: String (read-only; depends on name)")
  }

  @Test("TAB.8: keys of dictionaries, records, tuples, enums and nil")
  func keysOfOtherValues() throws {
    #expect(try KVC.keys(of: ["b": 1, "a": 2]).map(\.name) == ["a", "b"])
    #expect(try KVC.keys(of: ["b": 1]).allSatisfy { !$0.isReadOnly && $0.valueType is Int.Type })
    let record: KVRecord = ["z": 1, "y": "s"]
    #expect(try KVC.keys(of: record).map(\.name) == ["y", "z"])
    #expect(try KVC.keys(of: (a: 1, 2)).map(\.name) == ["a", "1"])
    #expect(try KVC.keys(of: Result<Int, KVError>.success(1)).map(\.name) == ["success"])
    #expect(try KVC.keys(of: Int?.none as Any).isEmpty)
    #expect(try KVC.keys(of: 5).isEmpty)
  }

  @Test("TAB.8: keys of values know their types and kinds without a table, too")
  func reflectedTypes() throws {
    let keys = try KVC.keys(of: Shelf())
    #expect(keys.first { $0.name == "books" }?.toMany == .ordered)
    #expect(keys.first { $0.name == "books" }?.valueType is [Leaflet].Type)
    #expect(keys.first { $0.name == "neighbour" }?.wrappedType is Shelf.Type)
  }

  @Test("TAB.8: the type of a reflected property is the declared one, whatever value it has")
  func declaredTypes() throws {
    struct Values {
      var any: Any = 1
      var anyOrNil: Any? = 1
      var number: Int? = 2
      var none: String?
      var list: [Int]? = [1]
    }
    func types(_ values: Values) throws -> [String] { try KVC.keys(of: values).map { "\($0.name): \($0.valueType)" } }
    let expected = [
      "any: Any", "anyOrNil: Optional<Any>", "number: Optional<Int>", "none: Optional<String>",
      "list: Optional<Array<Int>>",
    ]
    #if !canImport(Darwin)
      #expect(try types(Values()) == expected)
      #expect(try types(Values(any: "text", anyOrNil: nil, number: nil)) == expected)
    #endif
    #expect(try types(Values()).dropFirst() == expected.dropFirst())
    #expect(try KVC.keys(of: (a: Int?.some(1), 2)).map { "\($0.valueType)" } == ["Optional<Int>", "Int"])
  }
}

private final class Catalogued: KVObject {
  var title = "t"
  var price = 1
  var strict = 1
  var tags: [String] = []
  var marks: Set<Int> = []
  var shelves: [String: Int] = [:]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Catalogued.self) { key in
      key("title", \.title)
      key("price", \.price).alias("cost").alias("amount").lenient().notifiesManually()
        .validated { $0 < 0 ? .replaced(with: 0) : .valid }
        .metadata("unit", "€").metadata("digits", 2)
      key("strict", \.strict)
      key("label") { "\($0.title): \($0.price)" }.affected(by: "price").affected(by: "title")
      key("tags", \.tags)
      key("marks", \.marks)
      key("shelves", \.shelves)
    }
  }
}

private struct Spelled: KeyValueCoding {
  var path = 1
  var closures = 1
  let constant = 1

  static var keyTable: KVTable {
    KVTable(Spelled.self) { key in
      key("path", \.path)
      key("closures", { $0.closures }, set: { $0.closures = $1 })
      key("closure") { $0.path + $0.closures }
      key("constant", \.constant)
    }
  }
}

private final class Ghostwriter: Author { var client = "nobody" }

private final class Partly: KVObject {
  var listed = 1
  var unlisted = 2
  override class var keyTable: KVTable { super.keyTable.extended(for: Partly.self) { key in key("listed", \.listed) } }
}
