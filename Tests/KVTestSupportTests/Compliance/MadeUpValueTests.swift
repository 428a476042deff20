import Foundation
import KVTestSupport
import Testing

/// Keeps its value whatever is written.
struct IgnoringSetter<Value>: KeyValueCoding {
  let value: Value

  init(_ value: Value) { self.value = value }

  static var keyTable: KVTable {
    KVTable(IgnoringSetter<Value>.self) { key in key("value", { $0.value }, set: { _, _ in }) }
  }
}

@Suite("TST.2: values that are made up")
struct MadeUpValueTests {
  /// A value to begin with, and the one that is tried first.
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let tried: String
    let find: @Sendable () throws -> [KVComplianceViolation]

    init<Value: Sendable>(_ value: @autoclosure @escaping @Sendable () -> Value, _ tried: String) {
      testDescription = "\(Value.self)"
      self.tried = tried
      find = { try KVCompliance.violations { IgnoringSetter(value()) } }
    }
  }

  static let cases: [Case] = [
    Case(3, "4"),
    Case(Int8.max, "126"),
    Case(UInt.min, "1"),
    Case(2.5, "3.5"),
    Case(Float(1), "2.0"),
    Case(Decimal(1), "2"),
    Case(true, "false"),
    Case("ab", "\"abx\""),
    Case(String?.none, "\"x\""),
    Case(String?.some("a"), "\"ax\""),
    Case(ParcelSize.small, "large"),
    Case(ParcelGrade.low, "high"),
    Case(ParcelFlags.fragile, "ParcelFlags(rawValue: 2)"),
    Case(Date(timeIntervalSinceReferenceDate: 0), "2001-01-02 00:00:00 +0000"),
    Case(Data([1]), "2 bytes"),
    Case(URL(string: "https://example.org/a"), "https://example.org/a/x"),
    Case([1, 2], "[1, 3]"),
    Case([String](), "[\"x\"]"),
    Case(Set<Int>(), "[1]"),
    Case(["a": 1], "[\"a\": 2]"),
    Case([String: Int](), "[\"x\": 1]"),
    Case([[1]], "[[2]]"),
    Case(ParcelLabel(), "ParcelLabel(text: \"tox\", lines: [\"a\"])"),
    Case([ParcelLabel()], "[ParcelLabel(text: \"tox\", lines: [\"a\"])]"),
    Case(5 as (any Sendable)?, "6"),
  ]

  @Test("TST.2: what is written differs from what is there, for values of many types", arguments: cases)
  func madeUp(_ made: Case) throws {
    let messages = try made.find().map(\.message)
    #expect(messages.count >= 1)
    #expect(messages.first?.hasPrefix("\"value\" was set to \(made.tried) by key, and reads ") == true, "\(messages)")
  }

  @Test("TST.2: objects are of the sample's own type, or taken from another sample; nil is tried last")
  func objects() throws {
    let found = try KVCompliance.violations { IgnoringTwin() }
    #expect(found.map(\.key) == ["twin", "sender", "rest"])
    #expect(found.map(\.kind) == [.losesValue, .losesValue, .losesValue])
    // Without what tells objects of one class apart.
    let messages = found.map { $0.message.replacing(#/\(…[0-9a-f]+\)/#, with: "") }
    #expect(messages[0].hasPrefix("\"twin\" was set to IgnoringTwin by key, and reads nil."))
    #expect(messages[1].hasPrefix("\"sender\" was set to Sender by key, and reads Sender."))
    #expect(messages[2].hasPrefix("\"rest\" was set to [IgnoringTwin] by key, and reads []."))
  }

  @Test("TST.2: where the validator refuses a value another one is tried; what it replaces it by is taken")
  func validators() throws {
    let found = try KVCompliance.violations { Picky() }
    #expect(
      found.map(\.message) == [
        "\"low\" was set to 9 by key, and reads 10. Let the setter store what it is given, or make the key read-only.",
        "\"even\" was set to 12 by key, and reads 10. Let the setter store what it is given, or make the key read-only.",
      ])
  }

  @Test("TST.2: where no other value is known the one that is there is written")
  func weak() throws {
    expectCompliant { IgnoringSetter(Locale?.none) }
    expectCompliant { IgnoringSetter { () -> Void in } }
    let found = try KVCompliance.violations { Opaque() }
    #expect(
      found.map(\.message) == [
        """
        "done" was set to nil again in Swift, and no observer was notified. Make the property a @KVProperty, or declare what it \
        depends on with affected(by:).
        """
      ])
  }

  @Test("TST.2: a setter that tidies up complies, one that makes something else each time does not")
  func tidying() throws {
    expectCompliant { Tidy { $0.hasSuffix("!") ? $0 : $0 + "!" } }
    expectCompliant { Tidy { String($0.prefix(1)) } }
    let found = try KVCompliance.violations { Tidy { $0 + "!" } }
    #expect(
      found.map(\.message) == [
        """
        "name" was set to "ax" by key, and reads "ax!". Let the setter store what it is given, or make the key read-only.
        """
      ])
  }
}

final class IgnoringTwin: KeyValueCoding {
  let sender = Sender()

  static var keyTable: KVTable {
    KVTable(IgnoringTwin.self) { (key: KVObjectKeys<IgnoringTwin>) in
      key("twin", { _ in IgnoringTwin?.none }, set: { _, _ in })
      key("sender", { $0.sender }, set: { _, _ in })
      key("rest", { _ in [IgnoringTwin]() }, set: { _, _ in })
    }
  }
}

private struct Picky: KeyValueCoding {
  struct TooMuch: Error {}

  static var keyTable: KVTable {
    KVTable(Picky.self) { key in
      key("low", { _ in 10 }, set: { _, _ in }).validated { if $0 > 10 { throw TooMuch() } else { .valid } }
      key("even", { _ in 10 }, set: { _, _ in }).validated { $0 % 2 == 0 ? .valid : .replaced(with: $0 + 1) }
    }
  }
}

private final class Opaque: KVObject {
  var done: (() -> Void)?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Opaque.self) { key in key("done", \.done) }
  }
}

private struct Tidy: KeyValueCoding {
  private var name = "a"
  private let tidy: (String) -> String

  init(_ tidy: @escaping (String) -> String) { self.tidy = tidy }

  static var keyTable: KVTable {
    KVTable(Tidy.self) { key in key("name", { $0.name }, set: { $0.name = $0.tidy($1) }) }
  }
}
