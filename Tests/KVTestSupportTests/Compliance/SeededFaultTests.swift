import KVTestSupport
import Testing

@Suite("TST.2: seeded faults")
struct SeededFaultTests {
  /// A model with one fault, and what is to be found of it.
  struct Seed: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let kind: KVComplianceViolation.Kind
    let key: String?
    let message: String
    let find: @Sendable () throws -> [KVComplianceViolation]

    init(
      _ kind: KVComplianceViolation.Kind, _ key: String?, _ message: String,
      _ find: @escaping @Sendable () throws -> [KVComplianceViolation]
    ) {
      testDescription = key.map { "\(kind): \($0)" } ?? "\(kind)"
      self.kind = kind
      self.key = key
      self.message = message
      self.find = find
    }
  }

  static let coding: [Seed] = [
    Seed(
      .invalidTable, nil,
      """
      the keyTable of UnknownDependency has a fault:
      - "total" is affected by "prise", but there is no key "prise". Did you mean "price"?
      """
    ) { try KVCompliance.violations { UnknownDependency() } },
    Seed(
      .unreadable, "there",
      """
      "there" cannot be read: undefined key "there" of Elusive. It has no keys. Computed, static and lazy properties \
      are invisible to reflection: mark Elusive with @KVModel, or add static var keyTable: KVTable { KVTable(Elusive.self) { \
      key in key("there", \\.there) } } to Elusive, which has no keyTable of its own (a property of another name, or of \
      instances, is not one).
      """
    ) { try KVCompliance.violations { Elusive() } },
    Seed(
      .unreadable, "agee",
      """
      "agee" cannot be read: undefined key "agee" of ReplacedFromStart. Did you mean "age"? Known keys: age.
      """
    ) { try KVCompliance.violations(values: ["agee": 2]) { ReplacedFromStart(age: 1) } },
    Seed(
      .refusesValue, "extra",
      """
      "extra" refuses 1, the value that it has: undefined key "extra" of HalfHooked. It has no keys. Computed, \
      static and lazy properties are invisible to reflection: mark HalfHooked with @KVModel, or add override class var \
      keyTable: KVTable { super.keyTable.extended(for: HalfHooked.self) { key in key("extra", \\.extra) } } to HalfHooked, \
      which has no keyTable of its own (a property of another name, or of instances, is not one). Let the setter take all \
      that the getter returns.
      """
    ) { try KVCompliance.violations(values: ["extra": 2]) { HalfHooked() } },
    Seed(
      .refusesValue, "age",
      """
      "age" refuses "old": cannot set "age" of ReplacedFromStart: the String "old" is not an Int, and its text is \
      not one either; set a value of type Int.
      """
    ) { try KVCompliance.violations(values: ["age": "old"]) { ReplacedFromStart(age: 1) } },
    Seed(
      .losesValue, "name",
      """
      "name" was set to "Adax" by key, and reads "Ada". Let the setter store what it is given, or make the key \
      read-only.
      """
    ) { try KVCompliance.violations { Losing() } },
    Seed(
      .losesValue, "note",
      """
      "note" was set to nil by key, and still reads "x". Let the setter store nil too, or give the key a type that \
      is not optional.
      """
    ) { try KVCompliance.violations { KeepingNil() } },
    Seed(
      .invalidCurrentValue, "age",
      """
      "age" holds what its validator refuses: the Int -1 is not valid for "age" of RefusedFromStart: it is negative. \
      Begin with a valid value, or let the validator accept this one.
      """
    ) { try KVCompliance.violations { RefusedFromStart() } },
    Seed(
      .invalidCurrentValue, "age",
      """
      "age" is -1, which its validator replaces by 0. Begin with a value that needs no replacement.
      """
    ) { try KVCompliance.violations { ReplacedFromStart() } },
    Seed(
      .wrongProperty, "width",
      """
      "width" reads 2.0, and the stored property "width" is 1.0. Let the line name that property, or give the key \
      another name.
      """
    ) { try KVCompliance.violations { Swapped() } },
    Seed(
      .wrongProperty, "width",
      """
      "width" reads 2.0 after it was set to 2.0, and the stored property "width" is 1.0. Let the line name that \
      property, or give the key another name.
      """
    ) { try KVCompliance.violations { SwappedSize() } },
    Seed(
      .unlistedProperty, "age",
      """
      "age" is a @KVProperty that no line of the table reaches: it cannot be written by key. Add key("age", \\.age) \
      to the table.
      """
    ) { try KVCompliance.violations { Forgotten() } },
    Seed(
      .unusedValue, "age",
      """
      "age" is 1 already, the value that was given for it. Give another one.
      """
    ) { try KVCompliance.violations(values: ["age": 1]) { ReplacedFromStart(age: 1) } },
    Seed(
      .unusedValue, "id",
      """
      "id" is read-only, and a value was given for it. Take the value away, or give the key a setter.
      """
    ) { try KVCompliance.violations(values: ["id": 1]) { Parcel() } },
  ]

  static let telling: [Seed] = [
    Seed(
      .notNotified, "mode",
      """
      "mode" was set from 1 to 2 by key, and no observer was notified: its line says notifiesManually(). Notify of the change by \
      withChange(forKey:), or take notifiesManually() away.
      """
    ) { try KVCompliance.violations { NeverNotified() } },
    Seed(
      .notNotified, "mode",
      """
      "mode" was set from 1 to 2 by key, and no observer was notified: its line says notifiesManually(). Notify of the change by \
      withChange(forKey:), or take notifiesManually() away.
      """
    ) { try KVCompliance.violations { DependsOnUnnotified() } },
    Seed(
      .notNotified, "name",
      """
      "name" was set from "a" to "ax" by key, and no observer was notified. If another line lists the same property, make one \
      of the two names an alias of the other.
      """
    ) { try KVCompliance.violations { ListedTwice() } },
    Seed(
      .notifiedTwice, "count",
      """
      "count" was set from 1 to 2 by key, and notified 2 times. If the setter notifies by itself, say notifiesManually() in \
      the line; else let it notify once.
      """
    ) { try KVCompliance.violations { NotifiedTwice() } },
    Seed(
      .notifiedTwice, "count",
      """
      "count" was set from 1 to 2 by key, and notified 2 times. If the setter notifies by itself, say notifiesManually() in \
      the line; else let it notify once.
      """
    ) { try KVCompliance.violations { TwoBrackets() } },
    Seed(
      .notifiedTwice, "celsius",
      """
      "celsius" was set from 1 to 2 by key, and notified 2 times. If the setter notifies by itself, say notifiesManually() in \
      the line; else let it notify once.
      """
    ) { try KVCompliance.violations { NotifiedByTwoKeys() } },
    Seed(
      .setterNotObservable, "cache",
      """
      "cache" was set from 1 to 2 in Swift, and no observer was notified. Make the property a @KVProperty, or declare what it \
      depends on with affected(by:).
      """
    ) { try KVCompliance.violations { PlainProperty() } },
    Seed(
      .setterNotObservable, "cache",
      """
      "cache" was set from 1 to 2 in Swift, and no observer was notified. Make the property a @KVProperty, or declare what it \
      depends on with affected(by:).
      """
    ) { try KVCompliance.violations { PlainReadOnly() } },
    Seed(
      .wrongRecord, "count",
      """
      "count" was set from 1 to 2 by key, and notified as a change from 2 to 2. Call willChangeValue(forKey:) before the \
      value changes and didChangeValue(forKey:) after it, as withChange(forKey:) does.
      """
    ) { try KVCompliance.violations { LateBracket() } },
    Seed(
      .wrongRecord, "count",
      """
      "count" was set from 1 to 2 by key, and notified as a change from 1 to 1. Call willChangeValue(forKey:) before the \
      value changes and didChangeValue(forKey:) after it, as withChange(forKey:) does.
      """
    ) { try KVCompliance.violations { EarlyBracket() } },
    Seed(
      .deadDependency, "total",
      """
      "total" depends on "price", which cannot be observed: "price" of UnobservableDependency never notifies of a change. \
      If "price" is a stored property, declare it @KVProperty var price, or add the line key("price", \\.price) to the \
      keyTable of UnobservableDependency, which tells of writes by key; if it is computed, add .affected(by:) or \
      .notifiesManually() to its line.
      """
    ) { try KVCompliance.violations { UnobservableDependency() } },
    Seed(
      .deadDependency, "greeting",
      """
      "greeting" depends on "owner.name", and was not notified when that went from "Ada" to "Adax". Let every key on the \
      path notify of its changes, or declare another path.
      """
    ) { try KVCompliance.violations { UnobservablePath() } },
    Seed(
      .deadDependency, "total",
      """
      "total" depends on "parts.@sum.price", and was not notified when that went from 1 to 2. Let every key on the path notify \
      of its changes, or declare another path.
      """
    ) { try KVCompliance.violations { SilentElements() } },
    Seed(
      .deadDependency, "total",
      """
      "total" depends on "owner.parts.@sum.price", and was not notified when that went from 2 to 4. Let every key on the path notify \
      of its changes, or declare another path.
      """
    ) { try KVCompliance.violations { SilentArray() } },
    Seed(
      .deadDependency, "total",
      """
      "total" depends on "parts.@unionOfObjects.size.self", and was not notified when that went from [Size(width: 1)] to \
      [Size(width: 2)]. Let every key on the path notify of its changes, or declare another path.
      """
    ) { try KVCompliance.violations { SilentSizes() } },
    Seed(
      .deadDependency, "bill",
      """
      "bill" depends on "sender.total", which cannot be observed: "total" of Undeclared never notifies of a change. "total" \
      cannot be set. If it is a "let" there is nothing to observe: read it, or make it a @KVProperty var. If it is computed, \
      add .affected(by:) or .notifiesManually() to its line.
      """
    ) { try KVCompliance.violations { UnobservableEnd() } },
    Seed(
      .undeclaredDependency, "total",
      """
      "total" changed from 2.0 to 4.0 when "price" was set, and no observer was notified. Add affected(by: "price", "count") \
      to its line, or make it a @KVProperty if it is stored.
      """
    ) { try KVCompliance.violations { Undeclared() } },
    Seed(
      .undeclaredDependency, "changes",
      """
      "changes" changed from 0 to 1 when "name" was set, and no observer was notified. Add affected(by: "name") to its line, \
      or make it a @KVProperty if it is stored.
      """
    ) { try KVCompliance.violations { SideEffect() } },
  ]

  static let elements: [Seed] = [
    Seed(
      .misplacesElements, "rows",
      """
      "rows" was ["a"], and is ["a", "ax"] after inserting ["ax"] at 0, instead of ["ax", "a"]. Let its functions do \
      just what they are called for.
      """
    ) { try KVCompliance.violations { Appending() } },
    Seed(
      .misplacesElements, "rows",
      """
      "rows" was ["x", "x", "ax", "x", "a"], and is ["x", "ax", "x", "a"] after removing at 2, instead of \
      ["x", "x", "x", "a"]. Let its functions do just what they are called for.
      """
    ) { try KVCompliance.violations { RemovingFirst() } },
    Seed(
      .misplacesElements, "tags",
      """
      "tags" was [1], and is [1] after removing 1, instead of []. Let its functions do just what they are called \
      for.
      """
    ) { try KVCompliance.violations { KeepingMembers() } },
    Seed(
      .wrongElementRecord, "rows",
      """
      "rows" was edited by inserting ["ax"] at 0, which was notified as insertion at 0 and as insertion at 0. Notify of \
      each edit once, with its kind and its indexes or members, or remove the notification where the package does it.
      """
    ) { try KVCompliance.violations { NotifyingElementsTwice() } },
    Seed(
      .wrongElementRecord, "rows",
      """
      "rows" was edited by inserting ["x"] at 1, which was notified as insertion at 0. Notify of each edit once, with its kind \
      and its indexes or members, or remove the notification where the package does it.
      """
    ) { try KVCompliance.violations { NotifyingWrongIndexes() } },
    Seed(
      .wrongElementRecord, "tags",
      """
      "tags" was edited by adding 1, which was notified as setting. Notify of each edit once, with its kind and its indexes \
      or members, or remove the notification where the package does it.
      """
    ) { try KVCompliance.violations { NotifyingElementsAsSettings() } },
  ]

  @Test("TST.2: a fault is found with its kind and key, and nothing else is", arguments: coding + telling + elements)
  func found(_ seed: Seed) throws {
    let found = try seed.find()
    #expect(found.map(\.kind) == [seed.kind])
    #expect(found.map(\.key) == [seed.key])
    #expect(found.map(\.message) == [seed.message])
    #expect(found.map(\.description) == ["\(seed.kind): \(seed.message)"])
  }
}
