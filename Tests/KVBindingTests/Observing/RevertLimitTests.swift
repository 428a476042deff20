import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.24: records whose way back is not the value alone")
struct RevertLimitTests {
  @Test("KVO.24: an insertion into a nil collection goes back to nil, also merged by a scope")
  func insertionIntoNil() throws {
    let person = Villager("Ada")
    for isMerged in [false, true] {
      var records: [KVChange] = []
      let token = try person.observe("pupils", options: [.old, .new, .coalesced]) { records.append($0) }
      let pupils = person.mutableArray(forKey: "pupils")
      if isMerged {
        try KVCoalescing.coalesce { () throws(KVError) in
          try pupils.append(Villager("B"))
          try pupils.append(Villager("C"))
        }
        #expect(records.count == 1)
      } else {
        try pupils.append(Villager("B"))
      }
      token.cancel()
      let record = try #require(records.first)
      #expect(record.kind == .insertion && record.old == nil)
      try record.revert()
      #expect(person.pupils == nil)
      try record.apply()
      #expect(person.pupils?.count == (isMerged ? 2 : 1))
      try record.revert()
    }
    person.pupils = []
    var records: [KVChange] = []
    let token = try person.observe("pupils") { records.append($0) }
    try person.mutableArray(forKey: "pupils").append(Villager("B"))
    token.cancel()
    try records[0].revert()
    #expect(person.pupils == [])
  }

  @Test("KVO.24: an insertion into a collection with elements goes back to a collection, also of a prior observer")
  func insertionIntoElements() throws {
    let person = Villager("Ada")
    person.pupils = [Villager("B")]
    var records: [KVChange] = []
    let token = try person.observe("pupils", options: [.old, .new, .prior]) { if !$0.isPrior { records.append($0) } }
    let pupils = person.mutableArray(forKey: "pupils")
    try pupils.insert(Villager("C"), at: 0)
    token.cancel()
    try pupils.remove(at: 1)
    try records[0].revert()
    #expect(person.pupils == [])
  }

  @Test("KVO.24: a record of a longer path is refused where another object has the last key than changed")
  func replacedMiddle() throws {
    let (ada, bob, eve) = (Villager("Ada"), Villager("Bob"), Villager("Eve"))
    ada.next = bob
    var records: [KVChange] = []
    let token = try ada.observe("next.name") { records.append($0) }
    bob.name = "Ben"
    ada.next = eve
    token.cancel()
    for record in records {
      #expect(throws: KVError.self) { try record.revert() }
      #expect(throws: KVError.self) { try record.apply() }
    }
    #expect(eve.name == "Eve" && bob.name == "Ben")
    ada.next = bob
    try records[0].revert()
    #expect(bob.name == "Bob")
  }

  @Test("KVO.24: a record with one index and another number of elements is refused and changes nothing")
  func otherCount() throws {
    let person = Villager("Ada")
    person.rows = ["a", "b"]
    for elements in [[], ["x", "y"]] {
      for kind in [KVChange.Kind.insertion, .replacement] {
        let record = KVChange(object: person, keyPath: "rows", kind: kind, old: ["a"], new: elements, indexes: [0])
        #expect(throws: KVError.self) { try record.apply() }
        #expect(person.rows == ["a", "b"])
      }
    }
  }

  @Test("KVO.24: a setting of a key with functions and no setter is reverted by the functions")
  func functionsWithoutSetter() throws {
    let shelf = FunctionShelf()
    try shelf.mutableArray(forKey: "books").append(contentsOf: ["a", "b"])
    var records: [KVChange] = []
    let token = try shelf.observe("books") { records.append($0) }
    try shelf.mutableArray(forKey: "books").set(["c"])
    token.cancel()
    #expect(records.map(\.kind) == [.setting] && shelf.stored == ["c"])
    try records[0].revert()
    #expect(shelf.stored == ["a", "b"])
    try records[0].apply()
    #expect(shelf.stored == ["c"])
  }
}

private final class FunctionShelf: KVObject {
  private(set) var stored: [String] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: FunctionShelf.self) { key in
      key("books") { $0.stored }
        .indexed(insert: { $0.stored.insert($1, at: $2) }, remove: { $0.stored.remove(at: $1) })
    }
  }
}
