import KVControllers
import KVCore
import TestModels
import Testing

@Suite("UND random steps against snapshots")
struct UndoRandomTests {
  /// Libraries, a record and songs; handlers and bindings change other keys with each edit.
  private final class World {
    let libraries = [UndoLibrary("a", "b", "c"), UndoLibrary("x"), UndoLibrary()]
    let record: KVRecord = ["title": "r", "list": [1, 2, 3]]
    let pool: [UndoSong]
    let undo = KVUndoManager()
    var tokens: [KVObservation] = []
    var random: SplitMix64

    init(_ seed: UInt64, late: Bool) throws {
      random = SplitMix64(seed: seed)
      pool = (0..<12).map { UndoSong("p\($0)") } + libraries.flatMap(\.songs)
      if late { try addHandlers() }
      for library in libraries {
        try undo.record(library)
        try undo.recordElements(of: "songs", in: library)
      }
      try undo.record(record)
      for song in pool { try undo.record(song) }
      if !late { try addHandlers() }
      undo.removeAll()
      undo.markSaved()
    }

    private func addHandlers() throws {
      let (first, second, third) = (libraries[0], libraries[1], libraries[2])
      tokens = [
        try first.observe("name") { [pool] change in
          second.total += 1
          let log = first.mutableArray(forKey: "log")
          if log.count > 20 { try? log.remove(at: [0, 5, 7]) }
          try? log.insert(change.new as? String ?? "", at: log.count / 2)
          if second.total % 3 == 0 { try? second.list.insert(pool[second.total % 5], at: 0) }
        },
        try second.observe("songs", options: [.new, .prior]) { change in
          if !change.isPrior { third.volume = second.songs.count % 9 }
        },
        try third.observe("volume") { _ in
          try? first.setValue("/\(third.volume)", forKey: "path")
          try? first.mutableSet(forKey: "tags").formUnion(["v\(third.volume)"])
        },
        try first.observe("songs") { _ in
          if first.songs.count > 12 { first.songs = Array(first.songs.prefix(3)) }
        },
        try second.observe("name", options: [.new, .coalesced]) { _ in second.volume = second.name.count % 10 },
      ]
      try third.bind("songs", to: "songs", of: first, options: .twoWay)
      try third.bind("name", to: "name", of: second, options: .twoWay)
      try third.bind("total", to: "songs.@count", of: second)
    }

    func edit() throws {
      let library = libraries[random.below(3)]
      let song = pool[random.below(pool.count)]
      let (number, count) = (random.below(40), library.songs.count)
      let list = library.list
      switch random.below(18) {
      case 0: library.name = "n\(number)"
      case 1: try library.setValue("m\(number)", forKey: "name")
      case 2: library.volume = number % 11
      case 3, 4: try list.insert(song, at: random.below(count + 1))
      case 5 where count > 0: try list.remove(at: random.below(count))
      case 6 where count > 2: try list.remove(at: [0, count - 1])
      case 7 where count > 1: try list.move(from: 0, to: count - 1)
      case 8 where count > 1: try list.replace(at: [0, 1], with: [song, pool[number % pool.count]])
      case 9: library.songs = Array(library.songs.suffix(4))
      case 10: library.songs.append(song)
      case 11: try library.mutableSet(forKey: "tags").formUnion(["t\(number)", "t\(number + 1)"])
      case 12: try library.mutableSet(forKey: "tags").subtract(["t\(number)", "v3"])
      case 13: try library.mutableArray(forKey: "genres").append("g\(number)")
      case 14: song.title = "s\(number)"
      case 15: song.year = number % 3 == 0 ? nil : number
      case 16: record.title = number % 4 == 0 ? nil : "r\(number)"
      default: try record.mutableArray(forKey: "list").insert(number, at: 0)
      }
    }

    /// A change, a group of some, a scope or a transaction, half of which fail.
    func step() throws {
      switch random.below(8) {
      case 0: try undo.group("group") { for _ in 0..<random.below(6) { try edit() } }
      case 1: try KVCoalescing.coalesce { for _ in 0..<random.below(4) { try edit() } }
      case 2:
        struct Failure: Error {}
        do {
          try KVTransaction.run {
            for _ in 0..<random.below(4) { try edit() }
            if random.below(2) == 0 { throw Failure() }
          }
        } catch is Failure {}
      default: try edit()
      }
    }

    /// The values of all keys, a line each.
    var state: [String] {
      libraries.enumerated().flatMap { index, library in
        let songs = library.songs.map { song in pool.firstIndex { $0 === song } ?? -1 }
        return [
          "\(index).name \(library.name)", "\(index).songs \(songs)", "\(index).tags \(library.tags.sorted())",
          "\(index).genres \(library.genres)", "\(index).volume \(library.volume)", "\(index).log \(library.log)",
          "\(index).total \(library.total)", "\(index).path \(library.path)",
        ]
      } + pool.map { "\($0.title) \($0.year ?? 0)" } + ["title", "list"].map { "\(record[$0] ?? "nil")" }
    }

    /// The lines that differ from those of a state.
    func differences(from state: [String]) -> [String] {
      zip(self.state, state).filter { $0 != $1 }.map { "\($0) ≠ \($1)" }
    }
  }

  @Test("UND.5: random steps: undone, redone, and walked at random", arguments: [1, 2, 3, 4, 5])
  func walk(seed: UInt64) throws {
    let world = try World(seed, late: seed % 2 == 0)
    let undo = world.undo
    var states = [world.state]
    let rounds = Extent.rounds(300, of: 2_000)
    while states.count <= rounds {
      let count = undo.undoCount
      try world.step()
      // A step whose changes are none is no step.
      if undo.undoCount > count { states.append(world.state) } else { #expect(world.state == states.last) }
      #expect(undo.undoCount == states.count - 1)
    }
    for state in states.reversed().dropFirst() {
      #expect(try undo.undo())
      #expect(world.differences(from: state) == [])
    }
    #expect(try !undo.undo() && !undo.hasUnsavedChanges)
    for state in states.dropFirst() {
      #expect(try undo.redo())
      #expect(world.differences(from: state) == [])
    }
    #expect(try !undo.redo())
    for _ in 0..<rounds {
      _ = world.random.below(2) == 0 ? try undo.undo() : try undo.redo()
      #expect(world.differences(from: states[undo.undoCount]) == [])
    }
    world.tokens.forEach { $0.cancel() }
  }
}
