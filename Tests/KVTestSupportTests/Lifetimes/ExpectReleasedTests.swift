import KVTestSupport
import Testing

/// `expectReleased`: what is gone, what is not, and who may be to blame.
struct ExpectReleasedTests {
  private typealias Person = KVFixtures.Person

  /// Keeps what it is given.
  private final class Keeper {
    var objects: [AnyObject] = []
    var tokens: [KVObservation] = []
  }

  // MARK: Gone

  @Test("TST.2: an object that is deallocated with the body is no failure, whatever observed and bound it")
  func releasedByBody() throws {
    let note = KVFixtures.Note()
    let failures = try KVFailureReporter.capturing {
      expectReleased { Person() }
      try expectReleased {
        let person = Person()
        try person.observe("name", owner: note) { _, _ in }
        try note.bind("text", to: "name", of: person)
        return person
      }
    }
    #expect(failures.isEmpty)
  }

  @Test("TST.2: a variable is set to nil, and its object gone is no failure")
  func releasedByVariable() {
    var person: Person? = Person()
    let failures = KVFailureReporter.capturing { expectReleased(&person) }
    #expect(failures.isEmpty)
    #expect(person == nil)
  }

  @Test("TST.2: a variable may be of a protocol; a value in it is a failure, since it cannot be released")
  func protocols() {
    var observer: (any KVObserver)? = Person()
    var value: Int? = 5
    let failures = KVFailureReporter.capturing {
      expectReleased(&observer)
      expectReleased(&value)
    }
    #expect(failures.map(\.message) == ["The variable holds no object: 5 is a value, which nobody releases."])
    #expect(observer == nil)
  }

  @MainActor
  @Test("TST.2: an asynchronous body runs where the caller does, and its object is gone at the end")
  func releasedByAsyncBody() async throws {
    let failures = try await KVFailureReporter.capturing {
      try await expectReleased {
        MainActor.assertIsolated()
        let person = Person()
        try await Task.sleep(for: .zero)
        MainActor.assertIsolated()
        person.age += 1
        return person
      }
    }
    #expect(failures.isEmpty)
  }

  // MARK: Not gone

  @Test("TST.2: an object that is kept is one failure at the caller's line, also without observers")
  func keptByVariable() {
    let keeper = Keeper()
    let failures = KVFailureReporter.capturing {
      expectReleased {
        let note = KVFixtures.Note()
        keeper.objects.append(note)
        return note
      }
    }
    #expect(failures.map(\.brief) == ["\(#line - 6): Note is still alive.\nNobody observes or binds it."])
  }

  @Test("TST.2: the failure names the observations and bindings whose closures may keep the object")
  func keptByClosure() throws {
    let (keeper, note) = (Keeper(), KVFixtures.Note())
    let line: UInt = #line + 5
    let failures = try KVFailureReporter.capturing {
      try expectReleased {
        let person = Person()
        // The handler holds the person, and the keeper the handler.
        keeper.tokens.append(try person.observe("name") { _ in _ = person.name })
        try note.bind("text", to: "name", of: person)
        return person
      }
    }
    try #require(failures.count == 1)
    #expect(
      failures[0].message == """
        Person is still alive.
        observed: name [old, new]: closure, registered at KVTestSupportTests/ExpectReleasedTests.swift:\(line)
        bound: Person.name → Note.text [active] (KVTestSupportTests/ExpectReleasedTests.swift:\(line + 1))
        None of these keeps it alive, unless a closure in it captures it.
        """)
    #expect(failures[0].location.line == Int(line) - 3)
    // That was all that kept it.
    weak var person: AnyObject?
    person = KVDiagnostics.bindings(of: note).first?.source.object
    #expect(person != nil)
    keeper.tokens = []
    #expect(person == nil)
  }

  @Test("TST.2: the failure names what the object observes as an owner: a handler that captures its owner keeps it")
  func keptByItsOwnObservation() throws {
    let model = Person()
    let line: UInt = #line + 4
    let failures = try KVFailureReporter.capturing {
      try expectReleased {
        let note = KVFixtures.Note()
        try model.observe("name", owner: note) { _, _ in note.text = model.name }
        return note
      }
    }
    #expect(
      failures.map(\.message) == [
        """
        Note is still alive.
        observes: name [old, new]: closure with owner of Note, registered at \
        KVTestSupportTests/ExpectReleasedTests.swift:\(line)
        None of these keeps it alive, unless a closure in it captures it.
        """
      ])
  }

  @Test("TST.2: a variable whose object is kept is nil all the same, and one failure")
  func keptBesidesVariable() {
    let keeper = Keeper()
    var person: Person? = Person()
    keeper.objects.append(person!)
    let failures = KVFailureReporter.capturing { expectReleased(&person) }
    #expect(failures.map(\.brief) == ["\(#line - 1): Person is still alive.\nNobody observes or binds it."])
    #expect(person == nil)
  }

  @Test("TST.2: a variable that is nil already is a failure, since nothing is known then")
  func nothingToRelease() {
    var person: Person?
    let failures = KVFailureReporter.capturing { expectReleased(&person) }
    #expect(failures.map(\.brief) == ["\(#line - 1): The variable holds no Person: it is nil already."])
  }

  @Test("TST.2: an object that is kept beyond an asynchronous body is one failure")
  func keptBeyondAsyncBody() async {
    let keeper = Keeper()
    let failures = await KVFailureReporter.capturing {
      await expectReleased {
        let person = Person()
        await Task.yield()
        keeper.objects.append(person)
        return person
      }
    }
    #expect(failures.map(\.brief) == ["\(#line - 7): Person is still alive.\nNobody observes or binds it."])
  }

  @Test("TST.2: what the body throws is thrown, and nothing is expected then")
  func throwing() async {
    let keeper = Keeper()
    let failures = await KVFailureReporter.capturing {
      #expect(throws: KVError.self) {
        try expectReleased {
          let person = Person()
          keeper.objects.append(person)
          try person.setValue(1, forKey: "nothing")
          return person
        }
      }
      await #expect(throws: KVError.self) {
        try await expectReleased {
          let person = Person()
          keeper.objects.append(person)
          await Task.yield()
          try person.setValue(1, forKey: "nothing")
          return person
        }
      }
    }
    #expect(failures.isEmpty)
  }

  @Test("TST.2: helpers of one's own pass their caller's location on")
  func locations() async {
    let keeper = Keeper()
    let location = KVTestLocation(fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 8)
    let failures = await KVFailureReporter.capturing {
      keeper.objects = [Person()]
      expectReleased({ keeper.objects[0] }, fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 8)
      await expectReleased(
        {
          await Task.yield()
          return keeper.objects[0]
        }, fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 8)
      var object: AnyObject? = keeper.objects[0]
      expectReleased(&object, fileID: "A/B.swift", filePath: "/A/B.swift", line: 7, column: 8)
    }
    #expect(failures.map(\.location) == [location, location, location])
    #expect(failures.map(\.location.fileID) == Array(repeating: "A/B.swift", count: 3))
  }
}

extension KVTestFailure {
  /// The line and the message.
  var brief: String { "\(location.line): \(message)" }
}
