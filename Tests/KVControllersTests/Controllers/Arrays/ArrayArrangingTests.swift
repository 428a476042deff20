import KVControllers
import KVTestSupport
import Testing

/// How array controllers arrange their content (CTR.17–19, 24).
@Suite struct ArrayArrangingTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 3)
  private let b = Tune("b", rank: 2)
  private let c = Tune("c", rank: 1)

  private var titles: String { list.arrangedObjects.map(\.title).joined() }

  @Test("CTR.17: the content that passes the filter, sorted; assigning rearranges immediately")
  func arranging() {
    list.content = [a, b, c]
    list.sortDescriptors = ["rank"]
    #expect(titles == "cba")
    list.filterPredicate = "rank > 1"
    #expect(titles == "ba")
    a.rank = 1
    #expect(titles == "ba")
    list.rearrangeObjects()
    #expect(titles == "b")
    list.sortDescriptors = []
    list.filterPredicate = nil
    #expect(titles == "abc")
  }

  @Test("CTR.17: a filter by a closure, and an order by a registered comparison, notify by index")
  func closures() throws {
    let name = "CTR.17 by length"
    let byLength = try KVComparison.register(name) { left, right in
      let (left, right) = ("\(left)".count, "\(right)".count)
      return left == right ? .same : left < right ? .less : .greater
    }
    defer { KVComparison.unregister(name) }
    list.content = [a, b, c]
    list.automaticallyRearrangesObjects = true
    list.filterPredicate = KVPredicate(reading: ["rank"]) { ($0 as? Tune)?.rank != 0 }
    list.sortDescriptors = [.ascending("title", byLength)]
    var records: [String] = []
    let token = try list.observe("arrangedObjects") { records.append("\($0.kind) \($0.indexes ?? [])") }
    a.title = "long"
    #expect(titles.hasSuffix("long"))
    a.rank = 0
    #expect(titles.count == 2 && records.last == "removal [2]" && records.count == 3)
    token.cancel()
  }

  @Test("CTR.18: automatic rearrangement moves, shows and hides single elements")
  func automatic() throws {
    list.content = [a, b, c]
    list.sortDescriptors = ["rank"]
    list.filterPredicate = "title != 'x'"
    list.automaticallyRearrangesObjects = true
    var records: [String] = []
    let token = try list.observe("arrangedObjects") { records.append("\($0.kind) \($0.indexes ?? [])") }
    c.rank = 9
    #expect(titles == "bac")
    #expect(records == ["removal [0]", "insertion [2]"])
    b.title = "x"
    #expect(titles == "ac")
    b.title = "b"
    #expect(titles == "bac")
    #expect(records.dropFirst(2) == ["removal [0]", "insertion [0]"])
    #expect(list.automaticRearrangementKeyPaths == ["rank", "title"])
    list.automaticallyRearrangesObjects = false
    b.rank = 100
    #expect(titles == "bac")
    list.automaticallyRearrangesObjects = true
    #expect(titles == "acb")
    token.cancel()
  }

  @Test("CTR.19: a new object is filtered; its index is sorted, that of the content, or the last one")
  func placing() throws {
    list.clearsFilterPredicateOnInsertion = false
    list.content = [a, b]
    list.filterPredicate = "rank < 9"
    try list.add(Tune("h", rank: 9))
    #expect(titles == "ab" && list.content.count == 3)
    list.sortDescriptors = ["rank"]
    try list.add(Tune("d", rank: 0))
    #expect(titles == "bad")
    list.rearrangeObjects()
    #expect(titles == "dba")
    list.automaticallyRearrangesObjects = true
    try list.add(Tune("e", rank: 1))
    #expect(titles == "deba")
  }

  @Test("CTR.24: a predicate that fails hides an element, a descriptor that fails sorts it last")
  func failing() throws {
    let rows = KVArrayController<[String: Any]>()
    rows.content = [["n": "x"], ["n": 2], ["n": 1]]
    rows.sortDescriptors = ["n"]
    #expect(rows.arrangementError?.code == .typeMismatch)
    #expect(rows.arrangedObjects.count == 3)
    rows.sortDescriptors = []
    #expect(rows.arrangementError == nil)
    list.content = [a, b]
    list.filterPredicate = "missing == 1"
    #expect(list.arrangedObjects.isEmpty)
    #expect(list.arrangementError?.code == .undefinedKey)
    list.filterPredicate = nil
    #expect(list.arrangementError == nil && titles == "ab")
  }

  @Test("CTR.24: the error says which element of which type, which key, and what was found")
  func error() throws {
    let rows = KVArrayController<[String: Any]>()
    rows.content = [["n": 1, "m": 1], ["n": "x", "m": 1]]
    rows.filterPredicate = "n > 0 AND m > 0"
    var error = try #require(rows.arrangementError)
    #expect(error.keyPath == "m, n" && error.rootType == "Dictionary<String, Any>")
    #expect(error.message.hasPrefix("element 1 (Dictionary<String, Any>): the String \"x\" and the Int 0 cannot"))
    #expect(error.message.hasSuffix("n > 0."))
    rows.filterPredicate = nil
    rows.sortDescriptors = ["n"]
    error = try #require(rows.arrangementError)
    #expect(error.keyPath == "n" && error.rootType == "Dictionary<String, Any>")
    #expect(error.message.contains("by \"n\": the ") && error.message.contains("String \"x\""))
    list.automaticallyRearrangesObjects = true
    list.filterPredicate = "missing == 1"
    try list.add(a)
    list.filterPredicate = "missing == 1"
    error = try #require(list.arrangementError)
    #expect(error.message.hasPrefix("element 0 (Tune): undefined key \"missing\" of Tune."))
    #expect(error.keyPath == "missing" && error.component == "missing" && error.rootType == "Tune")
  }

  @Test("CTR.24: a write by key throws, and changes nothing")
  func failingByKey() throws {
    list.content = [a, b]
    #expect(throws: KVError.self) { try list.setValue("missing == 1" as KVPredicate, forKey: "filterPredicate") }
    #expect(list.filterPredicate == nil && list.arrangementError == nil && titles == "ab")
    #expect(throws: KVError.self) { try list.setValue(["missing"] as [KVSortDescriptor], forKey: "sortDescriptors") }
    #expect(list.sortDescriptors.isEmpty && titles == "ab")
  }
}
