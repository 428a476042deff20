import KVCore
import Testing

@Suite("KVC: reading")
struct ReadingTests {
  @Test("KVC.1: the table of the most derived class is searched first, then those of its superclasses")
  func tablesFirst() throws {
    let author = Novelist()
    #expect(try author.value(forKey: "initial") as? String == "N:A", "the derived class's line")
    #expect(try author.value(forKey: "name") as? String == "Ada", "the superclass's line")
    #expect(try Author().value(forKey: "initial") as? String == "A")
  }

  @Test("KVC.1: the table is searched before stored properties")
  func tableBeforeReflection() throws {
    #expect(try Relabelled().value(forKey: "stored") as? String == "by the table")
  }

  @Test("KVC.1: then stored properties by reflection, those of superclasses included")
  func thenReflection() throws {
    #expect(try KVC.value(of: OakShelf(label: "B"), forKeyPath: "label") as? String == "B")
    #expect(try KVC.value(of: OakShelf(), forKeyPath: "wood") as? String == "oak")
    #expect(try Relabelled().value(forKey: "plain") as? Int == 3)
  }

  @Test("KVC.1: then the undefined-key hook, whose default throws undefined key")
  func thenTheHook() throws {
    #expect(try Hooked().value(forKey: "zork") as? String == "undefined:zork")
    #expect(try Hooked().value(forKey: "count") as? Int == 5, "not asked for keys that exist")
    #expect(failure { () throws(KVError) in try Author().value(forKey: "zork") }?.code == .undefinedKey)
  }

  @Test("KVC.1: the key self is the receiver")
  func selfKey() throws {
    let author = Author()
    #expect(try author.value(forKey: "self") as? Author === author)
    #expect(try author.value(forKeyPath: "self.self.name") as? String == "Ada")
    #expect(try KVC.value(of: Shelf(), forKeyPath: "self.label") as? String == "A")
  }

  @Test("KVC.1: a key is not taken apart at dots; a path is")
  func keysAndPaths() throws {
    let dictionary: [String: Any] = ["a.b": 1, "a": ["b": 2]]
    #expect(try dictionary.value(forKey: "a.b") as? Int == 1)
    #expect(try dictionary.value(forKeyPath: "a.b") as? Int == 2)
    #expect(try dictionary.value(forKeyPath: #"["a.b"]"#) as? Int == 1)
    #expect(failure { () throws(KVError) in try Author().value(forKey: "town.city") }?.code == .undefinedKey)
  }

  @Test("KVC.4: a nil optional at any depth reads as nil")
  func nilIsNil() throws {
    for key in ["one", "two", "three", "any"] {
      let value = try KVC.value(of: Optionals(), forKeyPath: key)
      #expect(value == nil, "\(key)")
      if let value { Issue.record("\(key) reads as .some(\(value))") }
    }
    #expect(try KVC.value(of: Optionals(), forKeyPath: "full") as? Int == 7)
    let full = try #require(try KVC.value(of: Optionals(), forKeyPath: "full"))
    #expect(type(of: full) is Int.Type)
  }

  @Test("KVC.4: the same holds for keys of a table, for entries, elements, hooks and roots")
  func nilIsNilElsewhere() throws {
    let some: Int?? = .some(nil)
    #expect(try Town().value(forKey: "zip") == nil)
    #expect(try Author().value(forKey: "agent") == nil)
    #expect(try ["a": some].value(forKey: "a") == nil)
    #expect(try ["a": some as Any].value(forKey: "a") == nil)
    #expect(try [some].value(forKeyPath: "[0]") == nil)
    #expect(try Hooked().value(forKey: "nothing") == nil)
    #expect(try KVC.value(of: some as Any, forKeyPath: "a") == nil)
    #expect(try KVC.value(of: Author?(Author()) as Any, forKeyPath: "name") as? String == "Ada")
  }

  @Test("KVC.4: a record has no .some(nil) either; setting one removes the key")
  func nilInRecords() throws {
    let record: KVRecord = ["title": "x"]
    let nothing: String? = nil
    try record.setValue(nothing, forKey: "title")
    #expect(record.keys.isEmpty)
    #expect(try record.value(forKey: "title") == nil)
  }

  @Test("KVC.5: a key of an array is read on its elements; nil results stay as nil entries")
  func arraysMap() throws {
    let author = Author()
    author.books = [Book(title: "a", note: "n"), Book(title: "b")]
    #expect(try author.value(forKeyPath: "books.title") as? [String] == ["a", "b"])
    let notes = try #require(try author.value(forKeyPath: "books.note") as? [Any?])
    #expect(notes.count == 2 && notes[0] as? String == "n" && notes[1] == nil)
    let sparse: [Book?] = [nil, Book(title: "c")]
    let titles = try #require(try sparse.value(forKey: "title") as? [Any?])
    #expect(titles.count == 2 && titles[0] == nil && titles[1] as? String == "c")
    #expect(try [Book]().value(forKey: "title") as? [String] == [])
    #expect(try author.value(forKeyPath: "books.title", as: [String].self) == ["a", "b"])
  }

  @Test("KVC.5: arrays in arrays map at every level")
  func nestedArraysMap() throws {
    let nested = [[Book(title: "a")], [Book(title: "b"), Book(title: "c")]]
    #expect(try nested.value(forKey: "title") as? [[String]] == [["a"], ["b", "c"]])
  }

  @Test("KVC.5: a key of a set yields a set where the values are hashable, with one entry for nil")
  func setsMap() throws {
    let books: Set = [Book(title: "a", note: "n"), Book(title: "a", price: 2), Book(title: "b", note: "n")]
    #expect(try books.value(forKey: "title") as? Set<AnyHashable> == ["a", "b"])
    #expect(try books.value(forKeyPath: "title", as: Set<String>.self) == ["a", "b"])
    let notes = try books.value(forKeyPath: "note", as: Set<String?>.self)
    #expect(notes == ["n", nil])
  }

  @Test("KVC.5: a set whose values are not hashable yields an array")
  func setsOfUnhashables() throws {
    struct Holder: Hashable {
      let id = 1
      var shelf: Leaflet { Leaflet(title: "x", pages: 1) }
      static func == (left: Self, right: Self) -> Bool { true }
      func hash(into hasher: inout Hasher) {}
      let leaflet = Leaflet(title: "x", pages: 1)
    }
    #expect(try Set([Holder()]).value(forKey: "leaflet") as? [Leaflet] == [Leaflet(title: "x", pages: 1)])
  }

  @Test("KVC.6: a key of a dictionary is its entry; a missing one is nil")
  func dictionaries() throws {
    #expect(try ["a": 1].value(forKey: "a") as? Int == 1)
    #expect(try ["a": 1].value(forKey: "b") == nil)
    #expect(try ["a": 1].value(forKeyPath: "b.c.d") == nil)
    #expect(try ["count": 9].value(forKey: "count") as? Int == 9, "entries come before anything else")
  }

  @Test("KVC.7: a nil in the middle ends the read with nil")
  func nilInTheMiddle() throws {
    #expect(try Author().value(forKeyPath: "agent.name") == nil)
    #expect(try Author().value(forKeyPath: "agent.nope.at.all[3].@sum.x") == nil)
    let author = Author()
    author.agent = Author()
    #expect(try author.value(forKeyPath: "agent.name") as? String == "Ada")
  }

  @Test("KVC.7: an undefined key in the middle is an error that names that component")
  func undefinedInTheMiddle() throws {
    let error = try #require(failure { () throws(KVError) in try Author().value(forKeyPath: "town.citty.x") })
    #expect(error.code == .undefinedKey)
    #expect(error.component == "citty")
    #expect(error.keyPath == "town.citty.x")
    #expect(error.rootType == "Author")
    #expect(error.suggestion == "city")
  }

  @Test("KVC.16: the hooks are called in the middle of a path, too")
  func hookInTheMiddle() throws {
    #expect(try ["h": Hooked()].value(forKeyPath: "h.zork") as? String == "undefined:zork")
    #expect(try [HookedValue()].value(forKey: "zork") as? [String] == ["undefined:zork"])
  }

  @Test("KVC.17: a typed read converts")
  func typedReads() throws {
    let author = Author()
    #expect(try author.value(forKey: "born", as: Double.self) == 1_815)
    #expect(try author.value(forKeyPath: "town.district.inhabitants", as: Int16.self) == 3_000)
    #expect(try author.value(forKeyPath: "agent.name", as: String?.self) == nil)
    #expect(try KVC.value(of: Leaflet(title: "x", pages: 3), forKeyPath: "pages", as: Double.self) == 3)
    #expect(try Town().value(forKey: "city", as: String.self) == "London")
  }

  @Test("KVC.17: a typed read that does not convert throws type mismatch, naming both types")
  func typedReadMismatch() throws {
    let error = try #require(
      failure { () throws(KVError) in try Author().value(forKeyPath: "town.city", as: Int.self) })
    #expect(error.code == .typeMismatch)
    #expect(error.message.contains("String") && error.message.contains("Int"))
    #expect(error.keyPath == "town.city" && error.rootType == "Author")
    #expect(failure { () throws(KVError) in try Author().value(forKey: "agent", as: Author.self) }?.code == .nilValue)
    #expect(
      failure { () throws(KVError) in try Author().value(forKey: "born", as: UInt8.self) }?.code == .numberOutOfRange)
  }
}

private struct Optionals {
  var one: Int? = nil
  var two: Int?? = .some(nil)
  var three: Int??? = .some(.some(nil))
  var any: Any = Int?.none as Any
  var full: Int??? = 7
}

private struct Relabelled: KeyValueCoding {
  var stored = "by reflection"
  var plain = 3

  static var keyTable: KVTable { KVTable(Relabelled.self) { key in key("stored") { _ in "by the table" } } }
}
