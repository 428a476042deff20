/// Models for tests of generic code: with every kind of property and constant contents (TST.3).
///
/// ```swift
/// let person = KVFixtures.Person.sample()
/// try person.value(forKeyPath: "friends.@count", as: Int.self)      // 2
/// ```
///
/// ``Person`` has a key of every kind: strings, numbers, enums, objects, structs with and without a table, arrays, sets,
/// dictionaries, validated, dependent and manual keys. It complies:
/// ``expectCompliant(values:ignoring:fileID:filePath:line:column:_:)`` reports no violations, except for `plain` and
/// `mentor`, which deliberately do not notify when they are set in Swift. Like any model, a person belongs to one
/// isolation domain.
public enum KVFixtures {}
