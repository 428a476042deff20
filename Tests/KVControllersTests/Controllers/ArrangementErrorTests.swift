import KVControllers
import KVTestSupport
import Testing

/// The key `arrangementError` of array controllers (CTR.1, CTR.9, CTR.24).
@Suite struct ArrangementErrorTests {
  private let list = KVArrayController { KVRecord() }
  private let (a, b, c): (KVRecord, KVRecord, KVRecord)

  init() throws {
    (a, b, c) = (try KVRecord(["n": 1]), try KVRecord(["n": 2]), try KVRecord(["n": 3]))
    list.content = [a, b, c]
  }

  /// Describes an error by the index of its element.
  private static func label(_ error: Any?) -> String {
    (error as? KVError).map { String($0.message.prefix { $0 != "(" }.dropLast()) } ?? "-"
  }

  /// Calls a function, and returns the records of `arrangementError`, each with the numbers that are shown then.
  private func records(_ body: () throws -> Void) rethrows -> [String] {
    var records: [String] = []
    let token = try? list.observe("arrangementError", options: [.old, .new]) { [list] change in
      let shown = list.arrangedObjects.map { "\($0["n"] ?? "-")" }.joined()
      records.append("\(Self.label(change.old)) > \(Self.label(change.new)): \(shown)")
    }
    try body()
    token?.cancel()
    return records
  }

  @Test("CTR.1, CTR.24: the error is a key, which notifies when it appears and when it is corrected")
  func assigning() throws {
    b["n"] = "x"
    #expect(records { list.filterPredicate = "n > 1" } == ["- > element 1: 3"])
    #expect(Self.label(try list.value(forKey: "arrangementError")) == "element 1")
    #expect(records { list.rearrangeObjects() } == [])
    b["n"] = 2
    #expect(records { list.rearrangeObjects() } == ["element 1 > -: 23"])
    #expect(try list.value(forKey: "arrangementError") == nil)
    c["n"] = "x"
    #expect(records { list.sortDescriptors = [.descending("n")] } == ["- > element 2: 2"])
    #expect(records { list.filterPredicate = nil }.count == 1, "the descriptor fails now, and not the filter")
    #expect(records { list.sortDescriptors = [] } == ["element 2 > -: 12x"])
    let error = #expect(throws: KVError.self) { try list.setValue(1, forKey: "arrangementError") }
    #expect(error?.code == .notSettable)
  }

  @Test("CTR.24: a change inside an element corrects the error, also if the element does not move")
  func changing() {
    list.automaticallyRearrangesObjects = true
    list.filterPredicate = "n > 1"
    #expect(records { a["n"] = "x" } == ["- > element 0: 23"])
    #expect(records { a["n"] = 0 } == ["element 0 > -: 23"], "it is hidden, with and without an error")
    #expect(records { c["n"] = "x" } == ["- > element 2: 2"])
    #expect(records { c["n"] = 9 } == ["element 2 > -: 29"])
    list.filterPredicate = nil
    list.sortDescriptors = ["n"]
    #expect(records { c["n"] = "x" } == ["- > element 2: 02x"])
    #expect(records { c["n"] = "y" }.count == 1, "the message names what was found")
    #expect(records { c["n"] = 1 } == ["element 2 > -: 012"])
  }

  @Test("CTR.9: edits by index notify with the errors of what comes and goes; the old one is that before the update")
  func editing() throws {
    list.filterPredicate = "n > 0"
    list.clearsFilterPredicateOnInsertion = false
    let failing = try KVRecord(["n": "x"])
    #expect(try records { try list.add(failing) } == ["- > element 3: 123"])
    #expect(try records { try list.add(KVRecord(["n": "y"])) } == [], "the first one is shown")
    let others = try records { try list.remove(failing) }
    #expect(others.count == 1 && list.arrangementError?.message.contains("\"y\"") == true)
    let content = list.mutableArray(forKey: "content")
    let replaced = try records { try content.replace(at: 3, with: KVRecord(["n": 4])) }
    #expect(replaced.map { $0.suffix(10) } == [" > -: 1234"])
    var seen: [String] = []
    let token = try list.observe("arrangedObjects", options: [.prior]) { [list] change in
      seen.append("\(change.isPrior): \(Self.label(list.arrangementError))")
    }
    try list.update {
      list.filterPredicate = "n > 1"
      try content.insert(failing, at: 0)
    }
    #expect(seen == ["true: -", "false: element 0"], "all keys change together (CTR.6)")
    token.cancel()
  }

  @Test("CTR.6: what an update undoes again does not notify")
  func cancelling() {
    let failing = records {
      list.update {
        list.filterPredicate = "n > 'x'"
        #expect(Self.label(list.arrangementError) == "element 0")
        list.filterPredicate = nil
      }
    }
    #expect(failing == [] && list.arrangementError == nil)
  }
}
