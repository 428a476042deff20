import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct ArrangementRandomTests {
  @Test(
    "SRT.9, SRT.10, CTR.10: random edits agree with a fresh arrangement, and the records with a copy",
    arguments: [1, 2, 3] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let library = ArrangedLibrary()
    let teams = (0..<5).map { ArrangedTeam("\($0)") }
    let arrangement = try KVArrangement<ArrangedSong>(
      of: "songs", in: library, sortedBy: ["team.name", "name"], where: "age < 5")
    let log = ArrangementLog(arrangement)
    var coalesced = 0
    let deferred = try arrangement.observe("elements", options: [.coalesced, .new]) { _ in coalesced += 1 }
    func song() -> ArrangedSong { ArrangedSong("\(random.below(30))", random.below(10), team: teams[random.below(5)]) }
    func edit() throws {
      let songs = library.mutableArray(forKey: "songs")
      let count = library.songs.count
      switch random.below(13) {
      case 0, 1:
        try songs.insert(contentsOf: (0..<(1 + random.below(3))).map { _ in song() }, at: random.below(count + 1))
      case 2, 3: if count > 20 { try songs.remove(at: Set((0..<3).map { _ in random.below(count) }).sorted()) }
      case 4: if count > 2 { try songs.replace(at: [count / 2, count - 1], with: [song(), song()]) }
      case 5: if let twice = library.songs.randomElement(using: &random) { try songs.append(twice) }
      case 6: if count > 0 { try songs.remove(at: random.below(count)) }
      default:
        guard let song = library.songs.randomElement(using: &random) else { return }
        switch random.below(4) {
        case 0: song.age = random.below(10)
        case 1: song.team = teams[random.below(5)]
        default: song.name = "\(random.below(30))"
        }
      }
    }
    var isNested = false
    let nesting = try arrangement.observe("elements", options: [.new]) { _ in
      if isNested || random.below(10) > 0 { return }
      isNested = true
      try? edit()
      isNested = false
    }
    let lists: [[KVSortDescriptor]] = [["team.name", "name"], [.natural("name")], [], [.descending("age"), "name"]]
    let predicates: [KVPredicate?] = ["age < 5", nil, "age > 2 AND name != '7'", "team.name IN {'1', '2'}"]
    for step in 0..<Extent.rounds(2_000, of: 10_000) {
      switch random.below(60) {
      case 0: arrangement.descriptors = lists[random.below(4)]
      case 1: arrangement.predicate = predicates[random.below(4)]
      case 2: teams[random.below(5)].name = "\(random.below(9))"
      case 3: library.songs = library.songs.shuffled(using: &random) + [song()]
      case 4: if random.below(20) == 0 { library.songs = (0..<random.below(50)).map { _ in song() } }
      case 5, 6: try KVCoalescing.coalesce { for _ in 0..<4 { try edit() } }
      case 7: try? arrangement.arrange(by: lists[random.below(4)], where: predicates[random.below(4)])
      default: try edit()
      }
      guard log.agrees, try step % 9 > 0 || isFresh(arrangement, library) else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
    #expect(coalesced > 0)
    withExtendedLifetime((deferred, nesting)) {}
  }

  private func isFresh(_ arrangement: KVArrangement<ArrangedSong>, _ library: ArrangedLibrary) throws -> Bool {
    let passing = try arrangement.predicate.map { try library.songs.filter($0) } ?? library.songs
    let expected = try passing.sorted(by: arrangement.descriptors)
    guard arrangement.elements.elementsEqual(expected, by: ===), arrangement.arrangementError == nil else {
      return false
    }
    var count = 0
    for index in library.songs.indices { if arrangement.index(ofSource: index) != nil { count += 1 } }
    return count == expected.count
      && expected.indices.allSatisfy { index in
        guard let source = arrangement.sourceIndex(of: index) else { return false }
        return library.songs[source] === expected[index] && arrangement.index(ofSource: source) == index
      }
  }
}
