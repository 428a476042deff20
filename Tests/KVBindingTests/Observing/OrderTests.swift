import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.6, KVO.8, KVO.9: order of delivery")
struct OrderTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVO.6: records come in the order of registration, prior records too, and all prior ones first")
  func order() throws {
    let tokens = [
      try log.watch(person, "name", [.new], as: "A"), try log.watch(person, "name", [.prior], as: "B"),
      try log.watch(person, "name", [.prior, .old], as: "C"), try log.watch(person, "name", [.old], as: "D"),
    ]
    person.name = "b"
    #expect(
      log.lines == [
        "B: name setting prior nil → nil", "C: name setting prior Ada → nil", "A: name setting nil → b",
        "B: name setting nil → nil", "C: name setting Ada → nil", "D: name setting Ada → nil",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.6: the order stays when some cancel and others come")
  func orderAfterCancelling() throws {
    var tokens: [KVObservation] = []
    for index in 0..<40 { tokens.append(try log.watch(person, "age", [], as: "\(index)")) }
    for index in stride(from: 0, to: 40, by: 3) { tokens[index].cancel() }
    for index in 40..<50 { tokens.append(try log.watch(person, "age", [], as: "\(index)")) }
    person.age = 1
    let expected = (0..<50).filter { $0 >= 40 || $0 % 3 != 0 }.map { "\($0): age setting nil → nil" }
    #expect(log.lines == expected)
  }

  @Test(
    "KVO.6: the number of a registration that comes after 2³² others begins anew, and is still the later one",
    arguments: [(1, 2), (.max, 1), (.max - 5, 7), (0, 1 << 30), (3 << 30, 1 << 28)] as [(UInt32, UInt32)])
  func wrappedNumbers(earlier: UInt32, later: UInt32) {
    #expect(RegistrationOrder.isEarlier(earlier, than: later))
    #expect(!RegistrationOrder.isEarlier(later, than: earlier))
    #expect(!RegistrationOrder.isEarlier(later, than: later))
  }

  @Test("KVO.6: paths that come to one object in any order are notified in the order of registration", arguments: 1...3)
  func comingInAnyOrder(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let roots = (0..<60).map { Villager("\($0)") }
    let shared = Villager("shared")
    var tokens: [KVObservation] = []
    for (index, root) in roots.enumerated() { tokens.append(try log.watch(root, "next.name", [], as: "\(index)")) }
    tokens.append(try log.watch(shared, "name", [], as: "last"))
    var here: Set<Int> = []
    for index in (0..<60).shuffled(using: &random) {
      roots[index].next = shared
      here.insert(index)
      if index % 7 == 0 {
        tokens[index].cancel()
        here.remove(index)
      }
      guard index % 5 == 0 else { continue }
      _ = log.take()
      shared.name = "x"
      #expect(log.take().map { $0.prefix { $0 != ":" } } == here.sorted().map { "\($0)" } + ["last"])
    }
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.6: keys, paths and dependent keys that are notified of one change come in the order of registration")
  func orderAcrossKeys() throws {
    let tokens = [
      try log.watch(person, "shout", [], as: "A"), try log.watch(person, "name", [], as: "B"),
      try log.watch(person, "shout", [], as: "C"), try log.watch(person, "name", [], as: "D"),
    ]
    person.name = "x"
    #expect(log.lines.map { $0.prefix(1) } == ["A", "B", "C", "D"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.6: a path that left an object and came back keeps its position in the order", arguments: [false, true])
  func orderAfterReplacing(_ prior: Bool) throws {
    let next = Villager("Bob")
    person.next = next
    let options: KVObservingOptions = prior ? [.prior] : []
    let tokens = [
      try log.watch(person, "next.name", options, as: "A"), try log.watch(next, "name", [], as: "B"),
      try log.watch(person, "next.name", [], as: "C"),
    ]
    person.next = Villager("Eve")
    person.next = next
    _ = log.take()
    next.name = "x"
    let after = log.lines.filter { !$0.contains("prior") }
    #expect(after.map { $0.prefix(1) } == ["A", "B", "C"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.6: the order of registration, whatever leaves, comes back and is cancelled", arguments: [1, 2])
  func randomOrder(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let leaf = Villager("leaf")
    let roots = (0..<4).map { Villager("\($0)", next: leaf) }
    var tokens: [Int: KVObservation] = [:]
    for round in 0..<600 {
      let root = roots[random.below(4)]
      switch random.below(6) {
      case 0: root.next = nil
      case 1, 2: root.next = leaf
      case 3: if let some = tokens.keys.randomElement(using: &random) { tokens[some] = nil }
      default:
        let isLeaf = random.below(2) == 0
        let path = try KVKeyPath((isLeaf ? "" : "next.") + (random.below(3) == 0 ? "shout" : "name"))
        tokens[round] = try log.watch(isLeaf ? leaf : root, path, random.below(40) == 0 ? [.prior] : [], as: "\(round)")
      }
      _ = log.take()
      leaf.name = "x"
      let received = log.take().filter { !$0.contains("prior") }.compactMap { Int($0.prefix { $0 != ":" }) }
      #expect(received == received.sorted() && Set(received).count == received.count, "round \(round), seed \(seed)")
      if received != received.sorted() { break }
    }
    #expect(tokens.count > 20)
  }

  @Test("KVO.6: delivery is synchronous, on the thread that changes the value")
  func thread() async throws {
    let isSame = await Task.detached {
      let person = Villager("Ada")
      var seen = 0
      let token = try? person.observe("age", options: []) { _ in seen = person.age }
      person.age = 3
      token?.cancel()
      return seen == 3
    }.value
    #expect(isSame)
  }

  @Test("KVO.9: registering twice delivers twice; each token cancels its own, and doing so again does nothing")
  func twice() throws {
    let first = try log.watch(person, "name", [], as: "1")
    let second = try log.watch(person, "name", [], as: "2")
    person.name = "a"
    first.cancel()
    first.cancel()
    person.name = "b"
    second.cancel()
    person.name = "c"
    first.cancel()
    #expect(log.lines.map { $0.prefix(1) } == ["1", "2", "2"])
    #expect(!first.isActive && !second.isActive)
  }

  @Test("KVO.9: cancelling the observation of one key leaves the other key's")
  func otherKeys() throws {
    let name = try log.watch(person, "name", [])
    let age = try log.watch(person, "age", [])
    name.cancel()
    person.name = "x"
    person.age = 1
    #expect(log.lines == ["age setting nil → nil"])
    age.cancel()
  }

  @Test("KVO.10: dropping a token cancels it")
  func dropping() throws {
    var token: KVObservation? = try log.watch(person, "next.name", [])
    person.next = Villager("Bob")
    #expect(log.take().count == 1)
    token = nil
    person.next = nil
    #expect(log.lines == [] && token == nil)
  }

  @Test("KVO.1: several paths by one token; if one cannot be observed none is")
  func severalPaths() throws {
    let token = try person.observe(["name", "next.age", "shout"]) { [log] in log.add($0) }
    person.name = "x"
    person.next = Villager("Bob", age: 4)
    #expect(
      log.take() == ["name setting Ada → x", "shout setting Ada → x", "next.age setting nil → 4"])
    token.cancel()
    #expect(throws: KVError.self) { try person.observe(["name", "nothing"]) { [log] in log.add($0) } }
    person.name = "y"
    #expect(log.lines == [])
    expectNoObserversLeft(on: person)
  }
}
