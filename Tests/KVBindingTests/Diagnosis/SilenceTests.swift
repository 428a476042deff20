import Foundation
import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("DIA.1, DIA.3: calls without effect are reported, and events name the root")
struct SilenceTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("DIA.3: a delivery names the root and the path as registered, and the object that changed")
  func roots() throws {
    let next = Villager("Bob")
    person.next = next
    let token = try person.observe("next.plain") { _ in }
    let single = try person.observe("plain") { _ in }
    let events = try capturingEvents(level: .verbose) {
      try next.setValue("x", forKey: "plain")
      try person.setValue("y", forKey: "plain")
      token.cancel()
      single.cancel()
    }.about(person)
    #expect(
      events.map(\.message) == [
        "Villager.next.plain: setting \"plain\" → \"x\" (change), in Villager",
        "Villager.plain: setting \"plain\" → \"y\" (change)", "Villager.next.plain: closure ended",
        "Villager.plain: closure ended",
      ])
    #expect(events.map(\.changedObject) == [ObjectIdentifier(next), nil, nil, nil])
  }

  @Test("KVO.16: indexes that do not exist are reported and left out; nothing is left: nobody is notified")
  func indexes() throws {
    person.rows = ["a", "b"]
    let token = try log.watch(person, "rows", [.old, .new, .prior])
    let events = capturingEvents {
      person.withChange(.removal, at: [5], forKey: "rows") {}
      person.withChange(.removal, at: [1, 5], forKey: "rows") { person.rows = ["a"] }
      person.withChange(.insertion, at: [1, 7], forKey: "rows") { person.rows = ["a", "c"] }
      person.withChange(.insertion, at: [7], forKey: "rows") {}
      person.withChange(.replacement, at: [0, 9], forKey: "rows") {}
    }.about(person)
    #expect(
      log.lines.filter { !$0.contains("setting") && !$0.contains("prior") } == [
        "rows removal at [1] [b] → nil", "rows insertion at [1] nil → [c]", "rows replacement at [0] [a] → [a]",
      ])
    #expect(events.allSatisfy { $0.level == .warning && $0.topic == .unmatchedChange && $0.keyPath == "rows" })
    #expect(events.count >= 5)
    #expect(
      events.first?.message == """
        a manual change of "rows" of Villager is removal at 5, but there are 2 elements before it: indexes that do not \
        exist are left out.
        """)
    token.cancel()
  }

  @Test("TOM.2: members of a manual change are those that were really added and removed")
  func members() throws {
    person.tags = ["a", "b"]
    let token = try log.watch(person, "tags")
    func change(_ kind: KVChangeKind, _ members: Set<String>, to tags: Set<String>) -> [String] {
      person.withChange(kind, members: members, forKey: "tags") { person.tags = tags }
      return log.take().filter { !$0.contains("tags setting") }
    }
    #expect(change(.insertion, ["b", "c"], to: ["a", "b", "c"]) == ["tags insertion nil → [c]"])
    #expect(change(.removal, ["c", "x"], to: ["a", "b"]) == ["tags removal [c] → nil"])
    #expect(change(.replacement, ["z"], to: ["a", "z"]) == ["tags replacement [b] → [z]"])
    #expect(change(.insertion, ["a"], to: ["a", "z"]) == [])
    token.cancel()
  }

  @Test("KVO.16: a manual change of a key that does not exist")
  func undefinedKey() throws {
    let token = try log.watch(person, "plain")
    let events = capturingEvents {
      person.withChange(forKey: "plane") {}
      person.withChange(forKey: "silent") {}
    }.about(person)
    #expect(events.map(\.keyPath) == ["plane"])
    #expect(events.first?.message.contains("undefined key \"plane\" of Villager") == true)
    token.cancel()
  }

  @Test("KVO.16, LIF.1: a manual change that nobody ends keeps no object alive, and is reported when the object dies")
  func unended() throws {
    var mortal: Villager? = Villager("Bob")
    mortal?.hidden = person
    weak let observed = mortal
    let id = try ObjectIdentifier(#require(mortal))
    let tokens = try mortal.map {
      [try log.watch($0, "plain"), try log.watch($0, "shout"), try log.watch($0, "hidden.name")]
    }
    mortal?.willChangeValue(forKey: "plain")
    mortal?.willChangeValue(forKey: "name")
    mortal?.willChangeValue(forKey: "hidden")
    let events = capturingEvents { mortal = nil }.filter { $0.object == id }
    #expect(observed == nil)
    #expect(events.map(\.topic) == [.unmatchedChange])
    #expect(
      events.first?.message == """
        a manual change of "hidden", "name", "plain" of Villager was begun and never ended: nothing was delivered. \
        withChange(forKey:) cannot be left unmatched.
        """)
    withExtendedLifetime(tokens) {}
  }

  @Test("COA.1: a scope that its thread does not commit is reported when the thread ends, and releases its records")
  func uncommitted() throws {
    var mortal: Villager? = Villager("Bob")
    weak let observed = mortal
    let token = try log.watch(#require(mortal), "name", [.new, .coalesced])
    let events = capturingEvents {
      let shared = Mutexed(KVUncheckedSendable(mortal))
      mortal = nil
      WorkerThread {
        KVCoalescing.begin()
        shared.withLock { taken in
          taken.value?.name = "x"
          taken = KVUncheckedSendable(nil)
        }
      }.runToEnd()
    }
    #expect(observed == nil && log.lines == [])
    #expect(events.contains { $0.topic == .unmatchedChange && $0.message.hasPrefix("a thread ended between") })
    token.cancel()
  }

  @Test("TGT.3, BND.9: removing what matches nothing")
  func removals() throws {
    let view = TargetView()
    let item = TargetItem()
    try item.addTarget(view, TargetView.reload, forKeyPath: "name")
    let events = try capturingEvents {
      try item.removeTarget(view, TargetView.touch, forKeyPath: "name")
      try item.removeTarget(view, TargetView.reload, forKeyPath: "name")
      try person.unbind("name")
    }.filter { $0.topic == .unmatchedRemoval }
    #expect(events.about(item).count == 1 && events.about(person).count == 1)
    #expect(
      events.about(item).first?.message == """
        removeTarget removes nothing: the action "touch" of TargetView is not registered for "name" of \
        TargetItem. KVDiagnostics.observations(of:) lists what is.
        """)
  }

  @Test("KVO.22: an observation is not active once its owner or its object has died")
  func activity() throws {
    final class Owner {}
    var owner: Owner? = Owner()
    var mortal: Villager? = Villager("Bob")
    let tokens = [
      try person.observe("name", owner: #require(owner)) { _, _ in }, try #require(mortal).observe("name") { _ in },
    ]
    #expect(tokens.map(\.isActive) == [true, true])
    owner = nil
    mortal = nil
    #expect(tokens.map(\.isActive) == [false, false])
  }

  #if DEBUG
    @Test("DIA.1: until a handler is set, debug builds write warnings and errors to standard error")
    func standardError() async {
      let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
        let person = Villager("Ada")
        let token = try person.observe("plain") { _ in }
        let endChange = { person.didChangeValue(forKey: "plain") }
        endChange()
        KVDiagnostics.setHandler(nil)
        endChange()
        token.cancel()
      }
      let lines = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).split(separator: "\n")
        .filter { $0.hasPrefix("KVBinding:") }
      #expect(
        lines == [
          """
          KVBinding: [warning] didChangeValue(forKey: "plain") of Villager without willChangeValue(forKey:) before it: \
          nothing is delivered. withChange(forKey:) cannot be left unmatched.
          """
        ])
    }
  #endif
}
