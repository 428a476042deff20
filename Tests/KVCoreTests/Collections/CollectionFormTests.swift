import KVCore
import Testing

/// Keys of every form, some of them empty or nil.
private final class Forms: KVObject {
  var array = ["c", "a", "b"]
  var noArray: [String]?
  var emptyArray: [String] = []
  var set: Set<String> = ["a"]
  var noSet: Set<String>?
  var dictionary = ["a": 1]
  var noNumber: Int?
  var anything: Any? = [1, 2]
  var nothing: Any?
  var twice: [String]?? = .some(nil)

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Forms.self) { key in
      key("array", \.array)
      key("noArray", \.noArray)
      key("emptyArray", \.emptyArray)
      key("set", \.set)
      key("noSet", \.noSet)
      key("dictionary", \.dictionary)
      key("noNumber", \.noNumber)
      key("anything", \.anything)
      key("nothing", \.nothing)
      key("twice", \.twice)
    }
  }
}

@Suite("COL.1: a view wants a property of its form")
struct CollectionFormTests {
  private let forms = Forms()

  @Test(
    "COL.1: a set's view refuses what is no set, and its order stays",
    arguments: ["array", "noArray", "emptyArray", "dictionary", "noNumber", "anything", "twice"])
  func sets(_ key: String) throws {
    let log = ChangeLog.attached(to: forms, keys: key)
    let view = forms.mutableSet(forKey: key)
    let edits: [() throws -> Void] = [
      { try view.add("z") }, { try view.remove("a") }, { try view.set([]) }, { try view.removeAll() },
      { _ = try view.elements() }, { _ = try view.contains("a") },
    ]
    for edit in edits {
      let error = #expect(throws: KVError.self) { try edit() }
      #expect(error?.code == .unsupported)
      #expect(error?.message.hasPrefix("\"\(key)\" is not a set: it") == true)
    }
    #expect(log.entries == [])
    #expect(forms.array == ["c", "a", "b"])
  }

  @Test(
    "COL.1: an array's view and an ordered set's refuse what has no order",
    arguments: ["set", "noSet", "dictionary", "noNumber"])
  func arrays(_ key: String) throws {
    let log = ChangeLog.attached(to: forms, keys: key)
    let view = forms.mutableArray(forKey: key)
    let ordered = forms.mutableOrderedSet(forKey: key)
    let edits: [() throws -> Void] = [
      { try view.append("z") }, { try view.append(contentsOf: []) }, { try view.removeAll() },
      { _ = try view.elements() }, { try ordered.append("z") }, { try ordered.append(contentsOf: []) },
      { try ordered.remove("a") },
    ]
    for edit in edits {
      let error = #expect(throws: KVError.self) { try edit() }
      #expect(error?.code == .unsupported)
      #expect(error?.message.hasPrefix("\"\(key)\" is not an array: it") == true)
    }
    #expect(log.entries == [])
    #expect(forms.set == ["a"])
  }

  @Test("COL.1: of a property that is nil the declared type decides the form")
  func nilProperties() throws {
    #expect(
      failure { () throws(KVError) in try forms.mutableSet(forKey: "noArray").add("x") }?.message
        == "\"noArray\" is not a set: its type is Optional<Array<String>>.")
    try forms.mutableSet(forKey: "noSet").add("x")
    #expect(forms.noSet == ["x"])
    try forms.mutableArray(forKey: "twice").append("x")
    #expect(forms.twice == ["x"])
  }

  @Test("COL.1: a property of any type takes the form of the view that is used first, and keeps it")
  func anything() throws {
    try forms.mutableSet(forKey: "nothing").add("x")
    try forms.mutableSet(forKey: "nothing").add("x")
    #expect(forms.nothing as? Set<String> == ["x"])
    #expect(failure { () throws(KVError) in try forms.mutableArray(forKey: "nothing").append("y") } != nil)
    let record = KVRecord()
    try record.mutableSet(forKey: "tags").formUnion(["x", 1])
    try record.mutableSet(forKey: "tags").remove("x")
    #expect(record["tags"] as? Set<Int> == [1])
  }

  @Test("COL.1: an array in a property of any type takes elements of any type")
  func mixedElements() throws {
    let view = forms.mutableArray(forKey: "anything")
    try view.append(3)
    #expect(forms.anything is [Int])
    try view.append("x")
    try view.replace(at: 0, with: "y")
    try view.remove(at: 1)
    let elements = try view.elements()
    #expect(elements.count == 3)
    #expect(elements[0] as? String == "y")
    #expect(elements[1] as? Int == 3)
    #expect(elements[2] as? String == "x")
  }
}
