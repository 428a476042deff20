import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct DictionaryControllerTests {
  private let request: KVRecord = ["headers": KVRecord()]
  private let list = KVDictionaryController<String>()

  private var lines: [String] { list.arrangedObjects.map { "\($0.key)=\($0.value ?? "nil")" } }

  @Test("TRC.7: entries are arranged by key, unless descriptors are set")
  func arranging() throws {
    list.contentDictionary = ["b": "1", "a": "3", "c": "2"]
    #expect(lines == ["a=3", "b=1", "c=2"])
    list.sortDescriptors = ["value"]
    #expect(lines == ["b=1", "c=2", "a=3"])
    list.filterPredicate = "key != 'c'"
    #expect(lines == ["b=1", "a=3"])
    #expect(list.contentDictionary == ["b": "1", "a": "3", "c": "2"])
  }

  @Test("TRC.7: an entry whose key stays is the same object, and the array notifies by index")
  func following() throws {
    list.contentDictionary = ["a": "1", "c": "3"]
    let first = list.arrangedObjects[0]
    list.selectionIndexes = [1]
    var records: [String] = []
    let token = try list.observe("arrangedObjects") { records.append("\($0.kind) \($0.indexes ?? [])") }
    let value = try first.observe("value") { records.append("value \($0.new ?? "nil")") }
    list.contentDictionary = ["a": "2", "b": "9", "c": "3"]
    #expect(lines == ["a=2", "b=9", "c=3"] && list.arrangedObjects[0] === first)
    #expect(records == ["value 2", "insertion [1]"] && list.selectionIndexes == [2])
    list.contentDictionary = ["c": "3"]
    #expect(records.last == "removal [0, 1]" && list.selectionIndexes == [0])
    token.cancel()
    value.cancel()
  }

  @Test("TRC.7: what is edited is written at once, and each edit notifies once")
  func editing() throws {
    list.contentDictionary = ["a": "1", "b": "2"]
    var changes: [String] = []
    let token = try list.observe("contentDictionary", options: [.old, .new]) { change in
      let texts = [change.old, change.new].map { dictionary in
        ((dictionary as? [String: String]) ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)\($0.value)" }.joined()
      }
      changes.append(texts.joined(separator: ">"))
    }
    list.arrangedObjects[0].value = "9"
    list.arrangedObjects[0].value = "9"
    try list.arrangedObjects[0].setValue("z", forKey: "key")
    try list.remove(at: [0])
    try list.add()
    #expect(changes == ["a1b2>a9b2", "a9b2>b2z9", "b2z9>z9", "z9>keyvaluez9"])
    list.update {
      list.arrangedObjects[0].value = "x"
      list.arrangedObjects[1].value = "y"
    }
    #expect(changes.count == 5 && changes[4] == "keyvaluez9>keyxzy")
    token.cancel()
  }

  @Test("TRC.7: a renamed entry moves, and stays selected; an existing key is refused")
  func renaming() throws {
    list.contentDictionary = ["a": "1", "b": "2"]
    let entry = list.arrangedObjects[0]
    list.selectionIndexes = [0]
    try list.setValue("c", forKeyPath: "selection.key")
    #expect(lines == ["b=2", "c=1"] && list.arrangedObjects[1] === entry && list.selectedObjects.first === entry)
    let error = #expect(throws: KVError.self) { try entry.setValue("b", forKey: "key") }
    #expect(error?.code == .invalidValue && entry.key == "c")
    let events = capturingEvents { entry.key = "b" }
    #expect(lines == ["b=2", "c=1"] && events.about(entry).count == 1)
  }

  @Test("TRC.7: a new key is the first free one, with the initial value")
  func adding() throws {
    for _ in 0..<3 { try list.add() }
    #expect(lines == ["key=value", "key1=value", "key2=value"])
    (list.initialKey, list.initialValue) = ("name", "x")
    try list.insert()
    #expect(list.contentDictionary["name"] == "x")
    let twin = try list.newObject()
    twin.key = "x"
    try list.add(twin)
    let again = #expect(throws: KVError.self) { try list.add(twin) }
    #expect(again?.code == .invalidValue && list.contentDictionary["x"] == "x" && list.content.count == 5)
    let numbers = KVDictionaryController<Int>()
    let error = #expect(throws: KVError.self) { try numbers.add() }
    #expect(error?.code == .unsupported && error?.message.contains("initialValue") == true)
    numbers.initialValue = 0
    try numbers.add()
    #expect(numbers.contentDictionary == ["key": 0])
  }

  @Test("TRC.7: included keys are shown without a value, excluded ones are not shown and stay in the dictionary")
  func included() throws {
    list.contentDictionary = ["a": "1", "secret": "s"]
    list.includedKeys = ["b"]
    list.excludedKeys = ["secret"]
    #expect(lines == ["a=1", "b=nil"] && list.arrangedObjects.map(\.isExplicitlyIncluded) == [false, true])
    #expect(list.contentDictionary == ["a": "1", "secret": "s"])
    list.arrangedObjects[1].value = "2"
    #expect(list.contentDictionary == ["a": "1", "b": "2", "secret": "s"])
    #expect(throws: KVError.self) { try list.arrangedObjects[0].setValue("secret", forKey: "key") }
    list.excludedKeys = []
    #expect(lines == ["a=1", "b=2", "secret=s"])
    var name: Any?
    let token = try list.arrangedObjects[0].observe("localizedKey") { name = $0.new }
    list.localizedKeys = ["a": "Alpha"]
    #expect(name as? String == "Alpha" && list.arrangedObjects[1].localizedKey == "b")
    token.cancel()
  }

  @Test("TRC.7: no two entries have one key, and none an excluded one")
  func oneEntryForAKey() throws {
    list.excludedKeys = ["x", "key"]
    let (a, b) = (try list.newObject(), try list.newObject())
    #expect(a.key == "key1" && b.key == "key1")
    #expect(throws: KVError.self) { try list.add(contentsOf: [a, b]) }
    #expect(list.content.isEmpty)
    try list.add(a)
    let error = #expect(throws: KVError.self) { try a.setValue("x", forKey: "key") }
    #expect(error?.message.contains("excludedKeys") == true && lines == ["key1=value"])
    try list.remove(a)
    try list.add()
    a.key = "key1"
    #expect(a.key == "key1" && lines == ["key1=value"])
    let other = KVDictionaryController<String>()
    let moved = try other.newObject()
    moved.key = "a"
    try list.add(moved)
    moved.key = "z"
    #expect(lines == ["key1=value", "z=value"])
  }

  @Test("TRC.7: an entry without a value is shown if its key is included only")
  func withoutValue() throws {
    list.contentDictionary = ["a": "1", "b": "2"]
    list.arrangedObjects[0].value = nil
    #expect(lines == ["b=2"] && list.contentDictionary == ["b": "2"])
    var flags: [Bool?] = []
    let token = try list.arrangedObjects[0].observe("isExplicitlyIncluded") { flags.append($0.new as? Bool) }
    list.includedKeys = ["b"]
    list.arrangedObjects[0].value = nil
    #expect(lines == ["b=nil"] && flags == [true])
    list.arrangedObjects[0].key = "c"
    #expect(lines == ["b=nil"])
    token.cancel()
  }

  @Test("TRC.7, CTR.6: a handler finds the whole dictionary, and what it edits stays")
  func handlers() throws {
    list.contentDictionary = ["a": "1", "b": "2"]
    let second = list.arrangedObjects[1]
    var seen = ""
    let token = try list.arrangedObjects[0].observe("value") { [list] _ in
      seen = list.contentDictionary.map { "\($0.key)\($0.value)" }.sorted().joined()
      second.value = "99"
    }
    list.contentDictionary = ["a": "10", "b": "20"]
    #expect(seen == "a10b20" && lines == ["a=10", "b=99"] && list.contentDictionary["b"] == "99")
    token.cancel()
  }

  @Test("EDT.4: an edit that cannot be committed prevents an assignment of the dictionary")
  func commits() throws {
    list.contentDictionary = ["a": "1", "b": "2"]
    list.selectionIndexes = [0]
    let field: KVRecord = ["text": ""]
    let options = KVBindingOptions(.twoWay, noSelection: "", trigger: .onCommit)
    let binding = try field.bind("text", to: "selection.key", of: list, options: options)
    field.text = "b"
    let events = capturingEvents { list.contentDictionary = ["q": "1"] }
    #expect(lines == ["a=1", "b=2"] && events.contains { $0.message.contains("cannot be committed") })
    #expect(throws: KVError.self) { try list.setValue(["q": "1"], forKey: "contentDictionary") }
    binding.cancel()
  }

  @Test("TRC.7, BND.1: a model's dictionary is bound, edited, and followed")
  func binding() throws {
    final class Request: KVObject {
      @KVProperty var headers: [String: String] = ["Accept": "*/*"]
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Request.self) { key in key("headers", \.headers) }
      }
    }
    let request = Request()
    let binding = try list.bind("contentDictionary", to: "headers", of: request, options: .twoWay)
    #expect(lines == ["Accept=*/*"])
    list.arrangedObjects[0].value = "text/html"
    #expect(request.headers == ["Accept": "text/html"])
    let entry = list.arrangedObjects[0]
    request.headers["Host"] = "example.org"
    #expect(lines == ["Accept=text/html", "Host=example.org"] && list.arrangedObjects[0] === entry)
    try list.remove(at: [0])
    #expect(request.headers == ["Host": "example.org"])
    try list.add()
    try list.setValue("Name", forKeyPath: "selection.key")
    #expect(request.headers == ["Host": "example.org", "Name": "value"])
    let undo = KVUndoManager()
    try undo.record(request)
    try list.setValue("me", forKeyPath: "selection.value")
    try undo.undo()
    #expect(request.headers["Name"] == "value" && lines.last == "Name=value")
    #expect(binding.lastError == nil)
  }

  @Test("TRC.7: random edits of entries and of the dictionary agree with a dictionary", arguments: 1...3)
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var expected: [String: String] = [:]
    var rows: [KVDictionaryEntry<String>] = list.arrangedObjects
    let token = try list.observe("arrangedObjects") { change in
      let new = change.new as? [KVDictionaryEntry<String>] ?? []
      switch change.kind {
      case .setting: rows = new
      case .insertion: for (index, entry) in zip(change.indexes ?? [], new) { rows.insert(entry, at: index) }
      case .removal: for index in (change.indexes ?? []).reversed() { rows.remove(at: index) }
      case .replacement: for (index, entry) in zip(change.indexes ?? [], new) { rows[index] = entry }
      }
    }
    for step in 0..<400 {
      let entry = list.arrangedObjects.randomElement(using: &random)
      switch random.below(6) {
      case 0:
        expected["k\(random.below(20))"] = "v\(step)"
        list.contentDictionary = expected
      case 1:
        if let key = expected.keys.sorted().randomElement(using: &random) { expected[key] = nil }
        list.contentDictionary = expected
      case 2:
        guard let entry else { continue }
        entry.value = "v\(step)"
        expected[entry.key] = "v\(step)"
      case 3:
        let key = "k\(random.below(20))"
        guard let entry, expected[key] == nil else { continue }
        expected[key] = expected.removeValue(forKey: entry.key)
        try entry.setValue(key, forKey: "key")
      case 4:
        guard let entry else { continue }
        expected[entry.key] = nil
        try list.remove(entry)
      default:
        try list.add()
        guard let added = list.selectedObjects.first else { continue }
        expected[added.key] = "value"
      }
      let sorted = expected.sorted { $0.key < $1.key }
      #expect(list.contentDictionary == expected && lines == sorted.map { "\($0.key)=\($0.value)" })
      try #require(rows.elementsEqual(list.arrangedObjects, by: ===), "step \(step)")
    }
    token.cancel()
  }
}
