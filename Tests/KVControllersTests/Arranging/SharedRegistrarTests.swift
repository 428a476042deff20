import KVCore
import KVTestSupport
import TestModels
import Testing

@testable import KVBinding
@testable import KVControllers

@Suite struct SharedRegistrarTests {
  private let shelf = TuneShelf((0..<6).map { PlainTune("\($0)", $0) })

  private func arrangement(_ descriptors: [KVSortDescriptor] = ["name"], _ predicate: KVPredicate? = "age < 50") throws
    -> KVArrangement<PlainTune>
  {
    try KVArrangement<PlainTune>(of: "tunes", in: shelf, sortedBy: descriptors, where: predicate)
  }

  private func names(_ arrangement: KVArrangement<PlainTune>) -> String { arrangement.elements.map(\.name).joined() }

  private func isShared(_ tune: PlainTune) -> Bool { tune.registrarSlot.registrar is SharedRegistrar }

  @Test("CTR.40: elements share a registrar until somebody else observes them, SRT.9 which changes nothing else")
  func sharing() throws {
    let arrangement = try arrangement()
    #expect(shelf.tunes.allSatisfy(isShared))
    #expect(Set(shelf.tunes.map { $0.registrarSlot.registrar.map { ObjectIdentifier($0) } }).count == 1)
    let tune = shelf.tunes[0]
    tune.name = "8"
    tune.rating = 3
    #expect(names(arrangement) == "123458")
    var lines: [String] = []
    let token = try tune.observe("name", as: String.self) { lines.append("\($0.new ?? "") \(names(arrangement))") }
    #expect(!isShared(tune) && isShared(shelf.tunes[1]))
    // KVO.6: the arrangement was there before.
    tune.name = "30"
    #expect(lines == ["30 1233045"])
    token.cancel()
    tune.age = 60
    #expect(names(arrangement) == "12345")
    shelf.tunes[1].age = 60
    #expect(names(arrangement) == "2345")
  }

  @Test("CTR.40: what asks for the observers of an element finds the arrangement")
  func listing() throws {
    let arrangement = try arrangement()
    let tune = shelf.tunes[0]
    #expect(KVDiagnostics.observations(of: tune).count == 2)
    tune.name = "9"
    tune.withChange(forKey: "age") {}
    #expect(names(arrangement) == "123459")
    let bystander = PlainTune("x", 0)
    #expect(KVDiagnostics.observations(of: bystander).isEmpty)
  }

  @Test("SRT.9: arrangements of the same elements share the registrar, up to a number")
  func several() throws {
    var arrangements = [try arrangement(), try arrangement([.descending("name")]), try arrangement(["age"], nil)]
    #expect(shelf.tunes.allSatisfy(isShared))
    shelf.tunes[0].name = "9"
    #expect(arrangements.map(names) == ["123459", "954321", "912345"])
    for _ in 0..<2 { arrangements.append(try arrangement()) }
    #expect(!shelf.tunes.contains(where: isShared))
    shelf.tunes[0].name = "0"
    shelf.tunes[1].age = 70
    #expect(arrangements.map(names) == ["02345", "54320", "023451", "02345", "02345"])
    arrangements.removeFirst()
    shelf.tunes[1].age = 0
    #expect(arrangements.map(names) == ["543210", "012345", "012345", "012345"])
  }

  @Test("SRT.9: LIF an arrangement ends before its elements and before the next one")
  func succession() throws {
    do {
      let first = try arrangement()
      #expect(names(first) == "012345")
    }
    let removed = shelf.tunes[0]
    removed.name = "7"
    let second = try arrangement()
    #expect(shelf.tunes.allSatisfy(isShared))
    try shelf.mutableArray(forKey: "tunes").remove(at: 0)
    removed.name = "0"
    #expect(names(second) == "12345")
    try shelf.mutableArray(forKey: "tunes").append(PlainTune("00", 1))
    try shelf.mutableArray(forKey: "tunes").append(removed)
    removed.name = "33"
    #expect(names(second) == "001233345")
    second.descriptors = ["age", "name"]
    removed.age = 4
    #expect(second.elements.map(\.age) == [1, 1, 2, 3, 4, 4, 5])
  }

  @Test("SRT.9: LIF a list forgets the registrars of elements that have left it")
  func forgetting() throws {
    var changed: [ObjectIdentifier] = []
    let list = ElementObservers(Site(#fileID, #line)) { id, _ in changed.append(id) }
    var tunes: [PlainTune] = []
    for round in 0..<20 {
      // Each further list gives its elements a registrar of its own, and ends.
      let other = (0..<3).map { PlainTune("\(round)\($0)", $0) }
      let shown = ElementObservers(Site(#fileID, #line)) { _, _ in }
      shown.observe(["name"], of: other)
      if round % 3 == 0 {
        list.observe(["name"], of: other)
      } else {
        list.add(other + other)
        list.remove(tunes)
        list.remove(round % 3 == 1 ? other : other.suffix(2) + [])
        list.remove(round % 3 == 1 ? [] : other.prefix(1) + [])
      }
      #expect(list.registrars.count == 1 && other.allSatisfy(isShared), "round \(round)")
      other[1].name = "00"
      tunes.first?.name = "1"
      #expect(changed == [ObjectIdentifier(other[1])], "round \(round)")
      (changed, tunes) = ([], other)
    }
    list.remove(tunes)
    #expect(list.registrars.isEmpty)
    list.add(tunes)
    // One that gets a registrar of its own has a registration instead.
    let tokens = try tunes.map { try $0.observe("rating") { _ in } }
    #expect(list.registrars.isEmpty && !tunes.contains(where: isShared))
    tunes[2].name = "2"
    #expect(changed == [ObjectIdentifier(tunes[2])])
    withExtendedLifetime(tokens) {}
  }

  @Test("SRT.9: an element that a list has several times is observed until it has left it as often")
  func repeated() {
    var changes = 0
    let list = ElementObservers(Site(#fileID, #line)) { _, _ in changes += 1 }
    let tune = shelf.tunes[0]
    list.observe(["name"], of: [tune, tune, tune])
    for left in [2, 1, 0] {
      list.remove([tune])
      tune.name = "\(left)"
      #expect(changes == (left > 0 ? 1 : 0), "\(left) left")
      changes = 0
    }
    #expect(list.registrars.isEmpty)
  }

  @Test("DIA.1: a registration that an element gets with a registrar of its own is reported, as others are")
  func reporting() throws {
    let list = try arrangement()
    let tune = shelf.tunes[0]
    let events = try capturingEvents(level: .debug) { try tune.observe("rating") { _ in }.cancel() }.about(tune)
    let begun = events.filter { $0.message.contains(" registered ") }
    #expect(Set(begun.compactMap { $0.keyPath?.description }) == ["name", "age", "rating"] && begun.count == 3)
    let ended = capturingEvents(level: .debug) { shelf.tunes.removeFirst() }.about(tune)
    #expect(ended.filter { $0.message.contains(" ended") }.count == 2)
    #expect(names(list) == "12345")
  }

  @Test("KVO.8: an observer that a handler adds in the middle of a change, COL.6 or in a change in place")
  func replacing() throws {
    let (one, two) = (try arrangement(), try arrangement([.descending("name")]))
    let tune = shelf.tunes[2]
    var tokens: [KVObservation] = []
    var calls = 0
    tokens.append(
      try one.observe("elements") { _ in
        guard tokens.count == 1 else { return }
        if let token = try? tune.observe("name", handler: { _ in calls += 1 }) { tokens.append(token) }
      })
    tune.name = "9"
    #expect(names(one) == "013459" && names(two) == "954310" && tokens.count == 2)
    tune.name = "2"
    #expect(names(one) == "012345" && names(two) == "543210" && calls == 1)

    let other = shelf.tunes[4]
    func edit(_ text: inout String) throws {
      tokens.append(try other.observe("age") { _ in calls += 1 })
      text = "0"
    }
    try edit(&other.name)
    #expect(!isShared(other) && names(one) == "001235" && names(two) == "532100")
    tokens = []
  }

  @Test("SRT.9: random edits of plain elements, with observers that come and go", arguments: [1, 2, 3] as [UInt64])
  func random(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var arrangements: [KVArrangement<PlainTune>] = []
    var tokens: [KVObservation] = []
    let lists: [[KVSortDescriptor]] = [["name"], ["age", "name"], [], [.descending("name")], ["rating"]]
    let predicates: [KVPredicate?] = ["age < 5", nil, "age > 2 AND name != '7'"]
    var next = 0
    for step in 0..<Extent.rounds(800, of: 4_000) {
      let tunes = shelf.mutableArray(forKey: "tunes")
      let count = shelf.tunes.count
      switch random.below(24) {
      case 0:
        arrangements.append(try arrangement(lists[random.below(5)], predicates[random.below(3)]))
        if arrangements.count > 6 { arrangements.remove(at: random.below(6)) }
      case 1: if !arrangements.isEmpty { arrangements.remove(at: random.below(arrangements.count)) }
      case 2, 3:
        next += 1
        try tunes.insert(PlainTune("\(next % 40)", random.below(10)), at: random.below(count + 1))
      case 4: if count > 30 { try tunes.remove(at: random.below(count)) }
      case 5: if let twice = shelf.tunes.randomElement(using: &random) { try tunes.append(twice) }
      case 6: if count > 60 { shelf.tunes = Array(shelf.tunes.shuffled(using: &random).prefix(20)) }
      case 7:
        guard let tune = shelf.tunes.randomElement(using: &random) else { continue }
        if random.below(5) == 0 { tokens.append(try tune.observe("name") { _ in }) }
      case 8: if !tokens.isEmpty { tokens.remove(at: random.below(tokens.count)).cancel() }
      case 9: arrangements.randomElement(using: &random)?.descriptors = lists[random.below(5)]
      case 10: arrangements.randomElement(using: &random)?.predicate = predicates[random.below(3)]
      default:
        guard let tune = shelf.tunes.randomElement(using: &random) else { continue }
        if random.below(2) == 0 { tune.name = "\(random.below(40))" } else { tune.age = random.below(10) }
      }
      for arrangement in arrangements {
        let passing = try arrangement.predicate.map { try shelf.tunes.filter($0) } ?? shelf.tunes
        let fresh = try passing.sorted(by: arrangement.descriptors)
        guard arrangement.elements.elementsEqual(fresh, by: ===) else {
          Issue.record("seed \(seed), step \(step)")
          return
        }
      }
    }
  }

  @Test("THR.1, SRT.9: observers from another thread, while elements change")
  func threads() async throws {
    let arrangement = try arrangement()
    let tunes = KVUncheckedSendable(shelf.tunes)
    let task = Task.detached {
      var tokens: [KVObservation] = []
      for tune in tunes.value { tokens.append(try tune.observe("rating") { _ in }) }
      return tokens
    }
    for round in 0..<200 { for tune in shelf.tunes { tune.name = "\((round * 7 + tune.age) % 10)" } }
    let tokens = try await task.value
    #expect(!shelf.tunes.contains(where: isShared))
    #expect(arrangement.elements.elementsEqual(try shelf.tunes.sorted(by: ["name"]), by: ===))
    withExtendedLifetime(tokens) {}
  }

  @Test("THR.1, SRT.9: elements of two lists that move between them, while another thread observes them")
  func moving() async throws {
    let other = TuneShelf([])
    let arrangements = [
      try arrangement(["name"], nil), try arrangement(["age", "name"], "age < 5"),
      try KVArrangement<PlainTune>(of: "tunes", in: other, sortedBy: ["name"]),
    ]
    let waiting = Locked<KVUncheckedSendable<[PlainTune]>?>(KVUncheckedSendable([]))
    let task = Task.detached {
      var tokens: [KVObservation] = []
      while let tunes = waiting.withLock({ waiting in
        defer { if waiting != nil { waiting = KVUncheckedSendable([]) } }
        return waiting
      }) {
        for tune in tunes.value {
          tokens.append(try tune.observe("rating") { _ in })
          if tokens.count > 20 { tokens.removeFirst().cancel() }
        }
        await Task.yield()
      }
      return tokens
    }
    var random = SplitMix64(seed: 7)
    for round in 0..<Extent.rounds(500, of: 5_000) {
      let tune = PlainTune("\(random.below(10))", random.below(10))
      shelf.tunes.insert(tune, at: random.below(shelf.tunes.count + 1))
      if random.below(2) == 0 { other.tunes.append(tune) }
      waiting.withLock { $0 = KVUncheckedSendable(($0?.value ?? []) + [tune]) }
      for _ in 0..<3 {
        let tune = shelf.tunes[random.below(shelf.tunes.count)]
        if random.below(2) == 0 { tune.name = "\(random.below(10))" } else { tune.age = random.below(10) }
      }
      if shelf.tunes.count > 12 { other.tunes.append(shelf.tunes.remove(at: random.below(12))) }
      if other.tunes.count > 12 { other.tunes.removeFirst(6) }
      for (arrangement, tunes) in zip(arrangements, [shelf.tunes, shelf.tunes.filter { $0.age < 5 }, other.tunes]) {
        let fresh = try tunes.sorted(by: arrangement.descriptors)
        try #require(arrangement.elements.elementsEqual(fresh, by: ===), "round \(round)")
      }
    }
    waiting.withLock { $0 = nil }
    for token in try await task.value { token.cancel() }
  }
}

/// An element whose keys are properties that notify themselves.
private final class PlainTune: KVObject {
  @KVProperty var name: String
  @KVProperty var age: Int
  @KVProperty var rating = 0

  init(_ name: String, _ age: Int) { (self.name, self.age) = (name, age) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PlainTune.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("rating", \.rating)
    }
  }
}

private final class TuneShelf: KVObject {
  @KVProperty var tunes: [PlainTune]

  init(_ tunes: [PlainTune]) { self.tunes = tunes }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TuneShelf.self) { key in key("tunes", \.tunes).inPlace { $1(&$0.tunes) } }
  }
}
