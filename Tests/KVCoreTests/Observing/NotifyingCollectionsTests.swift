import KVCore
import Testing

@Suite("TOM what the hook receives of collections")
struct NotifyingCollectionsTests {
  private let shelf = ShopShelf()

  @Test(
    "TOM.1: insertions, removals and replacements are reported once, by kind, with indexes, and not as settings too",
    arguments: ["plain", "single", "halfSingle", "bulk", "halfBulk", "watched"])
  func arrays(_ key: String) throws {
    let recorder = ShopRecorder.watch(shelf, key)
    let view = shelf.mutableArray(forKey: key)
    try view.append("x")
    #expect(recorder.take() == notifiedOnce("\(key) insertion at [3] - → [x]"))
    try view.insert(["p", "q"], at: [0, 2])
    #expect(recorder.take() == notifiedOnce("\(key) insertion at [0, 2] - → [p, q]"))
    try view.remove(at: [0, 5])
    #expect(recorder.take() == notifiedOnce("\(key) removal at [0, 5] [p, x] → -"))
    try view.replace(at: 1, with: "Q")
    #expect(recorder.take() == notifiedOnce("\(key) replacement at [1] [q] → [Q]"))
    view[0] = "A"
    #expect(recorder.take() == notifiedOnce("\(key) replacement at [0] [a] → [A]"))
    try view.removeAll()
    #expect(recorder.take() == notifiedOnce("\(key) removal at [0, 1, 2, 3] [A, Q, b, c] → -"))
    #expect(try view.elements().isEmpty)
    try shelf.setValue(["z"], forKey: key)
    #expect(recorder.take() == notifiedOnce("\(key) setting [] → [z]"))
  }

  @Test("TOM.1: the collection stands before at will, and after at did")
  func moments() throws {
    let recorder = ShopRecorder.watch(shelf, "single")
    var seen: [[String]] = []
    recorder.before = { [unowned shelf] _ in seen.append(shelf.single) }
    recorder.afterwards = { [unowned shelf] _ in seen.append(shelf.single) }
    try shelf.mutableArray(forKey: "single").remove(at: 1)
    #expect(seen == [["a", "b", "c"], ["a", "c"]])
  }

  @Test("TOM.2: an empty mutation notifies nobody", arguments: ["plain", "bulk", "watched"])
  func emptyMutations(_ key: String) throws {
    let recorder = ShopRecorder.watch(shelf, key, "labels", "tags")
    let view = shelf.mutableArray(forKey: key)
    try view.append(contentsOf: [])
    try view.remove(at: [])
    try view.replace(at: [], with: [])
    for set in ["labels", "tags"] {
      let view = shelf.mutableSet(forKey: set)
      try view.add("a")
      try view.remove("zz")
      try view.formUnion(["a", "b"])
      try view.formIntersection(["a", "b", "c"])
      try view.set(["b", "a"])
    }
    #expect(recorder.notifiedKeys == [])
  }

  @Test("TOM.2: sets report only what was really added or removed, without indexes", arguments: ["tags", "labels"])
  func sets(_ key: String) throws {
    let recorder = ShopRecorder.watch(shelf, key)
    let view = shelf.mutableSet(forKey: key)
    try view.formUnion(["b", "c"])
    #expect(recorder.take() == notifiedOnce("\(key) insertion - → [c]"))
    try view.subtract(["a", "zz"])
    #expect(recorder.take() == notifiedOnce("\(key) removal [a] → -"))
    try view.formIntersection(["b", "q"])
    #expect(recorder.take() == notifiedOnce("\(key) removal [c] → -"))
    try view.set(["n"])
    #expect(recorder.take() == notifiedOnce("\(key) replacement [b] → [n]"))
    try view.removeAll()
    #expect(recorder.take() == notifiedOnce("\(key) removal [n] → -"))
  }

  @Test("TOM.2: an observable set property notifies once, by kind")
  func observableSet() throws {
    let recorder = ShopRecorder.watch(shelf, "marks")
    try shelf.mutableSet(forKey: "marks").add(3)
    shelf.marks = [1]
    #expect(recorder.lines.filter { $0.hasPrefix("did") }.count == 2)
    #expect(recorder.lines.prefix(2) == ["will marks insertion - → [3]", "did marks insertion - → [3]"])
    #expect(recorder.didLines.last?.hasPrefix("did marks setting") == true)
  }

  @Test("TOM.1: an ordered set's view reports only what was really inserted")
  func orderedSets() throws {
    let recorder = ShopRecorder.watch(shelf, "watched")
    let view = shelf.mutableOrderedSet(forKey: "watched")
    try view.append("a")
    try view.append(contentsOf: ["b", "x", "x"])
    try view.remove("zz")
    try view.remove("a")
    #expect(
      recorder.lines == notifiedOnce("watched insertion at [3] - → [x]")
        + notifiedOnce("watched removal at [0] [a] → -"))
  }

  @Test("KVO.15: keys that notify manually report nothing of their views")
  func manual() throws {
    let recorder = ShopRecorder.watch(shelf, "manual", "silent")
    try shelf.mutableArray(forKey: "manual").append("x")
    try shelf.mutableSet(forKey: "silent").add("x")
    #expect(recorder.notifiedKeys == [])
    #expect(shelf.manual.count == 4)
  }

  @Test("KVC.14: an edit that is refused notifies nobody")
  func errors() throws {
    let recorder = ShopRecorder.watch(
      shelf, "plain", "single", "bulk", "labels", "tags", "sealed", "computed", "watched")
    for key in ["plain", "single", "bulk", "watched", "sealed", "computed"] {
      let view = shelf.mutableArray(forKey: key)
      #expect(throws: KVError.self) { try view.append(5) }
      #expect(throws: KVError.self) { try view.replace(at: 0, with: 5) }
      #expect(throws: KVError.self) { try view.remove(at: 9) }
      #expect(throws: KVError.self) { try view.insert("x", at: 9) }
    }
    #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "sealed").append("x") }
    #expect(throws: KVError.self) { try shelf.mutableArray(forKey: "computed").remove(at: 0) }
    for key in ["labels", "tags"] {
      #expect(throws: KVError.self) { try shelf.mutableSet(forKey: key).add(5) }
      #expect(throws: KVError.self) { try shelf.mutableSet(forKey: key).set([5]) }
    }
    #expect(recorder.notifiedKeys == [])
    try shelf.mutableArray(forKey: "plain").append("x")
    #expect(recorder.lines == notifiedOnce("plain insertion at [3] - → [x]"))
  }

  @Test("TOM.1: elements are reported as they were stored")
  func fittingElements() throws {
    let recorder = ShopRecorder.watch(shelf, "numbers", "bulkNumbers")
    try shelf.mutableArray(forKey: "numbers").append(3)
    try shelf.mutableArray(forKey: "bulkNumbers").replace(at: 0, with: true)
    #expect(
      recorder.lines == notifiedOnce("numbers insertion at [2] - → [3.0]")
        + notifiedOnce("bulkNumbers replacement at [0] [1.0] → [1.0]"))
  }

  @Test("KVC.9: an edit in a nested struct notifies of the object's key, as a setting")
  func nestedStructs() throws {
    let recorder = ShopRecorder.watch(shelf, "offer", "below")
    try shelf.mutableArray(forKeyPath: "offer.extras").append("box")
    #expect(recorder.lines.count == 2)
    #expect((recorder.lastOld as? ShopOffer)?.extras == ["bag"])
    #expect((recorder.lastNew as? ShopOffer)?.extras == ["bag", "box"])
    shelf.below = ShopShelf()
    _ = recorder.take()
    let inner = ShopRecorder.watch(try #require(shelf.below), "plain")
    try shelf.mutableArray(forKeyPath: "below.plain").remove(at: 0)
    #expect(inner.lines == notifiedOnce("plain removal at [0] [a] → -"))
    #expect(recorder.lines == [])
  }

  @Test("KVO.7: an edit inside a notification of the same collection is delivered inside it")
  func reentrant() throws {
    let recorder = ShopRecorder.watch(shelf, "plain")
    recorder.afterwards = { [unowned shelf] _ in
      if shelf.plain.count < 6 { try? shelf.mutableArray(forKey: "plain").append("\(shelf.plain.count)") }
    }
    try shelf.mutableArray(forKey: "plain").append("x")
    #expect(
      recorder.lines == notifiedOnce("plain insertion at [3] - → [x]") + notifiedOnce("plain insertion at [4] - → [4]")
        + notifiedOnce("plain insertion at [5] - → [5]"))
  }

  @Test("KVO.14: an alias's view notifies of the key")
  func aliases() throws {
    let recorder = ShopRecorder.watch(shelf, "plain", "rows")
    try shelf.mutableArray(forKey: "rows").append("x")
    #expect(recorder.lines == notifiedOnce("plain insertion at [3] - → [x]"))
  }

  // MARK: Records

  @Test("KVO.19: a record notifies per key, whichever way it is set")
  func records() throws {
    let record: KVRecord = ["title": "x", "artist": ["name": "Miles"], "tags": ["a"]]
    let recorder = ShopRecorder.watch(record, "title", "tags", "year")
    record["title"] = "y"
    record.title = "z"
    try record.setValue("q", forKey: "title")
    try record.setValue(nil, forKey: "title")
    record["year"] = 1959
    record["other"] = 1
    try record.setValues(forKeys: ["year": 1960, "other": 2])
    #expect(
      recorder.take() == notifiedOnce("title setting x → y") + notifiedOnce("title setting y → z")
        + notifiedOnce("title setting z → q") + notifiedOnce("title setting q → nil")
        + notifiedOnce("year setting nil → 1959")
        + notifiedOnce("year setting 1959 → 1960"))
    try record.mutableArray(forKey: "tags").append("b")
    #expect(recorder.take() == notifiedOnce("tags insertion at [1] - → [b]"))
    let artist = try #require(record["artist"] as? KVRecord)
    let inner = ShopRecorder.watch(artist, "name")
    try record.setValue("Bill", forKeyPath: "artist.name")
    #expect(inner.lines == notifiedOnce("name setting Miles → Bill"))
    #expect(recorder.lines == [])
  }
}
