import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct KVGroupsTests {
  private let library = ArrangedLibrary(["b1", "a1", "b2", "c1", "a2"].enumerated().map { ArrangedSong($1, $0) })

  init() { for song in library.songs { song.rank = String(song.name.prefix(1)) } }

  private func text(_ groups: KVGroups<ArrangedSong>) -> String {
    groups.groups.map { "\($0.key ?? "nil"):" + $0.elements.map(\.name).joined(separator: ",") }.joined(separator: " ")
  }

  private func song(_ name: String) -> ArrangedSong { ArrangedSong(name, 0, rank: String(name.prefix(1))) }

  @Test("SRT.11: groups are sorted by the value, and follow edits by index")
  func following() throws {
    let groups = try KVGroups<ArrangedSong>(of: "songs", in: library, by: "rank", sortedBy: ["name"])
    #expect(text(groups) == "a:a1,a2 b:b1,b2 c:c1")
    let log = GroupLog(groups)
    let songs = library.mutableArray(forKey: "songs")
    try songs.insert(contentsOf: [song("b0"), song("aa"), song("d1"), song("d2")], at: 1)
    #expect(text(groups) == "a:a1,a2,aa b:b0,b1,b2 c:c1 d:d1,d2")
    #expect(log.take() == ["a insertion [2]", "b insertion [0]", "groups insertion [3]"])
    library.songs[0].rank = "a"
    #expect(text(groups) == "a:a1,a2,aa,b1 b:b0,b2 c:c1 d:d1,d2")
    #expect(log.take() == ["b removal [1]", "a insertion [3]"])
    library.songs[7].rank = "cc"
    #expect(text(groups) == "a:a1,a2,aa,b1 b:b0,b2 cc:c1 d:d1,d2")
    #expect(log.take() == ["c removal [0]", "groups removal [2]", "groups insertion [2]"])
    try songs.remove(at: [1, 6])
    #expect(text(groups) == "a:a1,a2,aa,b1 cc:c1 d:d1,d2" && log.agrees)
    try songs.replace(at: [5], with: [ArrangedSong("c9", 0, rank: "cc")])
    #expect(text(groups) == "a:a1,a2,aa,b1 cc:c9 d:d1,d2" && log.agrees)
    let former = groups.groups[0]
    library.songs = library.songs.reversed() + [song("e1")]
    #expect(text(groups) == "a:a1,a2,aa,b1 cc:c9 d:d1,d2 e:e1" && log.agrees && groups.groups[0] === former)
    groups.predicate = "rank != 'd'"
    groups.descriptors = [.descending("name")]
    #expect(text(groups) == "a:b1,aa,a2,a1 cc:c9 e:e1" && log.agrees)
    library.songs[0].rank = nil
    try groups.arrange(by: [])
    #expect(groups.groups[0].key == nil && log.agrees && groups.predicate == nil)
  }

  @Test("SRT.11: list sections follow groups and elements, and the source is weak")
  func sections() throws {
    var source: ArrangedLibrary? = ArrangedLibrary(library.songs)
    let groups = try KVGroups<ArrangedSong>(of: "songs", in: #require(source), by: .descending("rank"))
    let titles = KVObservingListSection { (group: KVGroups<ArrangedSong>.Group) in "\(group.key ?? "")" }
    try titles.observe("groups", of: groups)
    let rows = KVObservingListSection { (song: ArrangedSong) in song.name }
    try rows.observe("elements", of: groups.groups[1])
    #expect((0..<titles.rowCount).map { titles.row(at: $0) } == ["c", "b", "a"])
    library.songs[3].rank = "b"
    #expect((0..<titles.rowCount).map { titles.row(at: $0) } == ["b", "a"])
    #expect((0..<rows.rowCount).map { rows.row(at: $0) } == ["b1", "b2", "c1"])
    source = nil
    #expect(titles.rowCount == 0 && rows.rowCount == 0 && groups.groups.isEmpty)
  }

  @Test("SRT.11, SRT.8: keys have the types and the texts of the values, as those of grouped(by:)")
  func keys() throws {
    let ranks: [Any?] = [Int8(3), Float(1.5), UInt16(3), true, nil, 2.0, 7, Float(2)]
    library.songs = ranks.enumerated().map { ArrangedSong("\($0)", 0, rank: $1) }
    let groups = try KVGroups<ArrangedSong>(of: "songs", in: library, by: "rank")
    func described(_ keys: [Any?]) -> [String] { keys.map { key in key.map { "\(type(of: $0)) \($0)" } ?? "nil" } }
    let expected = try library.songs.sorted(by: ["rank"]).grouped(by: "rank").map(\.key)
    #expect(described(groups.groups.map(\.key)) == described(expected))
    #expect(described(expected) == ["nil", "Bool true", "Float 1.5", "Double 2.0", "Int8 3", "Int 7"])
    try library.mutableArray(forKey: "songs").append(ArrangedSong("x", 0, rank: UInt8(5)))
    #expect(groups.groups.contains { $0.key is UInt8 })
    let former = groups.groups
    library.songs = library.songs.reversed()
    let areSame = groups.groups.elementsEqual(former, by: ===)
    #expect(areSame)
    library.songs = ["Abba", "ABBA", "queen"].map { ArrangedSong($0, 0, rank: $0) }
    let texts = try KVGroups<ArrangedSong>(of: "songs", in: library, by: .ascending("rank", .caseInsensitive))
    #expect(texts.groups.map { $0.key as? String } == ["Abba", "queen"] && texts.groups[0].elements.count == 2)
    let abba = texts.groups[0]
    library.songs = [ArrangedSong("x", 0, rank: "abbA")]
    #expect(texts.groups.map { $0 === abba } == [true])
  }

  @Test("SRT.11: random edits agree with fresh groups", arguments: [1, 2, 3] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let library = ArrangedLibrary()
    let groups = try KVGroups<ArrangedSong>(
      of: "songs", in: library, by: "team.name", sortedBy: ["name"], where: "age < 8")
    let log = GroupLog(groups)
    let teams = (0..<6).map { ArrangedTeam("\($0)") }
    func song() -> ArrangedSong {
      ArrangedSong("\(random.below(20))", random.below(10), team: random.below(8) == 0 ? nil : teams[random.below(6)])
    }
    for step in 0..<Extent.rounds(2_000, of: 10_000) {
      let songs = library.mutableArray(forKey: "songs")
      let count = library.songs.count
      switch random.below(20) {
      case 0..<5:
        try songs.insert(contentsOf: (0..<(1 + random.below(3))).map { _ in song() }, at: random.below(count + 1))
      case 5..<10:
        if count > 0 { try songs.remove(at: Array(Set((0..<3).map { _ in random.below(count) }).sorted())) }
      case 10..<12: if count > 0 { try songs.replace(at: [random.below(count)], with: [song()]) }
      case 12..<18:
        guard let song = library.songs.randomElement(using: &random) else { continue }
        switch random.below(3) {
        case 0: song.team = random.below(5) == 0 ? nil : teams[random.below(6)]
        case 1: song.age = random.below(10)
        default: song.name = "\(random.below(20))"
        }
      case 18: if random.below(8) == 0 { teams[random.below(6)].name = "\(random.below(6))" }
      default: if random.below(30) == 0 { library.songs = (0..<random.below(40)).map { _ in song() } }
      }
      if step % 9 > 0, log.agrees { continue }
      let shown = try library.songs.filter("age < 8").sorted(by: ["team.name", "name"])
      let expected = try shown.grouped(by: "team.name")
      let agrees =
        expected.count == groups.groups.count && log.agrees
        && zip(expected, groups.groups).allSatisfy {
          $0.key as? String == $1.key as? String && $0.elements.elementsEqual($1.elements, by: ===)
        }
      guard agrees else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
  }
}

/// The records of groups and of their elements, and copies that they are applied to.
private final class GroupLog: LineLog {
  typealias Group = KVGroups<ArrangedSong>.Group

  private let groups: KVGroups<ArrangedSong>
  var lines: [String] = []
  private var copy: [Group] = []
  private var copies: [ObjectIdentifier: [ArrangedSong]] = [:]
  private var tokens: [ObjectIdentifier: KVObservation] = [:]
  private var token: KVObservation?

  init(_ groups: KVGroups<ArrangedSong>) {
    self.groups = groups
    token = try? groups.observe("groups") { [unowned self] change in
      note("groups", change)
      copy = applied(change, to: copy)
      follow()
    }
    copy = groups.groups
    follow()
  }

  var agrees: Bool {
    copy.elementsEqual(groups.groups, by: ===)
      && copy.allSatisfy { (copies[ObjectIdentifier($0)] ?? []).elementsEqual($0.elements, by: ===) }
  }

  private func follow() {
    for group in copy where tokens[ObjectIdentifier(group)] == nil {
      let id = ObjectIdentifier(group)
      copies[id] = group.elements
      tokens[id] = try? group.observe("elements") { [unowned self] change in
        note("\((change.object as? Group)?.key ?? "nil")", change)
        copies[id] = applied(change, to: copies[id] ?? [])
      }
    }
    let present = Set(copy.map { ObjectIdentifier($0) })
    for id in tokens.keys where !present.contains(id) { (tokens[id], copies[id]) = (nil, nil) }
  }

  private func note(_ name: String, _ change: KVChange) {
    lines.append("\(name) \(change.kind)" + (change.indexes.map { " \($0)" } ?? ""))
  }

  private func applied<T>(_ change: KVChange, to array: [T]) -> [T] {
    var array = array
    let (indexes, new) = (change.indexes ?? [], change.new as? [T] ?? [])
    switch change.kind {
    case .setting: array = new
    case .removal: for index in indexes.reversed() { array.remove(at: index) }
    case .insertion: for (index, element) in zip(indexes, new) { array.insert(element, at: index) }
    default: for (index, element) in zip(indexes, new) { array[index] = element }
    }
    return array
  }
}
