import Dispatch
import KVTestSupport
import Testing

@Suite("TST.2: expected changes")
struct ExpectChangesTests {
  private let till = Till()

  // MARK: What passes

  @Test("TST.2: the expected sequence passes")
  func passes() throws {
    let result = try expectChanges(
      of: till,
      [
        .set("rows", from: [10, 12.5], to: [10, 12.5, 2.5]), .set("total", from: 22.5, to: 25),
        .inserted([1.0], into: "rows", at: [0]), .changed("total"), .replaced([1.0], with: [2], in: "rows", at: [0]),
        .set("total"), .removed([2.0], from: "rows", at: [0]), .set("total", to: 25),
        .set("number", where: "even") { ($0 as? Int)?.isMultiple(of: 2) ?? false },
      ]
    ) {
      till.rows.append(2.5)
      let rows = till.mutableArray(forKey: "rows")
      try rows.insert(1, at: 0)
      try rows.replace(at: 0, with: 2)
      try rows.remove(at: 0)
      till.number = 4
      return "result"
    }
    #expect(result == "result")
  }

  @Test("TST.2: members of sets come in any order")
  func sets() throws {
    try expectChanges(of: till, [.inserted(["d", "c"], into: "tags"), .removed(["a", "b"], from: "tags")]) {
      try till.mutableSet(forKey: "tags").formUnion(["c", "d"])
      try till.mutableSet(forKey: "tags").subtract(["a", "b"])
    }
    #expect(
      try messages {
        try expectChanges(of: till, [.inserted(["e", "e"], into: "tags")]) {
          try till.mutableSet(forKey: "tags").formUnion(["e"])
        }
      }.count == 1)
  }

  @Test("TST.2: prior and initial records are expected as such")
  func moments() {
    expectChanges(
      of: till,
      [.set("number", to: 1).initial, .set("number", from: 1, to: 2).prior, .set("number", from: 1, to: 2)],
      options: [.old, .new, .initial, .prior]
    ) { till.number = 2 }
    #expect(messages { expectChanges(of: till, [.set("number").prior]) { till.number = 3 } }.count == 1)
  }

  @Test("TST.2: a record made by hand can be expected")
  func handmade() {
    let record = KVChange(object: till, keyPath: "number", old: 1, new: 2)
    expectChanges(of: till, [KVExpectedChange(record)]) { till.number = 2 }
    #expect(messages { expectChanges(of: till, [KVExpectedChange(record)]) { till.number = 2 } }.count == 1)
  }

  // MARK: What fails

  @Test("TST.1, TST.2: a difference is one failure at the caller's line, with both sequences beside each other")
  func differs() {
    let failures = KVFailureReporter.capturing {
      expectChanges(
        of: till, [.set("number", to: 2), .set("total", from: 22.5, to: 25), .set("label", to: "x")],
        watching: ["rows"]
      ) {
        till.number = 2
        till.rows.append(1.5)
      }
    }
    #expect(
      failures.map(\.message) == [
        """
        The changes of Till are not as expected: 2 of 3 expected did not come, 2 of 3 recorded were not expected.
          expected                  recorded
          number: setting … → 2     1  number: setting 1 → 2
        ≠ total: setting 22.5 → 25  2  total: setting 22.5 → 24.0
        - label: setting … → "x"
        +                           3  rows: setting [10.0, 12.5] → [10.0, 12.5, 1.5]
        """
      ])
    #expect(failures.first?.location.line == #line - 19)
    #expect(failures.first?.location.fileID == "KVTestSupportTests/ExpectChangesTests.swift")
  }

  @Test("TST.2: what is missing and what is too much stand apart")
  func missing() {
    #expect(
      messages { expectChanges(of: till, [.set("number", to: 2), .set("number", to: 3)]) { till.number = 2 } } == [
        """
        The changes of Till are not as expected: 1 of 2 expected did not come.
          expected               recorded
          number: setting … → 2  1  number: setting 1 → 2
        - number: setting … → 3
        """
      ])
    #expect(
      messages {
        expectChanges(of: till, [.set("number", to: 5)]) {
          till.number = 4
          till.number = 5
        }
      } == [
        """
        The changes of Till are not as expected: 1 of 2 recorded was not expected.
          expected               recorded
        +                        1  number: setting 2 → 4
          number: setting … → 5  2  number: setting 4 → 5
        """
      ])
  }

  @Test("TST.2: an expectation of nothing watches every key")
  func nothing() {
    #expect(messages { expectChanges(of: till, []) { till.label = "x" } }.count == 1)
    #expect(messages { expectChanges(of: till, []) { till.silent = 1 } }.isEmpty)
  }

  @Test("TST.2: only what is watched counts")
  func watching() {
    expectChanges(of: till, [.changed("number")]) {
      till.number = 2
      till.label = "x"
    }
    #expect(
      messages {
        expectChanges(of: till, [.changed("number")], watching: .all) {
          till.number = 2
          till.label = "x"
        }
      }.count == 1)
  }

  @Test("TST.2: non-exhaustive: others may come in between, but the order counts")
  func nonExhaustive() {
    expectChanges(of: till, [.set("number", to: 2), .set("number", to: 4)], matching: .nonExhaustive) {
      for number in 1...5 { till.number = number }
    }
    #expect(
      messages {
        expectChanges(of: till, [.set("number", to: 4), .set("number", to: 2)], matching: .nonExhaustive) {
          for number in 1...4 { till.number = number }
        }
      } == [
        """
        The changes of Till are not as expected: 1 of 2 expected did not come.
          expected               recorded
                                 1  number: setting 5 → 1
                                 2  number: setting 1 → 2
                                 3  number: setting 2 → 3
          number: setting … → 4  4  number: setting 3 → 4
        - number: setting … → 2
        """
      ])
  }

  @Test("TST.2: any order: all of them and nothing else, each expectation for one record")
  func anyOrder() {
    // The open expectation comes first, and must not take the record that the strict one needs.
    expectChanges(of: till, [.changed("number"), .set("number", to: 2), .set("label", to: "x")], matching: .anyOrder) {
      till.number = 2
      till.label = "x"
      till.number = 3
    }
    #expect(
      messages {
        expectChanges(of: till, [.set("number", to: 7)], matching: .anyOrder, watching: ["label"]) { till.label = "y" }
      }
      .count == 1)
  }

  @Test("TST.2: wide rows stand below each other, and of long sequences only what differs is shown")
  func wideAndLong() {
    let long = String(repeating: "x", count: 60)
    #expect(
      messages { expectChanges(of: till, [.set("label", to: long)]) { till.label = "y" } } == [
        """
        The changes of Till are not as expected: 1 of 1 expected did not come, 1 of 1 recorded was not expected.
        - expected  label: setting … → "\(long)"
        + recorded  1  label: setting nil → "y"
        """
      ])
    let all = (1...100).map { KVExpectedChange.set("number", to: $0 == 50 ? 0 : $0) }
    let message = messages { expectChanges(of: till, all) { for number in 1...100 { till.number = number } } }.joined()
    #expect(message.split(separator: "\n").count == 14)
    #expect(message.contains("\n  … 46 more …\n"))
    #expect(message.contains("≠ number: setting … → 0    50   number: setting 49 → 50"))
    #expect(message.hasSuffix("number: setting … → 100  100  number: setting 99 → 100"))
  }

  @Test("TST.2: a path that cannot be observed is the failure, and the body runs all the same")
  func unobservable() {
    var ran = false
    #expect(
      messages { expectChanges(of: till, [.changed("numbr")]) { ran = true } } == [
        """
        Till cannot be observed: undefined key "numbr" of Till. Did you mean "number"? Known keys: label, next, number, rows, \
        silent, tags, total.
        """
      ])
    #expect(ran)
  }

  @Test("TST.2: what the body throws comes through, and nothing else is reported")
  func throwing() {
    struct Stop: Error {}
    let failures = KVFailureReporter.capturing {
      #expect(throws: Stop.self) { try expectChanges(of: till, [.changed("number")]) { throw Stop() } }
      #expect(throws: Stop.self) { try expectNoChange(of: till) { throw Stop() } }
    }
    #expect(failures.isEmpty)
  }

  // MARK: Waiting

  @Test("TST.2: changes of detached tasks are waited for, without sleeping")
  func detached() async {
    let shared = KVUncheckedSendable(till)
    await expectChanges(of: till, [.set("number", to: 2), .set("number", to: 3)], within: .seconds(3600)) {
      Task.detached {
        shared.value.number = 2
        DispatchQueue.global().async { shared.value.number = 3 }
      }
    }
  }

  @Test("TST.2: what never comes fails at the deadline, at the caller's line")
  func deadline() async {
    let failures = await KVFailureReporter.capturing {
      await expectChanges(of: till, [.set("number", to: 2), .set("number", to: 3)], within: .milliseconds(1)) {
        till.number = 2
      }
    }
    #expect(
      failures.map(\.message) == [
        """
        The changes of Till are not as expected within 0.001 seconds: 1 of 2 expected did not come.
          expected               recorded
          number: setting … → 2  1  number: setting 1 → 2
        - number: setting … → 3
        """
      ])
    #expect(failures.first?.location.line == #line - 13)
  }

  @Test("TST.2: non-exhaustive waiting goes on until what is expected has come")
  func nonExhaustiveWaiting() async {
    let shared = KVUncheckedSendable(till)
    await expectChanges(of: till, [.set("number", to: 90)], matching: .nonExhaustive, within: .seconds(3600)) {
      Task.detached { for number in 1...100 { shared.value.number = number } }
    }
  }

  // MARK: None

  @Test("TST.2: no change: the first unexpected ones are listed")
  func noChange() {
    expectNoChange(of: till, "total") { till.number = 2 }
    expectNoChange(of: till, "number", options: [.old, .new, .distinct]) { till.number = 2 }
    let failures = KVFailureReporter.capturing {
      expectNoChange(of: till, "number") { for number in 1...12 { till.number = number } }
    }
    #expect(failures.map(\.location.line) == [#line - 2])
    #expect(
      failures.first?.message.hasPrefix(
        "Till told of 12 changes where none was expected:\n1   number  setting  2 → 1\n2 ") == true)
    #expect(failures.first?.message.hasSuffix("\n10  number  setting  9 → 10\n… 2 more") == true)
    #expect(
      messages { expectNoChange(of: till) { till.label = "x" } } == [
        #"""
        Till told of a change where none was expected:
        1  label  setting  nil → "x"
        """#
      ])
  }

  @Test("TST.2: no change while an asynchronous body runs")
  func noChangeAsync() async {
    let shared = KVUncheckedSendable(till)
    let failures = await KVFailureReporter.capturing {
      await expectNoChange(of: till, "number") { await Task.detached { shared.value.number = 2 }.value }
      await expectNoChange(of: till, "number") { await Task.yield() }
    }
    #expect(failures.map(\.location.line) == [#line - 3])
  }
}
