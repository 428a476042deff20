import KVTestSupport
import Testing

/// `KVLifetimeTracker`: many objects, one expectation.
struct LifetimeTrackerTests {
  private let file = "KVTestSupportTests/LifetimeTrackerTests.swift"

  @Test("TST.2: a tracker returns the object, and keeps none alive")
  func released() {
    let tracker = KVLifetimeTracker()
    do {
      let person = KVFixtures.Person()
      #expect(tracker.track(person, "a person") === person)
      #expect(tracker.alive == ["a person (Person), tracked at \(file):\(#line - 1)"])
    }
    #expect(tracker.alive.isEmpty)
    #expect(KVFailureReporter.capturing { tracker.expectAllReleased() }.isEmpty)
  }

  @Test("TST.2: objects that are alive are one failure, in the order of tracking, with line, name and observers")
  func alive() throws {
    let tracker = KVLifetimeTracker()
    let line: UInt = #line + 1
    let note = tracker.track(KVFixtures.Note())
    tracker.track(KVFixtures.Note(), "gone")
    let person = tracker.track(KVFixtures.Person(), "ada")
    let token = try person.observe("name") { _ in }
    let failures = KVFailureReporter.capturing { tracker.expectAllReleased() }
    #expect(
      failures.map(\.brief) == [
        """
        \(line + 4): Of 3 tracked objects 2 are still alive.
        Note, tracked at \(file):\(line)
          Nobody observes or binds it.
        ada (Person), tracked at \(file):\(line + 2)
          observed: name [old, new]: closure, registered at \(file):\(line + 3)
          None of these keeps it alive, unless a closure in it captures it.
        """
      ])
    #expect(tracker.alive.count == 2)
    withExtendedLifetime((note, token)) {}
  }

  @Test("TST.2: objects may be tracked, and deallocated, on any threads")
  func threads() {
    race(
      rounds: 100, { KVLifetimeTracker() }, { tracker in for _ in 0..<5 { tracker.track(KVFixtures.Note()) } },
      { tracker in for _ in 0..<5 { tracker.track(KVFixtures.Note(), "note") } }, { _ = $0.alive },
      afterEach: { #expect($0.alive.isEmpty) })
  }
}
