import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.17, LIF.4: elements that come and go in pauses and in handlers")
struct ElementsFollowingTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()
  private let a = Villager("a", age: 1)
  private let b = Villager("b", age: 2)

  @Test("LIF.4, KVO.17: a pause suppresses the records of elements; those that come meanwhile are followed")
  func pause() throws {
    person.kids = [a]
    let token = try person.observeElements(of: "kids", "name") { [log] in log.add($0) }
    token.pause()
    a.name = "unheard"
    try person.mutableArray(forKey: "kids").append(b)
    b.name = "unheard"
    try person.mutableArray(forKey: "kids").remove(at: 0)
    #expect(log.lines == [] && token.isPaused)
    token.resume()
    a.name = "gone"
    b.name = "heard"
    #expect(log.lines == ["name setting unheard → heard"])
    token.cancel()
    expectNoObserversLeft(on: b)
  }

  @Test("LIF.4, KVO.3: the first record of an element that comes in a pause is not delivered later")
  func initialInPause() throws {
    let token = try person.observeElements(of: "kids", "name", options: [.new, .initial]) { [log] in log.add($0) }
    token.pause()
    person.kids = [a]
    token.resume()
    #expect(log.lines == [])
    a.name = "heard"
    #expect(log.lines == ["name setting nil → heard"])
    token.cancel()
  }

  @Test("KVO.7, KVO.17: a first record whose handler brings the same element again leaves one registration")
  func initialBringsItAgain() throws {
    let token = try person.observeElements(of: "kids", "name", options: [.new, .initial]) { [log, person, a] change in
      log.add(change)
      if change.isInitial, person.kids.count < 3 { try? person.mutableArray(forKey: "kids").append(a) }
    }
    try person.mutableArray(forKey: "kids").append(a)
    #expect(person.kids.count == 2)
    #expect(KVDiagnostics.observations(of: a).count == 1)
    _ = log.take()
    a.name = "once"
    #expect(log.lines == ["name setting nil → once"])
    person.kids = []
    expectNoObserversLeft(on: a)
    token.cancel()
  }

  @Test("KVO.3, KVO.6: first records of elements come in order, after handlers that were registered before")
  func turn() throws {
    let first = try person.observe("kids") { [log, a] _ in
      log.add("kids")
      a.name = "changed"
    }
    let token = try person.observeElements(of: "kids", "name", options: [.new, .initial]) { [log] in log.add($0) }
    person.kids = [a]
    #expect(log.lines == ["kids", "name setting initial nil → changed"])
    withExtendedLifetime((first, token)) {}
  }

  @Test("KVO.18: an element that a handler of the same change changes is observed by the operator")
  func operandInHandler() throws {
    let first = try person.observe("kids") { [b] _ in b.age = 10 }
    let token = try log.watch(person, "kids.@sum.age", [.new])
    try person.mutableArray(forKey: "kids").append(b)
    #expect(log.lines == ["kids.@sum.age setting nil → 10", "kids.@sum.age setting nil → 2"])
    withExtendedLifetime((first, token)) {}
  }

  @Test("KVO.17: if a later element is refused no first record was delivered, and nothing stays")
  func refused() throws {
    final class Other: KVObject {}
    let record = KVRecord()
    record["parts"] = [a, Other()]
    #expect(throws: KVError.self) {
      try record.observeElements(of: "parts", "name", options: [.new, .initial]) { [log] in log.add($0) }
    }
    #expect(log.lines == [] && KVDiagnostics.observations(of: a).isEmpty)
  }
}
