import KVTestSupport
import Testing

@Suite("TST.2: compliance of whole types")
struct ComplianceTests {
  @Test("TST.2, KVO.18: models with every kind of property comply, a subclass, and one that depends on elements")
  func compliant() {
    expectCompliant { Parcel() }
    expectCompliant { AirParcel() }
    expectCompliant { HeardElements() }
  }

  @Test("TST.2: structs, classes that cannot be observed, records and collections are checked for coding alone")
  func coding() throws {
    expectCompliant { ParcelLabel() }
    expectCompliant { PlainParcel() }
    expectCompliant { DisguisedParcel() }
    expectCompliant { try KVRecord(["a": 1, "b.c": "x", "d": nil]) }
    expectCompliant { ["a": 1] }
    let found = try KVCompliance.violations { IgnoringSetter(3) }
    #expect(found.map(\.kind) == [.losesValue])
    #expect(found.map(\.key) == ["value"])
  }

  @Test("TST.2: properties that reflection sets are looked at, and models of the main actor are on it")
  @MainActor func otherModels() throws {
    expectCompliant { BoxedParcel() }
    expectCompliant { ShownParcel() }
  }

  @Test("TST.2: each check has a sample of its own")
  func samples() throws {
    var made: [Parcel] = []
    let found = try KVCompliance.violations {
      made.append(Parcel())
      return made[made.count - 1]
    }
    #expect(found == [])
    #expect(made.count > Parcel.keyTable.keys.count)
    // The last question of a key leaves a sample that differs from a new one in that key and what depends on it.
    let changed = made.filter { $0.number != 1 }
    #expect(changed.count > 0)
    #expect(changed.allSatisfy { $0.weight == 2.5 && $0.note == nil && $0.rows == ["a", "b"] })
  }

  @Test("TST.2: all violations make one failure, in the order of the keys, at the line of the caller")
  func oneFailure() {
    let failures = KVFailureReporter.capturing { expectCompliant { ThreeFaults() } }
    let line = #line - 1
    #expect(failures.count == 1)
    #expect(failures.first?.location.line == line)
    #expect(failures.first?.location.fileID == #fileID)
    #expect(
      failures.first?.message == """
        ThreeFaults does not comply with key-value coding and observing, 3 violations:
        - setterNotObservable: "first" was set from 1 to 2 in Swift, and no observer was notified. Make the property a \
        @KVProperty, or declare what it depends on with affected(by:).
        - undeclaredDependency: "sum" changed from 2 to 3 when "first" was set, and no observer was notified. Add affected(by: \
        "first", "second") to its line, or make it a @KVProperty if it is stored.
        - notNotified: "second" was set from 1 to 2 by key, and no observer was notified: its line says notifiesManually(). \
        Notify of the change by withChange(forKey:), or take notifiesManually() away.
        """)
    let single = KVFailureReporter.capturing {
      expectCompliant(ignoring: [.setterNotObservable: ["first"], .notNotified: ["second"]]) { ThreeFaults() }
    }
    #expect(
      single.first?.message.hasPrefix(
        "ThreeFaults does not comply with key-value coding and observing, a violation:\n- undeclaredDependency: ")
        == true)
  }

  @Test("TST.2: what the making of a sample throws is the failure, and reaches the caller of the list")
  func throwing() {
    struct Refusal: Error {}
    func make() throws -> Parcel { throw Refusal() }
    let failures = KVFailureReporter.capturing { expectCompliant { try make() } }
    let line = #line - 1
    #expect(
      failures.map(\.message) == [
        "Whether Parcel complies is not known: making a sample threw Refusal()"
      ])
    #expect(failures.first?.location.line == line)
    #expect(throws: Refusal.self) { try KVCompliance.violations { try make() } }
  }

  @Test("TST.2: a key that fails now and then is a violation, and no fault of the sample")
  func failingLater() throws {
    /// Cannot be read any more once it was written.
    final class Once: KVObject {
      private var isWritten = false

      override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
        if isWritten { throw KVError(.custom, "it was written") }
        return 1
      }

      override func setValue(_ value: Any?, forUndefinedKey key: String) { isWritten = true }
    }
    #expect(
      try KVCompliance.violations(values: ["hooked": 2]) { Once() }.map(\.description) == [
        #"unreadable: "hooked" could be read at first, and failed later: it was written. Let it work at any time."#
      ])
  }

  @Test("TST.2: exceptions are by kind and key; one that is not needed is said to be stale")
  func exceptions() throws {
    let accepted: [KVComplianceViolation.Kind: Set<String>] = [
      .setterNotObservable: ["first"], .notNotified: ["second"], .undeclaredDependency: ["sum"],
    ]
    expectCompliant(ignoring: accepted) { ThreeFaults() }
    let other = try KVCompliance.violations(ignoring: [.notNotified: ["first", "second"], .notifiedTwice: ["nothing"]])
    {
      ThreeFaults()
    }
    #expect(other.map(\.kind) == [.setterNotObservable, .undeclaredDependency, .staleException, .staleException])
    #expect(other.suffix(2).map(\.key) == ["first", "nothing"])
    #expect(
      other.suffix(2).map(\.description) == [
        "staleException: \"first\" is excepted from notNotified, of which there is none. Remove the exception.",
        "staleException: \"nothing\" is excepted from notifiedTwice, of which there is none. Remove the exception.",
      ])
  }

  @Test("TST.2: a value that is given is the one that is written, also for keys that only hooks answer")
  func givenValues() throws {
    let found = try KVCompliance.violations(values: ["value": 77]) { IgnoringSetter(3) }
    #expect(found.map(\.message).first?.hasPrefix("\"value\" was set to 77 by key, and reads 3.") == true)
    let byAlias = try KVCompliance.violations(values: ["other": 88]) { UnnotifiedAlias() }
    #expect(byAlias.map(\.message).first?.hasPrefix("\"value\" was set to 88 by key, and reads 3.") == true)
    expectCompliant(values: ["extra": "b"]) { Hooked() }
    #expect(
      try KVCompliance.violations(values: ["extra": "b"]) { Hooked(isReadOnly: true) }.map(\.kind) == [.refusesValue])
  }
}

/// Three keys, each with a fault of its own.
private final class ThreeFaults: KVObject {
  var first = 1
  @KVProperty private var second = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ThreeFaults.self) { key in
      key("first", \.first)
      key("sum") { $0.first + $0.second }
      key("second", \.second).notifiesManually()
    }
  }
}

/// Keeps the value of a key with two names.
private struct UnnotifiedAlias: KeyValueCoding {
  static var keyTable: KVTable {
    KVTable(UnnotifiedAlias.self) { key in key("value", { _ in 3 }, set: { _, _ in }).alias("other") }
  }
}

/// Answers a key by its hooks.
private final class Hooked: KVObject {
  private var extra: Any? = "a"
  private let isReadOnly: Bool

  init(isReadOnly: Bool = false) { self.isReadOnly = isReadOnly }

  override class var keyTable: KVTable { super.keyTable.extended(for: Hooked.self, listedKeysOnly: true) { _ in } }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    guard key == "extra" else { return try super.value(forUndefinedKey: key) }
    return extra
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    guard key == "extra", !isReadOnly else { return try super.setValue(value, forUndefinedKey: key) }
    extra = value
  }
}
