import KVCore
import KVTestSupport
import Testing

/// `race`: bodies at once, round after round.
struct RaceTests {
  private struct First: Error {}
  private struct Second: Error {}

  @Test("TST.3: bodies run at once: each can wait for the others within a round", arguments: [2, 3])
  func overlap(count: Int) {
    let check: (Meeting) -> Void = { #expect($0.metCount == count) }
    if count == 2 {
      race(rounds: 50, { Meeting() }, { $0.meet(2) }, { $0.meet(2) }, afterEach: check)
    } else {
      race(rounds: 10, { Meeting() }, { $0.meet(3) }, { $0.meet(3) }, { $0.meet(3) }, afterEach: check)
    }
  }

  @Test("TST.3: each round has a subject of its own, which all bodies and the check share and nothing keeps")
  func freshSubject() {
    let tracker = KVLifetimeTracker()
    let (made, checked) = (ThreadCounter(), ThreadCounter())
    race(
      rounds: 30,
      {
        // That of the round before is gone already.
        tracker.expectAllReleased()
        made.add(1)
        return tracker.track(KVFixtures.Shelf(books: []))
      },
      { shelf in shelf.mutableArray("books", append: "a") }, { _ in },
      afterEach: { shelf in
        #expect(shelf.books == ["a"])
        checked.add(1)
      })
    tracker.expectAllReleased()
    #expect((made.value, checked.value) == (30, 30))
  }

  @Test("TST.3: subjects need not be Sendable: what the package promises of threads can be raced on plain models")
  func observing() {
    race(
      rounds: 100, { KVFixtures.Person() }, { $0.name = "Grace" },
      { person in _ = try? person.observe("name") { _ in } },
      afterEach: { person in
        #expect(person.name == "Grace")
        expectNoObserversLeft(on: person)
      })
  }

  @Test("TST.3: the form without a subject runs each body once a round, 200 rounds by default")
  func withoutSubject() throws {
    let (first, second) = (ThreadCounter(), ThreadCounter())
    race({ first.add(1) }, { second.add(1) })
    #expect((first.value, second.value) == (200, 200))
    try race(rounds: 3, { first.add(1) }, { if second.add(1) < 0 { throw First() } })
    #expect((first.value, second.value) == (203, 203))
    race(rounds: 0, { first.add(1) }, { second.add(1) })
    #expect((first.value, second.value) == (203, 203))
  }

  @Test("TST.3: an error ends the race when its round is over; of several it is that of the first body")
  func errors() {
    let (rounds, others, checks) = (ThreadCounter(), ThreadCounter(), ThreadCounter())
    #expect(throws: First.self) {
      try race(
        rounds: 10, { rounds.add(1) }, { number in if number == 3 { throw First() } },
        { number in
          others.add(1)
          if number == 3 { throw Second() }
        }, afterEach: { _ in checks.add(1) })
    }
    #expect((rounds.value, others.value, checks.value) == (3, 3, 2))
    #expect(throws: Second.self) { try race({ rounds.add(0) }, { throw Second() }) }
  }

  @Test("TST.3: what the making of the subject and the check throw ends the race")
  func errorsAround() {
    let count = ThreadCounter()
    #expect(throws: First.self) {
      try race({ throw First() }, { (_: Int) in count.add(1) }, { _ in count.add(1) })
    }
    #expect(count.value == 0)
    #expect(throws: Second.self) {
      try race({ 1 }, { _ in count.add(1) }, { _ in count.add(1) }, afterEach: { _ in throw Second() })
    }
    #expect(count.value == 2)
  }

  @Test(
    "TST.3: what bodies expect in vain is reported after the round, on the thread of the caller, and ends the race")
  func failures() {
    let reported = ThreadLog()
    let reporter = KVFailureReporter { reported.add($0.message) }
    KVFailureReporter.with(reporter) {
      race(
        rounds: 2, { KVFixtures.Note() }, { _ in },
        { note in
          var other: KVFixtures.Note? = note
          expectReleased(&other)
        }, afterEach: { _ in reported.add("checked") })
    }
    let message = "Note is still alive.\nNobody observes or binds it."
    #expect(reported.take() == [message, "checked"])
  }

  @Test("TST.3: what bodies capture is released when the race returns")
  func ended() {
    let tracker = KVLifetimeTracker()
    func run() {
      let tracked = tracker.track(ThreadCounter())
      race(rounds: 2, { tracked.add(1) }, { tracked.add(1) })
      #expect(tracked.value == 4)
    }
    run()
    tracker.expectAllReleased()
  }
}

extension KVFixtures.Shelf {
  fileprivate func mutableArray(_ key: String, append element: String) {
    do { try mutableArray(forKey: key).append(element) } catch { Issue.record(error) }
  }
}
