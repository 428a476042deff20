import KVControllers
import KVTestSupport
import TestModels
import Testing

/// Array controllers whose content is bound to a model (CTR.14, 18, 29, 40).
@Suite struct ArrayBindingTests {
  private let list = KVArrayController { Tune() }
  private let a = Tune("a", rank: 1)
  private let b = Tune("b", rank: 2)
  private let c = Tune("c", rank: 3)

  @Test("CTR.14: an edit of the controller is one by index in the model, which notifies once, and vice versa")
  func bound() throws {
    let shelf = Shelf([a, b])
    try list.bindContent(to: "tunes", of: shelf)
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"])
    var lines: [String] = []
    let tokens = [
      try shelf.observe("tunes") { lines.append("model \($0.kind) \($0.indexes ?? [])") },
      try list.observe("content") { lines.append("content \($0.kind) \($0.indexes ?? [])") },
    ]
    try list.insert(c, at: 1)
    #expect(shelf.tunes.map(\.title) == ["a", "c", "b"])
    try list.remove(at: [0])
    #expect(shelf.tunes.map(\.title) == ["c", "b"])
    try shelf.mutableArray(forKey: "tunes").append(a)
    #expect(list.content.map(\.title) == ["c", "b", "a"])
    #expect(list.selectedObjects.map(\.title) == ["c"])
    try shelf.mutableArray(forKey: "tunes").remove(at: 0)
    try shelf.mutableArray(forKey: "tunes").replace(at: 0, with: c)
    shelf.tunes = [b]
    #expect(list.content.map(\.title) == ["b"])
    #expect(lines.count == 12)
    #expect(
      lines.filter { $0.hasPrefix("model") } == [
        "model insertion [1]", "model removal [0]", "model insertion [2]", "model removal [0]", "model replacement [0]",
        "model setting []",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("CTR.14: when the model is deallocated, the content remains")
  func death() throws {
    var shelf: Shelf? = Shelf([a, b])
    if let shelf { try list.bindContent(to: "tunes", of: shelf) }
    shelf = nil
    #expect(list.content.map(\.title) == ["a", "b"])
    try list.add(c)
    #expect(list.content.count == 3)
  }

  @Test("CTR.1: a controller retains its content only")
  func lifetimes() throws {
    weak var weakList: KVArrayController<Tune>?
    weak var weakShelf: Shelf?
    do {
      let shelf = Shelf([a])
      let list = KVArrayController { Tune() }
      list.automaticallyRearrangesObjects = true
      list.sortDescriptors = ["rank"]
      try list.bindContent(to: "tunes", of: shelf)
      (weakList, weakShelf) = (list, shelf)
      try list.add(b)
    }
    #expect(weakList == nil && weakShelf == nil)
    a.rank = 5
  }

  private func observations(_ tune: Tune) -> [KVObservationInfo] { KVDiagnostics.observations(of: tune) }

  @Test("CTR.40: elements are observed for automatic rearrangement only")
  func observed() throws {
    list.content = [a, b, a]
    list.sortDescriptors = ["rank"]
    #expect(observations(a).isEmpty)
    list.automaticallyRearrangesObjects = true
    #expect(observations(a).count == 1)
    try list.remove(at: [0])
    a.rank = 9
    #expect(list.arrangedObjects.map(\.title) == ["b", "a"])
    try list.remove(a)
    #expect(observations(a).isEmpty && !observations(b).isEmpty)
    list.automaticallyRearrangesObjects = false
    #expect(observations(b).isEmpty)
  }

  @Test("CTR.14: an array of values")
  func values() throws {
    let texts = KVArrayController<String>()
    let shelf = Shelf()
    shelf.names = ["x", "y"]
    try texts.bindContent(to: "names", of: shelf)
    try texts.insert("z", at: 0)
    #expect(shelf.names == ["z", "x", "y"])
    try texts.remove("x")
    #expect(shelf.names == ["z", "y"])
  }
}

// Models that have no array of the elements.
extension ArrayBindingTests {
  private final class Album: KVObject {
    @KVProperty var single: Tune?
    @KVProperty var members: Set<Track> = []
    @KVProperty var numbers: [Int] = []
    @KVProperty var shelves: [Shelf]?
    @KVProperty var objects: [KVObject] = []
    @KVProperty var points: [Point] = []
    @KVProperty var shelf: Shelf?

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Album.self) { key in
        key("single", \.single)
        key("members", \.members)
        key("numbers", \.numbers)
        key("shelves", \.shelves)
        key("objects", \.objects)
        key("points", \.points)
        key("shelf", \.shelf)
      }
    }
  }

  private final class Track: KVObject, Hashable {
    static func == (left: Track, right: Track) -> Bool { left === right }
    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
  }

  @Test("CTR.7, CTR.14: model and controller agree when handlers of two records edit both")
  func editedByHandlers() throws {
    let shelf = Shelf([a, b, c])
    for (rank, tune) in shelf.tunes.enumerated() { tune.rank = rank }
    try list.bindContent(to: "tunes", of: shelf)
    (list.automaticallyRearrangesObjects, list.sortDescriptors) = (true, ["rank"])
    var calls = 0
    let token = try list.observe("arrangedObjects") { [list] _ in
      calls += 1
      do {
        // In the removal, and in the insertion that is delivered before that edit.
        if calls == 1 { try shelf.mutableArray(forKey: "tunes").remove(at: 2) }
        if calls == 2 { try list.remove(at: [0]) }
      } catch { Issue.record(error) }
    }
    a.rank = 10
    #expect(calls > 2 && list.content.map(\.title) == ["a"] && shelf.tunes.map(\.title) == ["a"])
    token.cancel()
  }

  @Test("CTR.14: a path that leads to nil is no content, and takes none")
  func unresolved() throws {
    let album = Album()
    let shelves = KVObjectController<Shelf>()
    try shelves.bindContent(to: "shelf", of: album)
    try list.bindContent(to: "shelf.tunes", of: album)
    #expect(list.content.isEmpty && shelves.content == nil)
    let error = #expect(throws: KVError.self) { try list.add(a) }
    #expect(
      error?.message == "KVArrayController<Tune> cannot add objects: the path of its content leads to nil.")
    album.shelf = Shelf([a, b])
    #expect(list.content.map(\.title) == ["a", "b"] && shelves.content === album.shelf)
    album.shelf = nil
    #expect(list.content.isEmpty && list.arrangedObjects.isEmpty)
    album.shelf = Shelf([c])
    try list.add(b)
    #expect(album.shelf?.tunes.map(\.title) == ["c", "b"])
  }

  @Test("CTR.5, CTR.14: a key that cannot be set is found when the path is resolved")
  func lateReadOnly() throws {
    let album = Album()
    try list.bindContent(to: "shelf.first", of: album)
    #expect(list.canAdd)
    album.shelf = Shelf([a, b])
    #expect(!list.canAdd && list.content.map(\.title) == ["a"])
    #expect(throws: KVError.self) { try list.add(c) }
  }

  @Test("CTR.9, CTR.14: what the model edits and the controller undoes in one update is undone in the model, too")
  func undone() throws {
    let shelf = Shelf([a, b])
    try list.bindContent(to: "tunes", of: shelf)
    var kinds: [KVChangeKind] = []
    let token = try list.observe("content") { kinds.append($0.kind) }
    try list.update {
      try shelf.mutableArray(forKey: "tunes").insert([c], at: 0..<1)
      try list.remove(c)
    }
    #expect(list.content.map(\.title) == ["a", "b"] && shelf.tunes.map(\.title) == ["a", "b"])
    #expect(kinds == [.setting])
    try list.update {
      try list.add(c)
      try list.remove(c)
    }
    #expect(kinds == [.setting] && shelf.tunes.map(\.title) == ["a", "b"])
    token.cancel()
  }

  @Test("CTR.14: a path to a single element is bound one-way")
  func single() throws {
    let album = Album()
    let binding = try list.bindContent(to: "single", of: album)
    #expect(binding.state == .active && list.content.isEmpty && !list.canAdd)
    album.single = a
    #expect(list.content.map(\.title) == ["a"])
    expect(.unsupported) { try list.add(b) }
    #expect(binding.state == .active && binding.lastError == nil)
    try list.bindContent(to: "tunes", of: Shelf([b]))
    #expect(list.canAdd)
  }

  @Test(
    "CTR.14: a collection of other elements is refused, although it is empty",
    arguments: ["numbers", "shelves", "points"])
  func otherElements(_ key: String) throws {
    let album = Album()
    try list.bindContent(to: "tunes", of: Shelf([a]))
    let former = list.content
    expect(.typeMismatch) { try list.bindContent(to: KVKeyPath(key), of: album) }
    #expect(list.content.map(\.title) == former.map(\.title) && list.canAdd)
    let numbers = KVArrayController<Int>()
    expect(.typeMismatch) { try numbers.bindContent(to: "shelves", of: album) }
    try numbers.bindContent(to: "numbers", of: album)
    try numbers.add(3)
    #expect(album.numbers == [3])
    let points = KVArrayController<Point>()
    expect(.typeMismatch) { try points.bindContent(to: "shelves", of: album) }
    try points.bindContent(to: "points", of: album)
    try points.add(Point())
    #expect(album.points == [Point()])
  }

  @Test("CTR.14: a collection of a superclass is accepted")
  func superclass() throws {
    let album = Album()
    try list.bindContent(to: "objects", of: album)
    try list.add(c)
    #expect(album.objects.map { $0 === c } == [true])
  }

  @Test("CTR.14: a member that a set has already is in the content once")
  func members() throws {
    let tracks = KVArrayController { Track() }
    let (album, other) = (Album(), Track())
    try tracks.bindContent(to: "members", of: album)
    try tracks.add(other)
    try tracks.add()
    try tracks.add(other)
    #expect(tracks.content.count == 2 && Set(tracks.content) == album.members)
    #expect(tracks.selectedObjects == [other])
    try tracks.update {
      try tracks.add(contentsOf: [other, other])
      try tracks.add()
    }
    #expect(tracks.content.count == 3 && Set(tracks.content) == album.members)
    try tracks.remove(other)
    #expect(tracks.content.count == 2 && Set(tracks.content) == album.members)
  }
}
