import KVCore
import Testing

@Suite("COL live views of unordered to-many keys")
struct MutableSetTests {
  private let shelf = ShopShelf()

  private func tags(_ key: String) throws -> Set<String> { try shelf.value(forKey: key, as: Set<String>.self) }

  @Test("COL.1: a view is live, and its edits change the set (P12, P14)", arguments: ["tags", "labels", "silent"])
  func edits(_ key: String) throws {
    let view = shelf.mutableSet(forKey: key)
    #expect(try view.elements() == ["a", "b"])
    #expect(try view.contains("a"))
    #expect(try !view.contains("z"))
    try view.add("c")
    try view.add("a")
    #expect(try tags(key) == ["a", "b", "c"])
    try view.remove("b")
    try view.remove("zz")
    #expect(try tags(key) == ["a", "c"])
    try view.formUnion(["c", "d"])
    #expect(try tags(key) == ["a", "c", "d"])
    try view.subtract(["c", "q"])
    #expect(try tags(key) == ["a", "d"])
    try view.formIntersection(["a", "q"])
    #expect(try tags(key) == ["a"])
    try view.set(["n", "a"])
    #expect(try tags(key) == ["a", "n"])
    try view.removeAll()
    #expect(try tags(key) == [])
    try shelf.setValue(["x"] as Set, forKey: key)
    #expect(try view.elements() == ["x"])
  }

  @Test("COL.2, TOM.2: an edit by an equal member keeps the one that is there, and its removal reports that one")
  func equalMembers() throws {
    let owner = LooseOwner()
    let view = owner.mutableSet(forKey: "members")
    try view.add(LooseMember(name: "A"))
    try view.add(LooseMember(name: "a"))
    #expect(owner.members.map(\.name) == ["A"])
    #expect(try view.contains(LooseMember(name: "a")))
    try view.add(LooseMember(name: "b") as LooseMember? as Any)
    #expect(Set(owner.members.map(\.name)) == ["A", "b"])
    let recorder = ShopRecorder.watch(owner, "members")
    try view.remove(LooseMember(name: "a"))
    #expect((recorder.lastOld as? [Any])?.first as? LooseMember == LooseMember(name: "a"))
    #expect(recorder.lines.last?.contains("LooseMember(name: \"A\")") == true)
    #expect(owner.members.map(\.name) == ["b"])
  }

  @Test("COL.2: set accessors get only what is really added or removed, in one call an operation")
  func accessors() throws {
    let view = shelf.mutableSet(forKey: "labels")
    try view.formUnion(["b", "c", "d"])
    try view.subtract(["a", "zz"])
    try view.formIntersection(["b", "c"])
    try view.set(["c", "n", "m"])
    try view.removeAll()
    #expect(
      shelf.calls == [
        "add [\"c\", \"d\"]", "remove [\"a\"]", "remove [\"d\"]", "remove [\"b\"]", "add [\"m\", \"n\"]",
        "remove [\"c\", \"m\", \"n\"]",
      ])
  }

  @Test("COL.2: an edit that changes nothing calls nothing")
  func nothing() throws {
    let view = shelf.mutableSet(forKey: "labels")
    try view.add("a")
    try view.remove("zz")
    try view.formUnion([])
    try view.formUnion(["a", "b"])
    try view.subtract([])
    try view.formIntersection(["a", "b", "c"])
    try view.set(["b", "a"])
    #expect(shelf.calls == [])
    #expect(shelf.labels == ["a", "b"])
  }

  @Test("COL.2: elements that do not fit are refused, and nothing has changed", arguments: ["tags", "labels"])
  func wrongElements(_ key: String) throws {
    let view = shelf.mutableSet(forKey: key)
    #expect(failureCode { () throws(KVError) in try view.add(5) } == .typeMismatch)
    #expect(failureCode { () throws(KVError) in try view.set(["n", 5]) } == .typeMismatch)
    #expect(failureCode { () throws(KVError) in try view.formUnion([ShopLine(count: 1, price: 1)]) } == .typeMismatch)
    #expect(try tags(key) == ["a", "b"])
    #expect(shelf.calls == [])
  }

  @Test("COL.2: elements are made to fit first: one that is there already in another form is not added")
  func coercion() throws {
    let recorder = ShopRecorder.watch(shelf, "marks")
    let view = shelf.mutableSet(forKey: "marks")
    try view.formUnion([1.0, 3.0])
    #expect(shelf.marks == [1, 2, 3])
    #expect(recorder.take() == notifiedOnce("marks insertion - → [3]"))
    try view.add(2.9)
    #expect(shelf.marks == [1, 2, 3])
    #expect(recorder.take() == [])
  }

  @Test("COL.1: views of key paths, of arrays, and through nil")
  func keyPaths() throws {
    shelf.below = ShopShelf()
    try shelf.mutableSet(forKeyPath: "below.tags").add("c")
    #expect(shelf.below?.tags == ["a", "b", "c"])
    let error = #expect(throws: KVError.self) { try shelf.mutableSet(forKeyPath: "below.below.tags").add("c") }
    #expect(error?.code == .unresolvedPath)
    #expect(failureCode { () throws(KVError) in try shelf.mutableSet(forKey: "nope").add("c") } == .undefinedKey)
    #expect(failureCode { () throws(KVError) in _ = try shelf.mutableSet(forKey: "offer").elements() } == .unsupported)
    #expect(throws: KVError.self) { try shelf.mutableSet(forKeyPath: "a..b") }
  }
}

private struct LooseMember: Hashable {
  let name: String

  static func == (left: LooseMember, right: LooseMember) -> Bool { left.name.lowercased() == right.name.lowercased() }

  func hash(into hasher: inout Hasher) { hasher.combine(name.lowercased()) }
}

private final class LooseOwner: KVObject {
  @KVProperty var members: Set<LooseMember> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LooseOwner.self) { key in key("members", \.members) }
  }
}
