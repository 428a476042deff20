import KVCore
import Testing

@Suite("KVRecord: a model without a schema")
struct RecordTests {
  private let record: KVRecord = [
    "title": "So What", "year": 1959, "artist": ["name": "Miles Davis", "born": ["town": "Alton"]],
    "tracks": [["name": "one"], ["name": "two"]], "tags": ["jazz", "modal"], "nothing": nil,
  ]

  @Test("KVO.19: a literal makes records of the dictionaries in it, arrays included")
  func literal() throws {
    #expect(record["title"] as? String == "So What")
    #expect(record["artist"] is KVRecord)
    #expect((record["artist"] as? KVRecord)?["born"] is KVRecord)
    #expect((record["tracks"] as? [Any])?.allSatisfy { $0 is KVRecord } == true)
    #expect(record["tags"] as? [String] == ["jazz", "modal"])
    #expect(record["nothing"] == nil)
    #expect(record.keys.count == 5)
    let twice = KVRecord(dictionaryLiteral: ("a", 1), ("a", 2), ("b", 1), ("b", nil))
    #expect(twice.dictionary as? [String: Int] == ["a": 2])
  }

  @Test("KVO.19: keys are sorted, and count")
  func keys() throws {
    #expect(record.keys == ["artist", "tags", "title", "tracks", "year"])
    #expect(try KVC.keys(of: record).map(\.name) == record.keys)
    #expect("\(record)" == "KVRecord(artist, tags, title, tracks, year)")
    #expect(KVRecord().keys == [])
    #expect("\(KVRecord())" == "KVRecord()")
  }

  @Test("KVC.6: a missing key reads as nil, by every method")
  func missing() throws {
    #expect(record["nope"] == nil)
    #expect(record.nope == nil)
    #expect(try record.value(forKey: "nope") == nil)
    #expect(try record.value(forKeyPath: "nope.deeper") == nil)
    #expect(try record.value(forKeyPath: "artist.nope") == nil)
    #expect(try record.value(forKey: "nope", as: Int?.self) == nil)
  }

  @Test("KVC.6: the dot reaches the keys that are no members of the class, the subscript and the methods all keys")
  func members() throws {
    let parts: KVRecord = ["count": 3, "value": 4, "keys": 5, "dictionary": 6, "description": 7, "self": 8]
    #expect(parts.count as? Int == 3)
    parts.count = 4
    #expect(try parts.value(forKey: "count", as: Int.self) == 4)
    #expect(parts.value as? Int == 4)
    parts.value = 5
    #expect(try parts.value(forKey: "value", as: Int.self) == 5)
    parts.value = 4
    #expect(parts.keys == ["count", "description", "dictionary", "keys", "self", "value"])
    for (key, number) in [("value", 4), ("keys", 5), ("dictionary", 6), ("description", 7), ("self", 8)] {
      #expect(parts[key] as? Int == number)
      #expect(try parts.value(forKeyPath: key, as: Int.self) == number)
      try parts.setValue(number + 1, forKeyPath: key)
      #expect(parts[key] as? Int == number + 1)
    }
  }

  @Test("KVC.17: reading a missing key as a type names it, and the nearest key")
  func missingAsType() throws {
    let error = failure { () throws(KVError) in try record.value(forKey: "titel", as: String.self) }
    #expect(error?.code == .nilValue)
    #expect(
      error?.message
        == """
        there is no "titel" in the KVRecord. Did you mean "title"? Known keys: artist, tags, title, tracks, year. If it \
        may be missing, ask for an optional type.
        """)
    #expect(error?.suggestion == "title")
    let nested = failure { () throws(KVError) in try record.value(forKeyPath: "artist.nmae", as: String.self) }
    #expect(nested?.suggestion == "name")
    #expect(nested?.keyPath == "artist.nmae")
    let entry = failure { () throws(KVError) in try ["name": "x"].value(forKey: "nmae", as: String.self) }
    #expect(entry?.message.hasPrefix("there is no \"nmae\" in the Dictionary<String, String>. Did you mean") == true)
    // What is there, or is no entry, fails as before.
    let wrong = failure { () throws(KVError) in try record.value(forKey: "year", as: [String].self) }
    #expect(wrong?.code == .typeMismatch)
    let present = failure { () throws(KVError) in
      try KVC.value(of: ["a": Int?.none], forKeyPath: "a", as: Int.self)
    }
    #expect(present?.message.hasPrefix("cannot read \"a\" as the type asked for: nil is not an Int.") == true)
    #expect(try record.value(forKey: "titel", as: String?.self) == nil)
  }

  @Test("KVC.11: setting nil removes, by every method")
  func removing() throws {
    record["title"] = nil
    #expect(record.keys == ["artist", "tags", "tracks", "year"])
    record["year"] = Int?.none as Any
    #expect(!record.keys.contains("year"))
    try record.setValue(nil, forKey: "tags")
    try record.setValue(Int?.none, forKey: "tracks")
    #expect(record.keys == ["artist"])
    record.artist = nil
    #expect(record.keys.isEmpty)
    record["x"] = Int??.some(.none) as Any
    record.y = Int?.none
    try record.setValues(forKeys: ["z": nil])
    #expect(record.keys.isEmpty)
    #expect(record.dictionary.isEmpty)
  }

  @Test("KVC.4: no value is an optional: reading yields what is inside")
  func optionals() throws {
    record["maybe"] = Int??.some(.some(5)) as Any
    #expect(record["maybe"].map { type(of: $0) == Int.self } == true)
    #expect(try record.value(forKey: "maybe") as? Int == 5)
  }

  @Test("KVC.3: dynamic members read what is stored; a typed read by key coerces")
  func dynamicMembers() throws {
    let title = record.title as? String
    #expect(title == "So What")
    let year = try record.value(forKey: "year", as: Double.self)
    #expect(year == 1959)
    #expect(throws: KVError.self) { try record.value(forKey: "title", as: Int.self) }
    let untyped: Any? = record.year
    #expect(untyped as? Int == 1959)
    let artist = record.artist as? KVRecord
    #expect(artist?.name as? String == "Miles Davis")
    record.year = 1960
    record.title = "Blue in Green" as Any?
    #expect(record["year"] as? Int == 1960)
    #expect(record["title"] as? String == "Blue in Green")
  }

  @Test("KVC.9: paths lead through records and arrays, and change them in place")
  func paths() throws {
    let artist = record["artist"] as? KVRecord
    #expect(try record.value(forKeyPath: "artist.born.town") as? String == "Alton")
    try record.setValue("Bill", forKeyPath: "artist.name")
    try record.setValue("NYC", forKeyPath: "artist.born.town")
    #expect(record["artist"] as? KVRecord === artist)
    #expect(artist?["name"] as? String == "Bill")
    #expect(try record.value(forKeyPath: "tracks[1].name") as? String == "two")
    #expect(try record.value(forKeyPath: "tracks.name") as? [String] == ["one", "two"])
    try record.setValue("zwei", forKeyPath: "tracks[1].name")
    #expect(try record.value(forKeyPath: "tracks.name") as? [String] == ["one", "zwei"])
    try record.setValue("x", forKeyPath: "tracks.name")
    #expect(try record.value(forKeyPath: "tracks.@distinctUnionOfObjects.name") as? [String] == ["x"])
    try record.setValue("modal!", forKeyPath: "tags[1]")
    #expect(record["tags"] as? [String] == ["jazz", "modal!"])
    #expect(try record.value(forKeyPath: "tracks.@count") as? Int == 2)
    let error = #expect(throws: KVError.self) { try record.setValue(1, forKeyPath: "nope.deeper") }
    #expect(error?.code == .unresolvedPath)
  }

  @Test("KVO.19: a dictionary that is set becomes a record")
  func adopting() throws {
    record["label"] = ["name": "Columbia"]
    #expect(record["label"] is KVRecord)
    try record.setValue([["n": 1]], forKey: "list")
    #expect((record["list"] as? [Any])?.first is KVRecord)
    try record.setValue(2, forKeyPath: "list[0].n")
    #expect(try record.value(forKeyPath: "list[0].n") as? Int == 2)
  }

  @Test("KVO.19: keys may be any text: dots, brackets, nothing at all")
  func oddKeys() throws {
    record["a.b"] = 1
    record[""] = 2
    record["[0]"] = 3
    #expect(try record.value(forKey: "a.b") as? Int == 1)
    #expect(try record.value(forKeyPath: "[\"a.b\"]") as? Int == 1)
    try record.setValue(5, forKeyPath: "[\"a.b\"]")
    try record.setValue(6, forKey: "[0]")
    #expect(record["a.b"] as? Int == 5)
    #expect(record["[0]"] as? Int == 6)
    #expect(record.keys.first == "")
  }

  @Test("KVO.19: a dictionary goes in and comes out again", arguments: [0, 1, 2, 3])
  func roundTrip(_ index: Int) throws {
    let dictionaries: [[String: Any]] = [
      [:],
      ["a": 1, "b": "x", "c": true],
      ["a": ["b": ["c": [1, 2, 3]]], "list": [["x": 1], ["y": ["z": 2]]], "empty": [String: Any]()],
      ["mixed": [1, "a", ["k": "v"], [["deep": 1]]] as [Any], "gaps": [1, nil, ["k": 1]] as [Any?]],
    ]
    let dictionary = dictionaries[index]
    let copy = try KVRecord(dictionary).dictionary
    #expect(KVC.areEqual(copy, dictionary), "\(copy)")
  }

  @Test("KVO.19: nil in an array stays, at its index")
  func nilInArrays() throws {
    let record = try KVRecord(["gaps": [["k": 1], nil, 3] as [Any?]])
    let gaps = try #require(try record.value(forKey: "gaps") as? [Any?])
    #expect(gaps.count == 3)
    #expect(gaps[0] is KVRecord)
    #expect(gaps[1] == nil)
    #expect(try record.value(forKeyPath: "gaps[1]") == nil)
    #expect(try record.value(forKeyPath: "gaps[2]") as? Int == 3)
    #expect(try KVRecord(["a": nil, "b": 1]).keys == ["a", "b"])
    #expect(try KVRecord(["a": Int?.none as Any?]).keys == ["a"])
  }

  @Test("KVO.19: a record that holds itself is listed and turned into a dictionary without end")
  func cycles() throws {
    record["self"] = record
    record["list"] = [record]
    let artist = try #require(record["artist"] as? KVRecord)
    artist["album"] = record
    let dictionary = record.dictionary
    #expect(dictionary["self"] as? KVRecord === record)
    #expect((dictionary["list"] as? [Any])?.first as? KVRecord === record)
    #expect((dictionary["artist"] as? [String: Any])?["album"] as? KVRecord === record)
    #expect(dictionary["title"] as? String == "So What")
    #expect(try record.value(forKeyPath: "self.self.artist.album.title") as? String == "So What")
    #expect("\(record)".contains("artist"))
    record["self"] = nil
    record["list"] = nil
    artist["album"] = nil
  }

  @Test("KVO.19: a record that stands twice, but not in itself, is a dictionary twice")
  func sharing() throws {
    let shared: KVRecord = ["n": 1]
    let record: KVRecord = ["a": shared, "b": shared]
    #expect(record.dictionary["a"] as? [String: Int] == ["n": 1])
    #expect(record.dictionary["b"] as? [String: Int] == ["n": 1])
    try record.setValue(2, forKeyPath: "a.n")
    #expect(try record.value(forKeyPath: "b.n") as? Int == 2)
  }

  @Test("KVO.19: dictionaries and arrays nested too deeply are refused")
  func depth() throws {
    func nested(_ depth: Int) -> [String: Any] {
      (0..<depth).reduce(into: ["end": 1]) { inner, _ in inner = ["inner": inner] }
    }
    #expect(try KVRecord(nested(150)).keys.count == 1)
    let error = #expect(throws: KVError.self) { try KVRecord(nested(250)) }
    #expect(error?.code == .limitExceeded)
    var arrays: [Any] = []
    for _ in 0..<250 { arrays = [arrays] }
    let other = #expect(throws: KVError.self) { try KVRecord(["a": arrays]) }
    #expect(other?.code == .limitExceeded)
  }

  @Test("KVC.18: what is nested too deeply in records stays in them")
  func depthOfDictionary() throws {
    var record: KVRecord = ["n": 1]
    for _ in 0..<150 { record = try KVRecord(["rows": [record, nil] as [Any?]]) }
    var value: Any = record.dictionary
    var depth = 0
    while let rows = (value as? [String: Any])?["rows"] as? [Any?], let row = rows[0] {
      (value, depth) = (row, depth + 1)
    }
    #expect(value is KVRecord && depth == 100)
  }

  @Test("CO.7: records are objects: equal to themselves alone")
  func equality() {
    let other: KVRecord = ["n": 1]
    #expect(KVC.areEqual(other, other))
    #expect(!KVC.areEqual(other, ["n": 1] as KVRecord))
    #expect(KVC.areEqual(other.dictionary, (["n": 1] as KVRecord).dictionary))
  }

  @Test("KVC.3: dictionaries whose keys have no names are kept as they are")
  func unnamedKeys() throws {
    let record = try KVRecord(["points": [ShopPoint(x: 1): "a"]])
    #expect(record["points"] as? [ShopPoint: String] == [ShopPoint(x: 1): "a"])
    let numbered = try KVRecord(["byNumber": [1: "a"]])
    #expect(try numbered.value(forKeyPath: "byNumber.1") as? String == "a")
  }
}
