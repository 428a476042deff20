import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.20: listing what is registered")
struct ListingTests {
  private let person = Villager("Ada")

  @Test("KVO.20: each registration, with its path, options, style, owner and source location")
  func all() throws {
    let owner = Villager("owner")
    let line: UInt = #line + 1
    let first = try person.observe("name", options: [.old, .prior]) { _ in }
    let second = try person.observe("next.name", as: String.self) { _ in }
    try person.observe("age", owner: owner) { _, _ in }
    let third = try person.observeElements(of: "kids", "name") { _ in }
    let list = KVDiagnostics.observations(of: person).sorted { $0.location < $1.location }
    let file = "KVBindingTests/ListingTests.swift"
    #expect(
      list.map(\.description) == [
        "name [old, prior]: closure, registered at \(file):\(line)",
        "next.name [old, new]: typed closure, registered at \(file):\(line + 1)",
        "age [old, new]: closure with owner of Villager, registered at \(file):\(line + 2)",
        "kids [old, new]: each element, by \"name\", registered at \(file):\(line + 3)",
      ])
    for token in [first, second, third] { token.cancel() }
    #expect(KVDiagnostics.observations(of: person).map(\.keyPath) == ["age"])
  }

  @Test("KVO.20: per path, in the order of registration; paused ones say so")
  func perPath() throws {
    let tokens = try ["name", "age", "name", "next.name"].enumerated().map { index, path in
      try person.observe(path, options: KVObservingOptions(rawValue: UInt8(index))) { _ in }
    }
    tokens[2].pause()
    let list = try KVDiagnostics.observations(of: person, forKeyPath: "name")
    #expect(list.map(\.options) == [KVObservingOptions(rawValue: 0), KVObservingOptions(rawValue: 2)])
    #expect(list.map(\.isPaused) == [false, true])
    #expect(KVDiagnostics.observations(of: person).count == 4)
    #expect(try KVDiagnostics.observations(of: person, forKeyPath: "next").isEmpty)
    tokens.forEach { $0.cancel() }
    expectNoObserversLeft(on: person)
  }

  @Test("KVO.20: an object within a path is observed through its root, where it is listed")
  func roots() throws {
    let next = Villager("Bob")
    person.next = next
    let token = try person.observe(["next.name", "next.age"]) { _ in }
    #expect(KVDiagnostics.observations(of: person).map(\.keyPath).sorted() == ["next.age", "next.name"])
    #expect(KVDiagnostics.observations(of: next).isEmpty)
    token.cancel()
  }

  @Test(
    "KVO.20, LIF.1: a path that begins with the object itself is listed, removed by its owner, and ends with its root")
  func receiver() throws {
    var root: Villager? = Villager("Eve")
    let owner = Villager("owner")
    let token = try #require(root).observe("self.name") { _ in }
    try owner.observe(#require(root), "self.self.age", options: .distinct) { _, _, _ in }
    #expect(try KVDiagnostics.observations(of: #require(root)).map(\.keyPath) == ["self.name", "self.self.age"])
    try owner.removeObservations(of: #require(root), forKeyPath: "self.self.age")
    #expect(try KVDiagnostics.observations(of: #require(root)).map(\.keyPath) == ["self.name"])
    root = nil
    #expect(!token.isActive)
  }

  @Test("KVO.20, KVO.12: a path that comes back to its root is listed there once")
  func cycle() throws {
    person.next = person
    let token = try person.observe("next.next.name") { _ in }
    #expect(KVDiagnostics.observations(of: person).map(\.keyPath) == ["next.next.name"])
    token.cancel()
    person.next = nil
  }

  @Test("KVO.20: nothing is registered on an object that was never observed")
  func nobody() {
    expectNoObserversLeft(on: person)
  }
}
