import KVCore
import KVQuery
import TestModels
import Testing

@Suite struct SortingTests {
  private let songs = [
    Song("Blue", 1971, rating: 5), Song("alpha", 1990), Song("Zoo", 1971, rating: .nan), Song("beta", 2001, rating: 3),
  ]

  private func titles(_ descriptors: [KVSortDescriptor]) throws -> [String] {
    try songs.sorted(by: descriptors).map(\.title)
  }

  @Test("SRT.1: a descriptor is a value that is hashed and encoded")
  func values() throws {
    let descriptor = KVSortDescriptor("artist.name", ascending: false, comparison: .natural, nils: .last)
    #expect(Set([descriptor, descriptor]).count == 1)
    let text = try Plain.encode(descriptor)
    #expect(text == ["keyPath": "artist.name", "ascending": "false", "comparison": "natural", "nils": "last"])
    #expect(try Plain.decode(KVSortDescriptor.self, text) == descriptor)
    #expect(try Plain.decode(KVSortDescriptor.self, ["keyPath": "year"]) == "year")
    #expect(throws: DecodingError.self) { try Plain.decode(KVSortDescriptor.self, ["keyPath": "a..b"]) }
    #expect("\(descriptor)" == "artist.name descending natural, nil last")
  }

  @Test("SRT.2: literals, several descriptors, the other direction, and none")
  func descriptors() throws {
    #expect(try titles(["year", "title"]) == ["Blue", "Zoo", "alpha", "beta"])
    #expect(try titles([.descending("year"), .descending("title")]) == ["beta", "alpha", "Zoo", "Blue"])
    #expect(KVSortDescriptor("year").reversed == .descending("year"))
    #expect(KVSortDescriptor("year", nils: .last).reversed.nils == .last)
    #expect(try titles([]) == ["Blue", "alpha", "Zoo", "beta"])
  }

  @Test("SRT.3: numbers across types, texts by <, false before true, enums by raw value")
  func standard() throws {
    let mixed: [Any] = [2.5, 1, Int8(2), true, UInt64(3)]
    #expect(try mixed.sorted(by: ["self"]).map { "\($0)" } == ["1", "true", "2", "2.5", "3"])
    #expect(try ["b", "B", "a"].sorted(by: ["self"]) == ["B", "a", "b"])
    #expect(try [true, false].sorted(by: ["self"]) == [false, true])
    #expect(try [Song.Rank.high, .low].sorted(by: ["self"]) == [.low, .high])
    #expect(try [Song.Mood.wild, .calm].sorted(by: ["self"]) == [.calm, .wild])
    let halves = [ClosedFloat(0.5), ClosedFloat(0.25)]
    #expect(try halves.sorted(by: ["self"]) == [ClosedFloat(0.25), ClosedFloat(0.5)])
    #expect(try (0..<9).map { Int16($0) }.sorted(by: [.descending("self")]) == (0..<9).reversed().map { Int16($0) })
  }

  private enum Left: String { case a }
  private enum Right: String { case b }

  @Test("SRT.3: values of two enums throw in any order, and the error names the two that cannot be compared")
  func twoEnums() throws {
    let values: [Any] = ["a", Left.a, Right.b]
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
      for ascending in [true, false] {
        let descriptor = KVSortDescriptor("self", ascending: ascending)
        let error = #expect(throws: KVError.self) { try order.map { values[$0] }.sorted(by: [descriptor]) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message.contains("Left") == true && error?.message.contains("Right") == true)
      }
    }
  }

  @Test("SRT.3: values that cannot be compared throw before an element moves")
  func incomparable() throws {
    var mixed: [Any] = [3, 1, "two"]
    let error = #expect(throws: KVError.self) { try mixed.sort(by: ["self"]) }
    #expect(error?.code == .typeMismatch && error?.keyPath == "self")
    #expect(error?.message.contains("the Int 3 of element 0 and the String \"two\" of element 2") == true)
    #expect(mixed.map { "\($0)" } == ["3", "1", "two"])
    struct Opaque { let id = 1 }
    let opaque = #expect(throws: KVError.self) { try [Opaque(), Opaque()].sorted(by: ["self"]) }
    #expect(opaque?.code == .typeMismatch)
    let text = #expect(throws: KVError.self) { try [1, 2].sorted(by: [.natural("self")]) }
    #expect(text?.code == .typeMismatch && text?.message.contains("element 0") == true)
  }

  @Test("SRT.4: nil is first and NaN last, unless the descriptor descends or says where nil is; sorting is stable")
  func nils() throws {
    #expect(try titles(["rating"]) == ["alpha", "beta", "Blue", "Zoo"])
    #expect(try titles([.descending("rating")]) == ["Zoo", "Blue", "beta", "alpha"])
    #expect(try titles([.ascending("rating", nils: .last)]) == ["beta", "Blue", "Zoo", "alpha"])
    #expect(try titles([.descending("rating", nils: .first)]) == ["alpha", "Zoo", "Blue", "beta"])
    #expect(try titles(["artist.name", "title"]) == ["Blue", "Zoo", "alpha", "beta"])
    #expect(try [nil, 2, nil, 1].sorted(by: ["self"]) == [nil, nil, 1, 2])
    let mixed: [Any] = [Double.nan, 2, 1]
    #expect(try mixed.sorted(by: ["self"]).map { "\($0)" } == ["1", "2", "nan"])
    var generator = SplitMix64(seed: 4)
    let pairs = (0..<2_000).map { index in Song("\(index)", generator.below(5)) }
    for ascending in [true, false] {
      let sorted = try pairs.sorted(by: [KVSortDescriptor("year", ascending: ascending)])
      for (left, right) in zip(sorted, sorted.dropFirst()) {
        if left.year == right.year {
          #expect(Int(left.title) ?? 0 < Int(right.title) ?? 0)
        } else {
          #expect((left.year < right.year) == ascending)
        }
      }
    }
  }

  @Test("SRT.5: caseInsensitive compares folded texts")
  func caseInsensitive() throws {
    #expect(try titles([.ascending("title", .caseInsensitive)]) == ["alpha", "beta", "Blue", "Zoo"])
    #expect(try ["Straße", "STRASSE", "strasse"].sorted(by: [.ascending("self", .caseInsensitive)]).first == "Straße")
  }

  @Test("SRT.3, SRT.5: a Character and a Substring are texts beside a text")
  func otherTexts() throws {
    let rows: [[String: Any]] = [["name": "Cd"], ["name": Character("b")], ["name": "xA".dropFirst()]]
    let names = { (rows: [[String: Any]]) in rows.map { "\($0["name"] ?? "")" } }
    #expect(names(try rows.sorted(by: ["name"])) == ["A", "Cd", "b"])
    #expect(names(try rows.sorted(by: [KVSortDescriptor("name", comparison: .caseInsensitive)])) == ["A", "b", "Cd"])
  }

  @Test("SRT.6: registered comparisons; an unknown name throws with a suggestion")
  func registry() throws {
    let byLength = try KVComparison.register("test length") { left, right in
      let (left, right) = ("\(left)".count, "\(right)".count)
      return left < right ? .less : left == right ? .same : .greater
    }
    defer { KVComparison.unregister("test length") }
    #expect(try titles([.ascending("title", byLength)]) == ["Zoo", "Blue", "beta", "alpha"])
    #expect(throws: KVError.self) { try KVComparison.register("test length") { _, _ in .same } }
    #expect(throws: KVError.self) { try KVComparison.register("natural", replacing: true) { _, _ in .same } }
    let unknown = #expect(throws: KVError.self) { try KVComparison.named("naturl") }
    #expect(unknown?.suggestion == "natural" && unknown?.code == .unsupported)
    #expect(try KVComparison.named("test length") == byLength)
    #expect(throws: DecodingError.self) {
      try Plain.decode(KVSortDescriptor.self, ["keyPath": "year", "comparison": "none"])
    }
    let failing = try KVComparison.register("test failing") { _, _ in throw SongFailure.closed }
    defer { KVComparison.unregister("test failing") }
    var copy = songs
    let error = #expect(throws: KVError.self) { try copy.sort(by: [.ascending("title", failing)]) }
    #expect(error?.underlying is SongFailure && copy.map(\.title) == songs.map(\.title))
  }

  @Test("SRT.7: sequences of any values; undefined keys throw, nil on the way is nil; comparing two values")
  func sequences() throws {
    let rows: [[String: Any]] = [["name": "b", "age": 2], ["name": "a"], ["name": "c", "age": 1]]
    #expect(try rows.sorted(by: ["age"]).map { $0["name"] as? String } == ["a", "c", "b"])
    let tuples: [(name: String, age: Int)] = [("x", 2), ("y", 1)]
    #expect(try tuples.sorted(by: ["age"]).map(\.name) == ["y", "x"])
    #expect(try [Size(width: 3), Size(width: 1)].sorted(by: ["width"]).map(\.width) == [1, 3])
    #expect(try Set([3, 1, 2]).sorted(by: [.descending("self")]) == [3, 2, 1])
    songs[2].artist = Artist("Aa")
    #expect(try titles([.descending("artist.name")]).first == "Zoo")
    let error = #expect(throws: KVError.self) { try songs.sorted(by: ["yaer"]) }
    #expect(
      error?.code == .undefinedKey && error?.suggestion == "year" && error?.message.hasPrefix("element 0:") == true)
    #expect(try songs.isSorted(by: ["title"]) == false)
    #expect(try songs.sorted(by: ["title"]).isSorted(by: ["title"]))
    let order: [KVSortDescriptor] = ["year", .descending("title")]
    #expect(try order.compare(songs[0], songs[1]) == .less)
    #expect(try order.compare(songs[0], songs[2]) == .greater)
    #expect(try order.compare(songs[0], songs[0]) == .same)
  }

  @Test("SRT.7: keys that no table lists are sorted and filtered by, of structs and of objects, whatever their type")
  func reflected() throws {
    struct Line: Equatable { var title = "", price = 0.5, count: Int8 = 0, note: String?, size: Float?, isNew = false }
    final class Box {
      let line: Line, rank: Int?
      weak var next: Box?
      init(_ line: Line, rank: Int?) { (self.line, self.rank) = (line, rank) }
    }
    var lines: [Line] = []
    for number in 0..<40 {
      var line = Line(title: "\(number * 7 % 10)", price: Double(number * 3 % 8), isNew: number % 2 == 0)
      line.count = Int8(number * 11 % 13)
      line.note = number % 3 == 0 ? nil : "\(number % 4)"
      line.size = number % 5 == 0 ? nil : Float(number * 3 % 7)
      lines.append(line)
    }
    func check(_ key: KVSortDescriptor, _ precedes: (Line, Line) -> Bool) throws {
      let order = lines.indices.sorted { left, right in
        precedes(lines[left], lines[right]) || !precedes(lines[right], lines[left]) && left < right
      }
      #expect(try lines.sorted(by: [key]) == order.map { lines[$0] })
    }
    try check("title") { $0.title < $1.title }
    try check("price") { $0.price < $1.price }
    try check("count") { $0.count < $1.count }
    try check("note") { ($0.note ?? "") < ($1.note ?? "") }
    try check("size") { ($0.size ?? -1) < ($1.size ?? -1) }
    try check("isNew") { !$0.isNew && $1.isNew }
    let boxes = lines.indices.map { Box(lines[$0], rank: $0 % 4 == 0 ? nil : -$0) }
    let ranks = try boxes.sorted(by: ["rank"]).map(\.rank)
    #expect(ranks == Array(repeating: nil, count: 10) + boxes.compactMap(\.rank).sorted())
    boxes[3].next = boxes[5]
    #expect(try boxes.filter("next.rank == -5").map(\.rank) == [-3])
    #expect(try boxes.filter("rank > -6").count == 4)
    #expect(try lines.filter("note == nil AND count < 3") == lines.filter { $0.note == nil && $0.count < 3 })
    let policy = KVPolicy("nothing")
    let (count, rank) = (KVSortDescriptor(try policy.keyPath("count")), KVSortDescriptor(try policy.keyPath("rank")))
    let ofStructs = #expect(throws: KVError.self) { try lines.sorted(by: [count]) }
    let ofObjects = #expect(throws: KVError.self) { try boxes.sorted(by: [rank]) }
    #expect(ofStructs?.code == .notPermitted && ofObjects?.code == .notPermitted)
  }

  @Test("SRT.7: objects of several classes are sorted by what each has: fields, mirrors and undefined keys")
  func severalClasses() throws {
    class Shape { var size = 2 }
    final class Square: Shape { let name = "square", mark = "b" }
    final class Circle: Shape {
      let first = 0.5, mark = "a"
      weak var inner: Shape?
    }
    final class Ghost: Shape, CustomReflectable {
      let mark = "z"
      var customMirror: Mirror { Mirror(self, children: ["mark": "c"]) }
    }
    final class Hooked: Shape, KeyValueCoding {
      func value(forUndefinedKey key: String) throws(KVError) -> Any? { key == "mark" ? "aa" : nil }
    }
    let shapes = [Square(), Ghost(), Circle(), Hooked()]
    for (index, shape) in shapes.enumerated() { shape.size = 10 - index }
    let marks = try shapes.sorted(by: ["mark"]).map { "\(type(of: $0))" }
    #expect(marks == ["Circle", "Hooked", "Square", "Ghost"])
    #expect(try shapes.filter("mark == 'c'").count == 1)
    #expect(try shapes.sorted(by: ["size"]).map(\.size) == [7, 8, 9, 10])
    let circles = [Circle(), Circle()]
    circles[0].inner = shapes[0]
    #expect(try circles.filter("inner == nil").map(ObjectIdentifier.init) == [ObjectIdentifier(circles[1])])
  }

  @Test("SRT.8: groups and distinct values, in order of first appearance")
  func groups() throws {
    let groups = try songs.grouped(by: "year")
    #expect(groups.map { $0.key as? Int } == [1971, 1990, 2001])
    #expect(groups[0].elements.map(\.title) == ["Blue", "Zoo"])
    #expect(try songs.grouped(by: "artist.name").count == 1)
    #expect(try songs.uniqued(by: "year").map(\.title) == ["Blue", "alpha", "beta"])
    let mixed: [Any] = [1, 1.0, true, "1", 2]
    #expect(try mixed.uniqued(by: "self").map { "\($0)" } == ["1", "1", "2"])
    struct Unhashable: Equatable { var id: Int }
    #expect(try [Unhashable(id: 1), Unhashable(id: 2), Unhashable(id: 1)].uniqued(by: "self").count == 2)
  }

  @Test("SRT.12: each key is read once")
  func reads() throws {
    let many = (0..<100).map { Song("\($0)", ($0 * 37) % 100) }
    let sorted = try many.sorted(by: ["counted"])
    #expect(sorted.map(\.year) == Array(0..<100))
    #expect(many.allSatisfy { $0.reads == 1 })
  }

  @Test("SRT.3, SRT.4: sorting agrees with Swift's own, for seeded values of each type")
  func agreement() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<20 {
      let integers = (0..<200).map { _ in Int(truncatingIfNeeded: generator.next()) >> generator.below(60) }
      #expect(try integers.sorted(by: ["self"]) == integers.sorted())
      let doubles =
        (0..<200).map { _ in Double(bitPattern: generator.next()) }.filter { !$0.isNaN } + [0, -0.0, .infinity]
      #expect(try doubles.sorted(by: ["self"]) == doubles.sorted())
      // Swift's order is total for texts in one normal form.
      let texts = (0..<200).map { _ in TestTexts.random(&generator) }.filter {
        !$0.unicodeScalars.contains { $0 == "\u{212A}" || $0 == "\u{301}" }
      }
      #expect(try texts.sorted(by: ["self"]) == texts.sorted())
      #expect(try texts.sorted(by: [.descending("self")]) == texts.sorted(by: >))
      let ascii = texts.map { $0.filter(\.isASCII) }
      #expect(try ascii.sorted(by: ["self"]) == ascii.sorted())
    }
  }

  @Test("SRT.3: the order of texts is one in both directions, whatever their normal form")
  func texts() throws {
    var generator = SplitMix64(seed: 3)
    let texts = (0..<150).map { _ in TestTexts.random(&generator) } + ["e\u{301} ", "é"]
    let order: [KVSortDescriptor] = ["self"]
    for left in texts {
      for right in texts {
        let ordering = try order.compare(left, right)
        #expect((ordering == .same) == (left == right))
        let opposite = try order.compare(right, left)
        #expect(ordering == .same || ordering != opposite)
      }
    }
  }

  private struct ClosedFloat: Comparable {
    let value: Double
    init(_ value: Double) { self.value = value }
    static func < (left: ClosedFloat, right: ClosedFloat) -> Bool { left.value < right.value }
  }
}
