import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite struct KVArrangementTests {
  private let library = ArrangedLibrary((0..<8).map { ArrangedSong("\(($0 * 5) % 8)", $0 * 10) })

  private func names(_ arrangement: KVArrangement<ArrangedSong>) -> String {
    arrangement.elements.map(\.name).joined()
  }

  @Test("SRT.9: an arrangement filters and sorts a to-many path, and follows it by index")
  func following() throws {
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "songs", in: library, sortedBy: ["name"], where: "age < 100")
    let log = ArrangementLog(arrangement)
    #expect(names(arrangement) == "01234567" && arrangement.source === library && arrangement.keyPath == "songs")
    let songs = library.mutableArray(forKey: "songs")
    try songs.insert(ArrangedSong("45", 1), at: 0)
    #expect(log.take() == ["insertion [5]"])
    try songs.insert(contentsOf: [ArrangedSong("x", 100), ArrangedSong("00", 1), ArrangedSong("9", 1)], at: 2)
    #expect(log.take() == ["insertion [1, 10]"])
    try songs.remove(at: [0, 2, 3])
    #expect(log.take() == ["removal [1, 6]"])
    try songs.replace(at: [0], with: [ArrangedSong("01", 1)])
    #expect(log.take() == ["replacement [0]"])
    try songs.replace(at: [0], with: [ArrangedSong("77", 1)])
    #expect(log.take() == ["removal [0]", "insertion [7]"])
    library.songs[2].name = "8"
    #expect(log.take() == ["removal [4]", "insertion [7]"])
    library.songs[2].age = 200
    #expect(log.take() == ["removal [7]"])
    library.songs[2].age = 2
    #expect(log.take() == ["insertion [7]"])
    library.songs[2].name = "80"
    library.songs[2].rank = 1
    #expect(log.take() == [])
    library.songs = Array(library.songs.prefix(3))
    #expect(log.take() == ["setting"])
    #expect(log.agrees)
  }

  @Test("SRT.10: indexes are mapped exactly after any number of insertions at one place", arguments: 28...36)
  func dense(count: Int) throws {
    let library = ArrangedLibrary([ArrangedSong("a", 0), ArrangedSong("b", 0)])
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library)
    let songs = library.mutableArray(forKey: "songs")
    for _ in 0..<count { try songs.insert(ArrangedSong("", 0), at: 1) }
    try songs.insert(contentsOf: [ArrangedSong("", 0), ArrangedSong("", 0)], at: 1)
    let indexes = Array(0..<count + 4)
    #expect(indexes.map { arrangement.index(ofSource: $0) } == indexes)
    #expect(indexes.map { arrangement.sourceIndex(of: $0) } == indexes)
    #expect(zip(arrangement.elements, library.songs).allSatisfy { $0 === $1 })
  }

  @Test("SRT.4, SRT.9: nil precedes negative numbers, also when an element comes later")
  func nils() throws {
    let library = ArrangedLibrary([-1, nil, 1, -2].map { ArrangedSong("\($0 ?? 0)", 0, rank: $0) })
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "songs", in: library, sortedBy: ["rank", .descending("name")])
    #expect(names(arrangement) == "0-2-11")
    try library.mutableArray(forKey: "songs").append(ArrangedSong("x", 0))
    try library.mutableArray(forKey: "songs").append(ArrangedSong("-3", 0, rank: -3))
    #expect(names(arrangement) == "x0-3-2-11")
    library.songs[0].rank = nil
    #expect(names(arrangement) == "x0-1-3-21")
  }

  @Test("SRT.9: if several descriptors fail on an element, the error is that of the first one")
  func severalFailures() throws {
    let library = ArrangedLibrary([ArrangedSong("a", 1, rank: 2), ArrangedSong("b", 2, rank: 1)])
    let error = #expect(throws: KVError.self) {
      try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: [.natural("age"), .natural("rank")])
    }
    #expect(error?.keyPath == "age")
    let empty = ArrangedLibrary()
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "songs", in: empty, sortedBy: [.natural("age"), .natural("rank")])
    _ = capturingEvents { empty.songs.append(library.songs[0]) }
    #expect(arrangement.arrangementError?.keyPath == "age")
  }

  @Test("SRT.9: descriptors and predicate are assigned, CTR.11 a setting or by index")
  func assigning() throws {
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library)
    let log = ArrangementLog(arrangement)
    #expect(names(arrangement) == "05274163")
    arrangement.descriptors = ["name"]
    #expect(log.take() == ["setting"] && names(arrangement) == "01234567")
    arrangement.predicate = "age < 40"
    #expect(log.take() == ["removal [1, 3, 4, 6]"] && names(arrangement) == "0257")
    arrangement.predicate = "age > 0 AND age < 60"
    #expect(log.take() == ["removal [0]", "insertion [0, 2]"] && names(arrangement) == "12457")
    arrangement.predicate = "age >= 60"
    #expect(log.take() == ["setting"] && names(arrangement) == "36")
    arrangement.predicate = nil
    var keys: [String] = []
    let tokens = try ["descriptors", "predicate"].map { try arrangement.observe($0) { keys.append("\($0.keyPath)") } }
    try arrangement.setValue([KVSortDescriptor.descending("age")], forKey: "descriptors")
    try arrangement.arrange(by: ["age"], where: "age > 20")
    #expect(
      keys == ["descriptors", "descriptors", "predicate"] || keys == ["descriptors", "predicate", "descriptors"])
    #expect(arrangement.elements.map(\.age) == [30, 40, 50, 60, 70] && log.agrees)
    withExtendedLifetime(tokens) {}
  }

  @Test("SRT.10: indexes are mapped exactly, and the source is weak")
  func mapping() throws {
    var source: ArrangedLibrary? = ArrangedLibrary(library.songs)
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "songs", in: #require(source), sortedBy: [.descending("age")], where: "age > 20")
    #expect((0..<5).map { arrangement.sourceIndex(of: $0) } == [7, 6, 5, 4, 3])
    #expect((0..<8).map { arrangement.index(ofSource: $0) } == [nil, nil, nil, 4, 3, 2, 1, 0])
    #expect(arrangement.sourceIndex(of: 5) == nil && arrangement.index(ofSource: 8) == nil)
    let section = KVObservingListSection { (song: ArrangedSong) in song.name }
    try section.observe("elements", of: arrangement)
    let page = ArrangedLibrary()
    try page.bind("songs", to: "elements", of: arrangement)
    #expect(section.rowCount == 5 && page.songs.map(\.age) == [70, 60, 50, 40, 30])
    library.songs[3].age = 65
    #expect(page.songs.map(\.age) == [70, 65, 60, 50, 40] && section.row(at: 1) == library.songs[3].name)
    let log = ArrangementLog(arrangement)
    source = nil
    #expect(arrangement.elements.isEmpty && arrangement.source == nil && log.take() == ["setting"] && log.agrees)
    #expect(section.rowCount == 0 && page.songs.isEmpty)
    library.songs[3].age = 1
    #expect(log.take() == [])
  }

  @Test("SRT.9: paths of several components, nil on the way, and elements that are values")
  func paths() throws {
    let root = ArrangedLibrary()
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "next.songs", in: root, sortedBy: ["team.name"], where: "team.name != nil")
    let log = ArrangementLog(arrangement)
    #expect(arrangement.elements.isEmpty)
    let teams = ["b", "a"].map(ArrangedTeam.init)
    for (index, song) in library.songs.enumerated() { song.team = index < 4 ? teams[index % 2] : nil }
    root.next = library
    #expect(log.take() == ["setting"] && names(arrangement) == "5702")
    teams[1].name = "c"
    #expect(names(arrangement) == "0257" && log.agrees)
    library.songs[4].team = ArrangedTeam("a")
    #expect(names(arrangement) == "40257")
    root.next = nil
    #expect(arrangement.elements.isEmpty && log.agrees)
    let record = try KVRecord(["tags": ["b", "a"]])
    let tags = try KVArrangement<String>(of: "tags", in: record, sortedBy: ["self"])
    try record.mutableArray(forKey: "tags").append("A")
    #expect(tags.elements == ["A", "a", "b"])
    let error = #expect(throws: KVError.self) { try KVArrangement<Int>(of: "tags", in: record) }
    #expect(error?.code == .typeMismatch)
    record["tags"] = 7
    #expect(tags.elements.isEmpty && tags.arrangementError?.code == .typeMismatch)
    record["tags"] = ["c"]
    #expect(tags.elements == ["c"] && tags.arrangementError == nil)
  }

  @Test("CTR.18: a predicate that reads through a collection follows its elements")
  func throughCollections() throws {
    let root = ArrangedShelf()
    root.libraries = [library, ArrangedLibrary([ArrangedSong("z", 5)])]
    let arrangement = try KVArrangement<ArrangedLibrary>(of: "libraries", in: root, where: "ANY songs.age > 65")
    #expect(arrangement.elements.count == 1)
    root.libraries[1].songs[0].age = 66
    #expect(arrangement.elements.count == 2)
    library.songs.removeLast()
    #expect(arrangement.elements.count == 1)
  }

  @Test("SRT.9, CTR.24: what fails later is hidden or last, and is reported")
  func failing() throws {
    for (index, song) in library.songs.enumerated() { song.rank = index }
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: ["rank"])
    let log = ArrangementLog(arrangement)
    library.songs[2].rank = "x"
    #expect(log.take() == ["removal [2]", "insertion [7]"])
    #expect(arrangement.arrangementError?.code == .typeMismatch)
    var assignments = 0
    let token = try arrangement.observe("predicate") { _ in assignments += 1 }
    #expect(throws: KVError.self) { try arrangement.arrange(by: [], where: "rank > 3") }
    #expect(throws: KVError.self) { try arrangement.setValue(KVPredicate("rank > 3"), forKey: "predicate") }
    #expect(arrangement.predicate == nil && arrangement.descriptors == ["rank"])
    #expect(assignments == 0)
    arrangement.predicate = "rank > 3"
    #expect(arrangement.elements.count == 4 && assignments == 1)
    token.cancel()
    library.songs[2].rank = 9
    #expect(arrangement.elements.count == 5 && arrangement.arrangementError == nil && log.agrees)
  }

  @Test("SRT.9, COA.8: a transaction that rolls back restores the arrangement, too")
  func rolledBack() throws {
    struct Refused: Error {}
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: ["name"], where: "age < 45")
    let log = ArrangementLog(arrangement)
    let before = arrangement.elements
    #expect(throws: Refused.self) {
      try KVTransaction.run { () throws in
        try library.songs[2].setValue("99", forKey: "name")
        try library.songs[1].setValue(80, forKey: "age")
        try library.mutableArray(forKey: "songs").insert(ArrangedSong("3", 1), at: 2)
        #expect(arrangement.elements.count == 5)
        throw Refused()
      }
    }
    #expect(arrangement.elements.elementsEqual(before, by: ===) && log.agrees)
  }

  @Test("SRT.9: the elements of a set, and records")
  func records() throws {
    let root = try KVRecord(["people": [KVRecord(["age": 3]), KVRecord(["age": 1])]])
    let people = try KVArrangement<KVRecord>(of: "people", in: root, sortedBy: ["age"])
    (root["people"] as? [KVRecord])?[0]["age"] = 0
    #expect(people.elements.map { $0["age"] as? Int } == [0, 1])
    root["people"] = Set([5, 3, 4])
    #expect(people.elements.isEmpty && people.arrangementError?.code == .typeMismatch)
    let numbers = try KVArrangement<Int>(of: "people", in: root, sortedBy: ["self"])
    let members = root.mutableSet(forKey: "people")
    try members.add(1)
    #expect(numbers.elements == [1, 3, 4, 5])
  }

  @Test("CTR.7, KVO.8: changes by handlers are delivered completely, with right indexes")
  func nested() throws {
    let arrangement = try KVArrangement<ArrangedSong>(of: "songs", in: library, sortedBy: ["name"])
    let log = ArrangementLog(arrangement)
    let library = library
    var isDone = false
    let token = try arrangement.observe("elements", options: [.prior, .new]) { change in
      if change.isPrior || isDone { return }
      isDone = true
      library.songs[1].name = "99"
      _ = try? library.mutableArray(forKey: "songs").remove(at: 0)
    }
    library.songs[7].name = "98"
    #expect(names(arrangement) == "1246" + "7" + "98" + "99" && log.agrees)
    token.cancel()
    func append(_ change: KVChange) {
      guard change.isPrior, library.songs.count < 20 else { return }
      _ = try? library.mutableArray(forKey: "songs").append(ArrangedSong("5", 1))
    }
    let early = try arrangement.observe("elements", options: [.prior], handler: append)
    library.songs[0].name = "97"
    #expect(log.agrees && arrangement.elements.count == library.songs.count)
    early.cancel()
  }

  @Test("SRT.9: a live list whose sort values change their type altogether is sorted by the new ones")
  func changedType() throws {
    let records: [KVRecord] = [["key": 3], ["key": 1], ["key": 2]]
    let source: KVRecord = ["rows": records]
    let list = try KVArrangement<KVRecord>(of: "rows", in: source, sortedBy: [KVSortDescriptor("key")])
    for (record, value) in zip(records, ["c", "a", "b"]) { record.key = value }
    #expect(list.elements.map { $0.key as? String } == ["a", "b", "c"])
    #expect(list.arrangementError == nil)
  }
}

final class ArrangedShelf: KVObject {
  @KVProperty var libraries: [ArrangedLibrary] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ArrangedShelf.self) { key in key("libraries", \.libraries) }
  }
}

/// The records of the elements of an arrangement, and a copy that they are applied to.
final class ArrangementLog: LineLog {
  var lines: [String] = []
  private var copy: [ArrangedSong]
  private let arrangement: KVArrangement<ArrangedSong>
  private var token: KVObservation?
  /// Whether records fit the copy.
  private(set) var fits = true

  init(_ arrangement: KVArrangement<ArrangedSong>) {
    self.arrangement = arrangement
    copy = arrangement.elements
    token = try? arrangement.observe("elements", options: [.old, .new]) { [unowned self] in apply($0) }
  }

  var agrees: Bool { fits && copy.elementsEqual(arrangement.elements, by: ===) }

  private func apply(_ change: KVChange) {
    lines.append("\(change.kind)" + (change.indexes.map { " \($0)" } ?? ""))
    let (old, new) = (change.old as? [ArrangedSong] ?? [], change.new as? [ArrangedSong] ?? [])
    let indexes = change.indexes ?? []
    switch change.kind {
    case .setting:
      if !copy.elementsEqual(old, by: ===) { fits = false }
      copy = new
    case .removal:
      if !indexes.map({ copy[$0] }).elementsEqual(old, by: ===) { fits = false }
      for index in indexes.reversed() { copy.remove(at: index) }
    case .insertion: for (index, song) in zip(indexes, new) { copy.insert(song, at: index) }
    default:
      if !indexes.map({ copy[$0] }).elementsEqual(old, by: ===) { fits = false }
      for (index, song) in zip(indexes, new) { copy[index] = song }
    }
    if !copy.elementsEqual(arrangement.elements, by: ===) { fits = false }
  }
}
