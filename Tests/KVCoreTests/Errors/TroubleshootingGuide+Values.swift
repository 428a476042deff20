import KVCore

// Mistakes in values, and in paths to them.
extension TroubleshootingGuide {
  static let notFitting: [Mistake] = [
    Mistake(
      "The wrong type", #"try person.setValue("old", forKey: "age")"#,
      "Numbers convert to other number types."
    ) { () throws(KVError) in try Person().setValue("old", forKey: "age") },
    Mistake(
      "A number that is given as a string", #"try person.setValue("41", forKey: "age")"#,
      #"Strings convert only if the table declares the key with `.lenient()`: `key("age", \.age).lenient()`."#
    ) { () throws(KVError) in try Person().setValue("41", forKey: "age") },
    Mistake(
      "A number out of range", #"try person.setValue(1e300, forKey: "age")"#,
      "A fraction is truncated, but no value wraps around. Give the property a wider type, such as `Double`."
    ) { () throws(KVError) in try Person().setValue(1e300, forKey: "age") },
    Mistake(
      "Nil for a property that is not optional", #"try person.setValue(nil, forKey: "age")"#,
      "Override `setNilValue(forKey:)` to choose a value for nil, such as zero."
    ) { () throws(KVError) in try Person().setValue(nil, forKey: "age") },
    Mistake(
      "Reading as the wrong type", #"try person.value(forKey: "name", as: Int.self)"#,
      "The value is converted to the type after `as:` by the rules for setting."
    ) { () throws(KVError) in try Person().value(forKey: "name", as: Int.self) },
    Mistake(
      "Reading an optional value as a type that is not optional",
      #"try person.value(forKeyPath: "boss.name", as: String.self)"#, "`as: String?.self` reads it."
    ) { () throws(KVError) in try Person().value(forKeyPath: "boss.name", as: String.self) },
  ]

  static let nowhere: [Mistake] = [
    Mistake(
      "Writing through nil", #"try person.setValue("Grace", forKeyPath: "boss.name")"#,
      "A read through nil returns nil. A write through nil would be lost, so it is an error here; Cocoa ignores it."
    ) { () throws(KVError) in try Person().setValue("Grace", forKeyPath: "boss.name") },
    Mistake(
      "An index out of range", #"try person.value(forKeyPath: "tags[1]")"#, "Indexes begin at 0."
    ) { () throws(KVError) in try Person().value(forKeyPath: "tags[1]") },
    Mistake(
      "An index written as a key", #"try person.value(forKeyPath: "tags.0")"#,
      "A key of an array is read on each of its elements. The element is `tags[0]`."
    ) { () throws(KVError) in try Person().value(forKeyPath: "tags.0") },
    Mistake(
      "A malformed path", #"try person.value(forKeyPath: "address..\(property)")"#,
      """
      A malformed string throws this. A malformed literal, `let path: KVKeyPath = "address..city"`, ends the program with it.
      Swift does not tell the package the line of a literal: search for the string, or run the program in a debugger, whose
      stack of calls has the line.
      """
    ) { () throws(KVError) in
      let property = "city"
      return try Person().value(forKeyPath: "address..\(property)")
    },
  ]
}
