import KVBinding
import KVCore
import TestModels
import Testing

@Suite("COA.8: transactions put back what was written by key")
struct TransactionTests {
  private let item = ScopeItem()

  @Test("COA.8: a transaction that does not throw keeps everything, and returns what its body returns")
  func success() throws {
    let target = ScopeTarget()
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
    let result = try KVTransaction.run {
      try item.setValue("b", forKey: "name")
      try item.setValue("c", forKey: "name")
      #expect(target.lines.isEmpty && KVCoalescing.isCoalescing)
      return 5
    }
    #expect(result == 5 && item.name == "c")
    #expect(target.lines == ["name setting a → c"])
    #expect(!KVCoalescing.isCoalescing)
  }

  @Test("COA.8: several writes of one key are undone by one, to the value before the first")
  func severalWrites() throws {
    var lines: [String] = []
    let token = try item.observe("name") { lines.append(brief($0)) }
    undone {
      try item.setValue("b", forKey: "name")
      try KVTransaction.run {
        try item.setValue("c", forKey: "name")
        try item.setValue("d", forKey: "name")
      }
    }
    #expect(item.name == "a")
    #expect(lines == ["name setting a → b", "name setting b → c", "name setting c → d", "name setting d → a"])
    token.cancel()
  }

  @Test("COA.8: writes under a name and its alias are undone by one")
  func aliasedWrites() throws {
    var lines: [String] = []
    let token = try item.observe("name") { lines.append(brief($0)) }
    undone {
      try item.setValue("b", forKey: "title")
      try item.setValue("c", forKey: "name")
      try item.setValue("d", forKey: "title")
    }
    #expect(item.name == "a")
    #expect(lines == ["name setting a → b", "name setting b → c", "name setting c → d", "name setting d → a"])
    token.cancel()
  }

  @Test("COA.8: edits by functions under a name and its alias are undone by one")
  func aliasedEdits() throws {
    var kinds: [KVChange.Kind] = []
    let token = try item.observe("shelf") { kinds.append($0.kind) }
    undone {
      try item.mutableArray(forKey: "rack").append(1)
      try item.mutableArray(forKey: "shelf").append(2)
    }
    #expect(item.shelf.isEmpty && kinds == [.insertion, .insertion, .removal])
    token.cancel()
  }

  @Test("COA.8: keys, aliases, nil, and several keys at once")
  func keys() throws {
    item.note = "note"
    undone {
      try item.setValue("b", forKey: "name")
      try item.setValue("c", forKey: "title")
      try item.setValue(Double(7), forKey: "count")
      try item.setValue(nil, forKey: "note")
      try item.setValues(forKeys: ["name": "d", "count": 9])
    }
    #expect(item.name == "a" && item.count == 0 && item.note == "note")
  }

  @Test("COA.8: what is written typed, and through the Any of a dictionary")
  func typed() throws {
    undone {
      try item.setValue("b" as Any, forKeyPath: "name")
      try item.setValue(3, forKeyPath: "count")
      try item.setValue(ScopeItem.Size(width: 9, height: 9), forKey: "size")
    }
    #expect(item.name == "a" && item.count == 0 && item.size == ScopeItem.Size())
  }

  @Test("COA.8: paths through structs, objects and indexes")
  func paths() throws {
    let other = ScopeItem()
    item.other = other
    item.list = [1, 2, 3]
    undone {
      try item.setValue(5, forKeyPath: "size.width")
      try item.setValue(6, forKeyPath: "other.size.height")
      try item.setValue("x", forKeyPath: "other.name")
      try item.setValue(9, forKeyPath: "list[1]")
      try item.setValue(ScopeItem(), forKey: "other")
      try item.setValue("new", forKeyPath: "other.name")
    }
    #expect(item.size == ScopeItem.Size() && item.list == [1, 2, 3])
    #expect(item.other === other && other.name == "a" && other.size == ScopeItem.Size())
  }

  @Test("COA.8: records: set, added, removed, nested")
  func records() throws {
    let record: KVRecord = ["title": "So What", "artist": ["name": "Miles Davis"], "tags": ["jazz"]]
    let before = String(describing: record.dictionary.sorted { $0.key < $1.key })
    undone {
      try record.setValue("x", forKey: "title")
      try record.setValue("Bill", forKeyPath: "artist.name")
      record["year"] = 1959
      record.title = nil
      record["artist"] = ["name": "x"]
      try record.mutableArray(forKey: "tags").append("cool")
    }
    #expect(String(describing: record.dictionary.sorted { $0.key < $1.key }) == before)
  }

  @Test("COA.8: views of arrays and sets, with functions of their own and without", arguments: [false, true])
  func views(haveFunctions: Bool) throws {
    let (array, set) = haveFunctions ? ("shelf", "bag") : ("list", "members")
    try item.setValue([1, 2, 3], forKey: array)
    try item.setValue([1, 2, 3] as Set, forKey: set)
    undone {
      try item.mutableArray(forKey: array).insert(9, at: 1)
      try item.mutableArray(forKey: array).remove(at: 0)
      try item.mutableArray(forKey: array).replace(at: 0, with: 7)
      try item.mutableArray(forKey: array).removeAll()
      try item.mutableOrderedSet(forKey: array).append(4)
      try item.mutableSet(forKey: set).add(4)
      try item.mutableSet(forKey: set).remove(1)
      try item.mutableSet(forKey: set).set([8])
    }
    #expect(try item.value(forKey: array, as: [Int].self) == [1, 2, 3])
    #expect(try item.value(forKey: set, as: Set<Int>.self) == [1, 2, 3])
  }

  @Test("COA.8: a key of every element of a collection")
  func elements() throws {
    let shop = ScopeShop()
    shop.items[1].name = "b"
    undone { try shop.setValue("x", forKeyPath: "items.name") }
    #expect(shop.items.map(\.name) == ["a", "b"])
  }

  @Test("COA.8: wrappers that keep their value elsewhere, and keys that only a hook answers")
  func wrappers() throws {
    let shop = ScopeShop()
    undone {
      try shop.setValue(5, forKey: "box")
      try shop.setValue("x", forKey: "made up")
      try shop.setValue(nil, forKey: "stock")
    }
    #expect(shop.box == 1 && shop.extras["made up"] == "none" && shop.stock == 3)
  }

  @Test("COA.8: what a write that fails has already done to some elements is put back")
  func halfDone() throws {
    let shop = ScopeShop()
    #expect(throws: KVError.self) {
      try KVTransaction.run {
        try shop.setValue(2, forKey: "stock")
        try shop.setValue("no number", forKey: "stock")
      }
    }
    #expect(shop.stock == 3)
  }

  @Test("COA.8: what stays changed is delivered: a property set in Swift; what is restored is not")
  func keptChanges() throws {
    let target = ScopeTarget()
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count", "list"], options: .coalesced)
    var calls = 0
    let action = KVAction<ScopeTarget>("count") { _ in calls += 1 }
    try item.addTarget(target, action, forKeyPath: "count", options: .coalesced)
    undone {
      item.name = "b"
      try item.setValue(5, forKey: "count")
      try item.mutableArray(forKey: "list").append(1)
    }
    #expect(target.lines == ["name setting a → b"] && calls == 0)
    undone {
      item.count = 7
      try item.setValue("c", forKey: "name")
    }
    #expect(target.lines.dropFirst() == ["count setting 0 → 7"] && calls == 1)
  }

  @Test("COA.8: an outer scope delivers what stays of a failed transaction, merged with its own changes")
  func keptInOuter() throws {
    let target = ScopeTarget()
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name", "count"], options: .coalesced)
    try KVCoalescing.coalesce {
      try item.setValue("b", forKey: "name")
      undone {
        try item.setValue("c", forKey: "name")
        item.count = 1
      }
      undone {
        item.name = "d"
        try item.setValue(2, forKey: "count")
      }
    }
    #expect(target.lines == ["name setting a → d", "count setting 0 → 1"])
  }

  @Test("COA.8: what was set in Swift stays, even where it was set by key before")
  func swiftProperties() throws {
    undone {
      item.count = 5
      item.name = "b"
      try item.setValue("c", forKey: "name")
    }
    #expect(item.count == 5 && item.name == "b")
  }

  @Test("COA.8: objects that the transaction alone knew live until it ends, and not longer")
  func lifetimes() throws {
    weak var witness: ScopeItem?
    undone {
      let temporary = ScopeItem()
      witness = temporary
      try temporary.setValue("b", forKey: "name")
    }
    #expect(witness == nil)
  }
}

/// Holds values in the places where transactions look last.
final class ScopeShop: KVObject {
  var items = [ScopeItem(), ScopeItem()]
  @Boxed var box = 1
  var stock = 3
  var extras: [String: String] = [:]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ScopeShop.self) { key in
      key("items", \.items)
      key("stock", \.stock)
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? { extras[key] ?? "none" }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) { extras[key] = value as? String }

  override func setNilValue(forKey key: String) throws(KVError) { stock = 0 }
}
