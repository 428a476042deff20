import Foundation
import KVBinding
import KVControllers
import KVDocuments
import Testing

@Suite("Records are read from JSON and written to it")
struct RecordJSONTests {
  private let album = """
    {"title": "Kind of Blue", "year": 1959, "note": null, "rating": 4.9, "inPrint": true,
     "artist": {"name": "Miles Davis"}, "tracks": [{"title": "So What", "seconds": 562}, null, {"seconds": 586}]}
    """

  @Test("KVC.6: a document becomes records, at every level")
  func reading() throws {
    let record = try KVRecord(json: Data(album.utf8))
    #expect(record.keys == ["artist", "inPrint", "note", "rating", "title", "tracks", "year"])
    #expect(record.note == nil)
    #expect(record.year as Any? as? Int == 1959)
    #expect(try record.value(forKeyPath: "tracks.@sum.seconds") as? Int == 1148)
    #expect(try record.value(forKeyPath: "tracks.title") as? [String?] == ["So What", nil, nil])
    try record.setValue("Bill Evans", forKeyPath: "artist.name")
    #expect(try record.value(forKeyPath: "artist.name", as: String.self) == "Bill Evans")
    #expect(record.artist as Any? is KVRecord)
  }

  @Test("DOC.1: a record that was read is written as it was, but for its order")
  func roundTrip() throws {
    let record = try KVRecord(json: Data(album.utf8))
    let text = String(decoding: try record.json(), as: UTF8.self)
    #expect(
      text == """
        {"artist":{"name":"Miles Davis"},"inPrint":true,"note":null,"rating":4.9,"title":"Kind of Blue",\
        "tracks":[{"seconds":562,"title":"So What"},null,{"seconds":586}],"year":1959}
        """)
    #expect(try KVRecord(json: try record.json(isPretty: true)).json() == record.json())
  }

  @Test("DOC.1: a record keeps nulls at every depth, and tells nil and absent apart")
  func nulls() throws {
    let text = #"{"a":null,"b":1,"c":[null,{"d":null}],"e":{"f":null,"self":null}}"#
    let record = try KVRecord(json: Data(text.utf8))
    #expect(String(decoding: try record.json(), as: UTF8.self) == text)
    #expect(try KVC.keys(of: record).map(\.name) == ["a", "b", "c", "e"])
    #expect(record["a"] == nil)
    #expect(try record.value(forKeyPath: "e.self") == nil)
    #expect(KVC.areEqual(record.dictionary, try KVDocument(data: Data(text.utf8)).root))
    #expect(try KVRecord(record.dictionary).json() == record.json())
    // Setting nil removes the key, or makes what was null again.
    record["a"] = 5
    #expect(record.keys == ["a", "b", "c", "e"])
    record["a"] = nil
    try record.setValue(6, forKeyPath: "e.f")
    try record.setValue(nil, forKeyPath: "e.f")
    record["b"] = nil
    try record.setValue(KVDocument.Null(), forKey: "g")
    record["h"] = ["i": KVDocument.Null(), "j": [KVDocument.Null()]] as [String: Any]
    #expect(
      String(decoding: try record.json(), as: UTF8.self)
        == #"{"a":null,"c":[null,{"d":null}],"e":{"f":null,"self":null},"g":null,"h":{"i":null,"j":[null]}}"#)
    #expect(record["g"] == nil)
    #expect(KVC.areEqual(record.dictionary, try KVDocument(data: try record.json()).root))
    #expect(try record.value(forKeyPath: "h.i", as: Int?.self) == nil)
    let list = KVDocument(record, format: .xml)
    #expect(throws: KVError.self) { try list.data() }
  }

  @Test("DOC.1, UND.5: undo makes a null again, and restores keys that begin with @")
  func undo() throws {
    let text = #"{"@id":"x","a":null,"b":{"@type":1,"c":null}}"#
    let record = try KVRecord(json: Data(text.utf8))
    let inner = try #require(record["b"] as? KVRecord)
    let undo = KVUndoManager()
    try undo.record(record)
    try undo.record(inner)
    record["a"] = 1
    inner["c"] = 2
    try record.setValue("y", forKeyPath: #"["@id"]"#)
    inner["@type"] = nil
    let changed = try record.json()
    while try undo.undo() {}
    #expect(String(decoding: try record.json(), as: UTF8.self) == text && undo.redoCount == 4)
    while try undo.redo() {}
    #expect(try record.json() == changed)
    #expect(try KVC.canConvert(7, forKeyPath: #"["@id"]"#, of: record))
  }

  @Test("DOC.1, KVO.1: an observer and a binding of a key are given nil for a null that is set")
  func settingNull() throws {
    let record: KVRecord = ["a": 5]
    let label: KVRecord = ["text": 0]
    var lines: [String] = []
    let token = try record.observe("a") { lines.append("\($0.old ?? "nil") → \($0.new ?? "nil")") }
    let binding = try label.bind("text", to: "a", of: record, options: .init(nullPlaceholder: 9))
    record["a"] = KVDocument.Null()
    #expect(lines == ["5 → nil"] && label["text"] as? Int == 9 && record.keys == ["a"])
    withExtendedLifetime((token, binding)) {}
  }

  @Test("DOC.1: a transaction that fails leaves a null as it was")
  func rollback() throws {
    let record = try KVRecord(json: Data(#"{"a":null,"b":1}"#.utf8))
    #expect(throws: KVError.self) {
      try record.setValues(forKeys: ["a": 1, "@b": 2])
    }
    #expect(record.keys == ["a", "b"])
    #expect(throws: KVError.self) {
      try KVTransaction.run {
        try record.setValue(KVDocument.Null(), forKey: "c")
        throw KVError(.custom, "no")
      }
    }
    #expect(record.keys == ["a", "b"])
  }

  @Test("KVC.18: a document without an object at its top is no record")
  func noObject() {
    for (text, found) in [
      ("[1]", "an array"), ("\"a\"", "a string"), ("1", "a number"), ("true", "a boolean"), ("null", "null"),
    ] {
      let error = #expect(throws: KVError.self) { try KVRecord(json: Data(text.utf8)) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("has \(found) at its top") == true)
    }
    #expect(throws: KVError.self) { try KVRecord(json: Data("{".utf8)) }
  }

  @Test("KVC.18: a record that contains itself is refused with its path; one that occurs twice is not")
  func cycles() throws {
    let record: KVRecord = ["name": "a", "inner": ["list": [1]]]
    record["again"] = record["inner"]
    #expect(throws: Never.self) { try record.json() }
    try record.setValue([1, record] as [Any], forKeyPath: "inner.list")
    let error = #expect(throws: KVError.self) { try record.json() }
    #expect(error?.code == .unsupported)
    #expect(error?.keyPath == "again.list[1]")
    #expect(error?.message.contains("contains itself") == true)
    #expect(throws: KVError.self) { try KVDocument(record, format: .xml).data() }
    try record.setValue([] as [Any], forKeyPath: "inner.list")
  }

  @Test("KVC.18: an object that is no record is refused with its path")
  func foreignObjects() {
    let record: KVRecord = ["a": ["b": KVObject()]]
    let error = #expect(throws: KVError.self) { try record.json() }
    #expect(error?.keyPath == "a.b")
    #expect(error?.message.contains("KVObject") == true)
  }
}
