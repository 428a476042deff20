import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct ArrangedContentTests {
  private typealias Content = ArrangedContent<ArrangedSong>

  private let songs = (0..<8).map { ArrangedSong("\(($0 * 5) % 8)", $0 * 10) }

  private func content(
    _ descriptors: [KVSortDescriptor] = ["name"], _ predicate: KVPredicate? = nil, isAutomatic: Bool = true
  ) throws -> Content {
    let content = Content()
    content.isAutomatic = isAutomatic
    content.apply(content.assign(songs))
    content.apply(try content.set(descriptors, predicate))
    return content
  }

  private func names(_ content: Content) -> String { content.elements.map(\.name).joined() }

  @Test("CTR.17: the content is filtered and sorted, stable in content order")
  func arranged() throws {
    let content = try content()
    #expect(names(content) == "01234567")
    content.apply(try content.setDescriptors([.descending("name")]))
    #expect(names(content) == "76543210")
    content.apply(try content.setPredicate("age < 40"))
    #expect(names(content) == "7520")
    #expect((0..<4).map { content.sourceIndex(of: $0) } == [3, 1, 2, 0])
    #expect((0..<8).map { content.index(ofSource: $0) } == [3, 1, 2, 0, nil, nil, nil, nil])
    #expect(content.sourceIndex(of: 4) == nil && content.index(ofSource: -1) == nil)
    for song in songs { song.name = "x" }
    content.apply(content.rearrange())
    #expect(content.elements.map(\.age) == [0, 10, 20, 30])
    #expect(content.keyPaths == ["name", "age"])
  }

  @Test("CTR.19: without automatic rearrangement a new object is in content order, with descriptors the last")
  func notAutomatic() throws {
    let content = try content([], isAutomatic: false)
    let change = content.insert([ArrangedSong("a", 1), ArrangedSong("b", 2)], at: [1, 4])
    #expect(change.kind == .indexes && change.inserted == [1, 4])
    content.apply(change)
    #expect(names(content) == "0a52b74163")
    content.apply(try content.setDescriptors(["name"]))
    let last = content.insert([ArrangedSong("0", 1), ArrangedSong("z", 99)], at: [0, 1])
    #expect(last.inserted == [10, 11])
    content.apply(last)
    #expect(names(content) == "01234567ab0z")
    songs[0].name = "y"
    #expect(content.elementDidChange(ObjectIdentifier(songs[0])).kind == .none)
    #expect(content.rearrange().kind == .whole)
  }

  @Test("CTR.21: an exact index of the arrangement")
  func exact() throws {
    let content = try content([.descending("name")], isAutomatic: false)
    let arranged = [0, 3, 10]
    let indexes = try content.contentIndexes(insertingAt: arranged)
    #expect(indexes == [4, 1, 10])
    content.apply(
      content.insert(
        [ArrangedSong("a", 1), ArrangedSong("b", 1), ArrangedSong("c", 1)], at: indexes, arranged: arranged))
    #expect(names(content) == "a76b543210c")
    #expect(content.contentElements.map(\.name).joined() == "0b52a74163c")
    let error = #expect(throws: KVError.self) { try content.contentIndexes(insertingAt: [12]) }
    #expect(error?.code == .indexOutOfRange)
    #expect(throws: KVError.self) { try content.contentIndexes(insertingAt: [2, 1]) }
    #expect(try content.shows([ArrangedSong("x", 1)]) == [true])
  }

  @Test("CTR.18: a changed element moves, is shown or hidden alone")
  func changedElement() throws {
    let content = try content(["name"], "age >= 0")
    songs[0].name = "55"
    let move = content.elementDidChange(ObjectIdentifier(songs[0]))
    #expect(move.kind == .indexes && move.removed == [0] && move.inserted == [5])
    content.apply(move)
    songs[1].age = -1
    let hide = content.elementDidChange(ObjectIdentifier(songs[1]))
    #expect(hide.removed == [4] && hide.inserted.isEmpty)
    content.apply(hide)
    (songs[1].age, songs[1].name) = (1, "00")
    let show = content.elementDidChange(ObjectIdentifier(songs[1]))
    #expect(show.removed.isEmpty && show.inserted == [0])
    content.apply(show)
    songs[1].name = "01"
    #expect(content.elementDidChange(ObjectIdentifier(songs[1])).kind == .none)
    #expect(content.elementDidChange(ObjectIdentifier(ArrangedSong("", 0))).kind == .none)
    #expect(content.index(ofSource: 1) == 0)
  }

  @Test("CTR.10: elements that are replaced at their indexes are one replacement, CTR.11 all elements a setting")
  func replaced() throws {
    let content = try content()
    let change = content.replace(at: [1, 3], with: [ArrangedSong("51", 1), ArrangedSong("8", 1)])
    #expect(change.kind == .replacement && change.inserted == [5, 7])
    content.apply(change)
    let moved = content.replace(at: [1, 3], with: [ArrangedSong("51", 1), ArrangedSong("0", 1)])
    #expect(moved.kind == .indexes && moved.removed == [5, 7] && moved.inserted == [1, 6])
    content.remove(moved)
    #expect(names(content) == "012346" && content.elements.count == 6)
    #expect(content.sourceIndex(of: 5) == 6 && content.index(ofSource: 3) == nil)
    content.insert(moved)
    #expect(names(content) == "0012346" + "51" || names(content) == "001234516")
    let all = content.replace(at: Array(0..<8), with: (0..<8).map { ArrangedSong("\($0)", 1) })
    #expect(all.kind == .whole)
    content.apply(all)
    #expect(names(content) == "01234567")
  }

  @Test("SRT.9, CTR.24: assigning throws and changes nothing, later failures hide or come last")
  func failures() throws {
    for (index, song) in songs.enumerated() { song.rank = index }
    songs[2].rank = "two"
    let content = try content()
    let error = #expect(throws: KVError.self) { try content.setDescriptors(["rank"]) }
    #expect(error?.code == .typeMismatch && error?.message.contains("element 2") == true)
    #expect(throws: KVError.self) { try content.setPredicate("rank > 1") }
    #expect(names(content) == "01234567" && content.error == nil)
    songs[2].rank = 2
    content.apply(try content.set([.descending("rank")], "rank >= 0"))
    var reported: [String] = []
    content.onFailure = { reported.append($0.message) }
    songs[6].rank = "six"
    content.apply(content.elementDidChange(ObjectIdentifier(songs[6])))
    #expect(content.elements.count == 7 && reported.count == 1 && reported[0].contains("element 6"))
    #expect(content.error?.message == reported[0])
    content.apply(try content.setPredicate(nil))
    #expect(content.elements.last === songs[6] && content.elements.first === songs[7])
    songs[6].rank = 6
    content.apply(content.elementDidChange(ObjectIdentifier(songs[6])))
    #expect(content.error == nil && content.elements[1] === songs[6])
  }

  @Test("SRT.12, CTR.40: a change inside an element needs few comparisons, and no keys of others")
  func counted() throws {
    let content = Content()
    content.isAutomatic = true
    let many = (0..<1024).map { ArrangedSong("\(($0 * 7919) % 1024)", $0) }
    content.apply(content.assign(many))
    content.apply(try content.set(["name"], "age >= 0"))
    for index in stride(from: 0, to: 1024, by: 17) {
      many[index].name = "\(index * 31 % 1024)a"
      let (comparisons, reads) = (content.comparisons, many.reduce(0) { $0 + $1.reads })
      content.apply(content.elementDidChange(ObjectIdentifier(many[index])))
      #expect(content.comparisons - comparisons <= 24 && many.reduce(0) { $0 + $1.reads } - reads <= 1)
    }
  }

  // MARK: Random edits

  @Test("SRT.9, CTR.17: random edits agree with a fresh arrangement", arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
  func randomEdits(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let content = Content()
    content.isAutomatic = true
    var model: [ArrangedSong] = []
    var copy: [ArrangedSong] = []
    func song() -> ArrangedSong { ArrangedSong("\(random.below(30))", random.below(10)) }
    func take(_ change: ArrangementChange<ArrangedSong>) {
      switch change.kind {
      case .none: content.apply(change)
      case .replacement:
        content.apply(change)
        for index in change.inserted { copy[index] = content.elements[index] }
      case .whole:
        content.apply(change)
        copy = content.elements
      case .indexes:
        content.remove(change)
        for index in change.removed.reversed() { copy.remove(at: index) }
        #expect(copy.map(ObjectIdentifier.init) == content.elements.map(ObjectIdentifier.init))
        content.insert(change)
        for index in change.inserted { copy.insert(content.elements[index], at: index) }
      }
    }
    for step in 0..<1_500 {
      switch random.below(step % 40 == 0 ? 12 : 8) {
      case 0, 1:
        let count = model.count + 1 + random.below(3)
        let indexes = Set((0..<(count - model.count)).map { _ in random.below(model.count + 1) }).sorted()
        let new = indexes.map { _ in random.below(6) == 0 ? model.randomElement(using: &random) ?? song() : song() }
        for (song, index) in zip(new, indexes) { model.insert(song, at: index) }
        take(content.insert(new, at: indexes))
      case 2, 3:
        if model.isEmpty { continue }
        let indexes = Set((0..<(1 + random.below(3))).map { _ in random.below(model.count) }).sorted()
        for index in indexes.reversed() { model.remove(at: index) }
        take(content.remove(at: indexes))
      case 4:
        if model.isEmpty { continue }
        let indexes = Set((0..<(1 + random.below(3))).map { _ in random.below(model.count) }).sorted()
        let new = indexes.map { _ in song() }
        for (song, index) in zip(new, indexes) { model[index] = song }
        take(content.replace(at: indexes, with: new))
      case 5, 6, 7:
        guard let song = model.randomElement(using: &random) else { continue }
        if random.below(2) == 0 { song.name = "\(random.below(30))" } else { song.age = random.below(10) }
        take(content.elementDidChange(ObjectIdentifier(song)))
      case 8: take(try content.setPredicate([nil, "age < 5", "age > 2", "name != '7'"][random.below(4)]))
      case 9:
        let lists: [[KVSortDescriptor]] = [["name"], [.natural("name"), "age"], [], [.descending("age"), "name"]]
        take(try content.setDescriptors(lists[random.below(4)]))
      case 10:
        model = (0..<random.below(60)).map { _ in song() }
        take(content.assign(model))
      default: take(content.rearrange())
      }
      let passing = try content.predicate.map { try model.filter($0) } ?? model
      let expected = try passing.sorted(by: content.descriptors)
      guard content.elements.elementsEqual(expected, by: ===), copy.elementsEqual(expected, by: ===),
        content.contentElements.elementsEqual(model, by: ===), isExact(content, model)
      else {
        Issue.record("seed \(seed), step \(step)")
        return
      }
    }
  }

  private func isExact(_ content: Content, _ model: [ArrangedSong]) -> Bool {
    var count = 0
    for (index, song) in content.elements.enumerated() {
      guard let source = content.sourceIndex(of: index), model[source] === song,
        content.index(ofSource: source) == index
      else { return false }
    }
    for index in model.indices where content.index(ofSource: index) != nil { count += 1 }
    return count == content.elements.count
  }

  @Test("SRT.9: repeated insertions at one index use up the gaps of the labels", arguments: [0, 3])
  func gaps(index: Int) throws {
    let content = try content([])
    var model = songs
    for number in 0..<200 {
      let song = ArrangedSong("\(number)", number)
      model.insert(song, at: index)
      content.apply(content.insert([song], at: [index]))
    }
    #expect(content.elements.elementsEqual(model, by: ===) && isExact(content, model))
  }
}
