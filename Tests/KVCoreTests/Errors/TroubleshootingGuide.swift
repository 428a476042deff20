import KVCore

/// The text of `Docs/Troubleshooting.md`.
enum TroubleshootingGuide {
  /// A mistake: what it looks like, how to make it, and what to do instead.
  struct Mistake: Sendable {
    let title: String
    let code: String
    let advice: String
    let make: @Sendable () throws(KVError) -> Any?

    init(_ title: String, _ code: String, _ advice: String, _ make: @escaping @Sendable () throws(KVError) -> Any?) {
      self.title = title
      self.code = code
      self.advice = advice
      self.make = make
    }
  }

  /// A mistake that the compiler finds, with what it says.
  struct Refusal {
    let title: String
    let code: String
    let sentence: String
    let advice: String
  }

  /// The comments around the chapters that the suite of KVBinding keeps.
  static let (start, end) = ("<!-- KVBinding -->", "<!-- /KVBinding -->")

  /// Returns the whole file.
  ///
  /// - Parameter bindings: The chapters that the suite of KVBinding keeps.
  static func text(bindings: String) throws -> String {
    var text = introduction + codes() + model
    for (heading, mistakes) in chapters {
      text += "\n## \(heading)\n"
      for mistake in mistakes {
        var sentence: String?
        do throws(KVError) { _ = try mistake.make() } catch { sentence = error.description }
        guard let sentence else { throw KVError(.custom, "\"\(mistake.title)\" is no mistake any more.") }
        text += section(mistake.title, mistake.code, sentence, mistake.advice)
      }
    }
    text += "\n\(start)\n\(bindings)\(end)\n"
    text +=
      "\n## What the compiler says\n\nThe compiler reports these mistakes, so they never become an error of the package.\n"
    for refusal in refusals + moreRefusals + modelRefusals {
      text += section(refusal.title, refusal.code, refusal.sentence, refusal.advice)
    }
    return text + limits
  }

  private static func section(_ title: String, _ code: String, _ sentence: String, _ advice: String) -> String {
    "\n### \(title)\n\n```swift\n\(code)\n```\n\n```\n\(sentence)\n```\n\n\(advice)\n"
  }

  private static let introduction = """
    # Troubleshooting

    This page shows the mistakes of the first hour, and the error that the package reports for each. Every error is a
    `KVError`. `print(error)` prints the sentence below. `error.code` is for a `switch`. `error.keyPath`, `component`,
    `knownKeys` and `suggestion` are the parts of the error.

    """

  private static let model = """

    ## The model of this page

    The sentences come from running the code; a test compares them with this file. `person` is an instance of `Person`:

    ```swift
    class Person: KVObject {
      @KVProperty var name = "Ada"
      var age = 36
      var boss: Person?
      var address = Address()
      var tags = ["maths"]
      let badge = 7
      var initial: String { String(name.prefix(1)) }
      lazy var motto = "by \\(name)"
      var shoeSize = 38  // not listed below

      override class var keyTable: KVTable {
        super.keyTable.extended(for: Person.self) { key in
          key("name", \\.name)
          key("age", \\.age)
          key("boss", \\.boss)
          key("address", \\.address)
          key("tags", \\.tags)
          key("badge", \\.badge)
          key("initial", \\.initial)
        }
      }
    }

    struct Address: KeyValueCoding {
      var city = "London"
      static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \\.city) } }
    }

    struct Point { var x = 1 }  // no table: only reflected
    ```

    """

  private static let limits = #"""

    ## Mistakes without a report

    ### `Self.self` in a class that is not final

    ```swift
    class Shape: KVObject {
      var sides = 3
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Self.self) { key in key("sides", \.sides) }
      }
    }
    ```

    The compiler accepts this, and the program ends inside Swift's runtime with "could not demangle keypath type" when the
    table is first used. Name the class: `extended(for: Shape.self)`. Subclasses inherit the lines.

    ### The case of an enum, misspelt

    ```swift
    enum State { case idle, running(progress: Double) }
    try KVC.value(of: State.running(progress: 0.5), forKeyPath: "runing.progress")
    ```

    The misspelt case reads as nil, like any case that is not the value's: Swift does not list the cases of an enum that has
    payloads. An enum that conforms to `KeyValueCoding` throws for every key that its value does not have, including its
    other cases. A table with closure keys lists the keys that it has.

    """#

  private static let chapters: [(String, [Mistake])] = [
    ("The key is not found", notFound), ("The key cannot be set", notSettable), ("The value does not fit", notFitting),
    ("The path leads nowhere", nowhere), ("The table is wrong", tables),
    ("The filter or the order is refused", filters),
  ]

  private static let notFound: [Mistake] = [
    Mistake("A slip in a key", #"try person.value(forKey: "nmae")"#, "Keys are case sensitive, too.") {
      () throws(KVError) in try Person().value(forKey: "nmae")
    },
    Mistake(
      "A path where a key is wanted", #"try person.value(forKey: "address.city")"#,
      "`forKey:` takes one key and does not split it at dots; `forKeyPath:` does."
    ) { () throws(KVError) in try Person().value(forKey: "address.city") },
    Mistake(
      "An operator where a key is wanted", #"try person.tags.value(forKey: "@count")"#,
      "Only key paths have operators."
    ) { () throws(KVError) in try Person().tags.value(forKey: "@count") },
    Mistake(
      "A computed property without a table", #"try KVC.value(of: Circle(), forKeyPath: "area")"#,
      "Reflection sees stored properties only. `Circle` has `var radius = 1.0` and a computed `area`."
    ) { () throws(KVError) in try KVC.value(of: Circle(), forKeyPath: "area") },
    Mistake(
      "A lazy property", #"try person.value(forKey: "motto")"#,
      "In a struct, a lazy getter changes the value, so it cannot be a key: make it a method, or compute the value early."
    ) { () throws(KVError) in try Person().value(forKey: "motto") },
    Mistake(
      "A property of a standard type", #"try person.value(forKeyPath: "name.count")"#,
      "Or give the owner a key: `key(\"nameLength\") { $0.name.count }`."
    ) { () throws(KVError) in try Person().value(forKeyPath: "name.count") },
    Mistake(
      "A slip in an operator", #"try person.value(forKeyPath: "tags.@cuont")"#, "Operators begin with `@`."
    ) { () throws(KVError) in try Person().value(forKeyPath: "tags.@cuont") },
    Mistake(
      "An operator without its path", #"try [person].value(forKeyPath: "@sum")"#,
      "All operators but `@count`, `@firstObject`, `@lastObject` and `@self` work on the values of a path."
    ) { () throws(KVError) in try [Person()].value(forKeyPath: "@sum") },
  ]

  private static let notSettable: [Mistake] = [
    Mistake(
      "A stored property that the table does not list", #"try person.setValue(39, forKey: "shoeSize")"#,
      "Reading works without a table, writing does not: Swift's reflection is read-only."
    ) { () throws(KVError) in try Person().setValue(39, forKey: "shoeSize") },
    Mistake(
      "A class without a table of its own",
      #"""
      final class Pupil: Person {
        var grade = 1
        class var keytable: KVTable { super.keyTable.extended(for: Pupil.self) { key in key("grade", \.grade) } }
      }
      try Pupil().setValue(2, forKey: "grade")
      """#, "Here the name is misspelt. `override` makes the compiler find that."
    ) { () throws(KVError) in try Pupil().setValue(2, forKey: "grade") },
    Mistake(
      "A struct without a table", #"try KVC.setValue(2, forKeyPath: "x", in: &point)"#, "The same applies to structs."
    ) { () throws(KVError) in
      var point = Point()
      try KVC.setValue(2, forKeyPath: "x", in: &point)
      return nil
    },
    Mistake("A `let`", #"try person.setValue(8, forKey: "badge")"#, "The key can only be read.") {
      () throws(KVError) in try Person().setValue(8, forKey: "badge")
    },
    Mistake(
      "A computed property without a setter", #"try person.setValue("B", forKey: "initial")"#,
      "Give the property a setter and leave the line as it is, or write the setter into the line."
    ) { () throws(KVError) in try Person().setValue("B", forKey: "initial") },
    Mistake(
      "A tuple or the payload of an enum",
      #"""
      // struct Box { var size = (width: 1, height: 2) }
      try KVC.setValue(3, forKeyPath: "size.width", in: &box)
      """#, "They can be read, but a new tuple or payload cannot be made from its parts."
    ) { () throws(KVError) in
      var box = Box()
      try KVC.setValue(3, forKeyPath: "size.width", in: &box)
      return nil
    },
  ]

  private static let notFitting: [Mistake] = [
    Mistake(
      "The wrong type", #"try person.setValue("old", forKey: "age")"#,
      "Numbers convert to other number types."
    ) { () throws(KVError) in try Person().setValue("old", forKey: "age") },
    Mistake(
      "A number that is given as text", #"try person.setValue("41", forKey: "age")"#,
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

  private static let nowhere: [Mistake] = [
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
      Swift does not tell the package the line of a literal: search for the text, or run the program in a debugger, whose
      stack of calls has the line.
      """
    ) { () throws(KVError) in
      let property = "city"
      return try Person().value(forKeyPath: "address..\(property)")
    },
  ]

  private static let tables: [Mistake] = [
    Mistake(
      "Several faults at once",
      #"""
      final class Manager: Person {
        var bonus = 0
        override class var keyTable: KVTable {
          KVTable(Manager.self) { key in
            key("bonus", \.bonus).alias("pay")
            key("bonus", \.bonus).alias("total")
            key("total") { $0.bonus + 100 }.affected(by: "bonsu")
            key("max") { $0.bonus }.affected(by: "max")
          }
        }
      }
      try Manager().value(forKey: "bonus")
      """#, "A table is checked when its type is first used. One error lists all of its faults."
    ) { () throws(KVError) in try Manager().value(forKey: "bonus") },
    Mistake(
      "A table copied from another type",
      #"""
      struct Place: KeyValueCoding {
        var city = "London"
        static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
      }
      try Place().value(forKey: "city")
      """#, "The accessors of a table work on the type that it was made for, and on subclasses."
    ) { () throws(KVError) in try Place().value(forKey: "city") },
  ]

  private static let refusals: [Refusal] = [
    Refusal(
      title: "`@KVProperty` in a struct",
      code: """
        struct Settings {
          @KVProperty var volume = 1
        }
        """,
      sentence:
        "error: 'wrappedValue' is unavailable: @KVProperty belongs to a class that is a KVObject or conforms to KVObservable",
      advice:
        "A value cannot be observed; the object that stores it can: `@KVProperty var settings = Settings()` in a `KVObject`."
    ),
    Refusal(
      title: "A collection proxy of a struct",
      code: """
        let lines = address.mutableArray(forKey: "lines")
        """,
      sentence:
        "error: referencing instance method 'mutableArray(forKey:file:line:)' on 'KeyValueCoding' requires that 'Address' be a class type",
      advice: "A proxy refers to its owner, which must be an object. Change the array of a struct directly."),
    Refusal(
      title: "Setting a key of a constant struct",
      code: """
        let address = Address()
        try address.setValue("Paris", forKey: "city")
        """,
      sentence:
        "error: referencing instance method 'setValue(_:forKey:)' on 'KeyValueCoding' requires that 'Address' be a class type",
      advice: "Make it a `var`: setting a key of a struct changes the struct."),
    Refusal(
      title: "A model of the main actor with an ordinary table",
      code: #"""
        @MainActor final class Form: KVObject {
          var title = ""
          override class var keyTable: KVTable {
            super.keyTable.extended(for: Form.self) { key in key("title", \.title) }
          }
        }
        """#,
      sentence: "error: cannot form key path to main actor-isolated property 'title'",
      advice: """
        Name the actor in the closure: `extended(for: Form.self) { @MainActor key in … }`. A class that is no `KVObject` writes
        `nonisolated static var keyTable` and `KVTable(Form.self) { @MainActor key in … }`.
        """),
    Refusal(
      title: "A project whose default isolation is the main actor",
      code: #"""
        // compiled with -default-isolation MainActor
        final class Form: KVObject {
          var title = ""
          override class var keyTable: KVTable {
            super.keyTable.extended(for: Form.self) { key in key("title", \.title) }
          }
        }
        """#,
      sentence: """
        error: main actor-isolated class property 'keyTable' has different actor isolation from nonisolated overridden declaration
        """,
      advice: """
        Write `nonisolated final class Form: KVObject`. A model that is to stay on the main actor conforms to `KVObservable`
        instead, stores `let registrarSlot = KVRegistrarSlot()`, and writes `nonisolated static var keyTable` and
        `KVTable(Form.self) { @MainActor key in … }`.
        """),
    Refusal(
      title: "A model of another global actor",
      code: #"""
        @Disk final class File: KVObject {
          var name = ""
          override class var keyTable: KVTable {
            super.keyTable.extended(for: File.self) { key in key("name", \.name) }
          }
        }
        """#,
      sentence: "error: cannot form key path to global actor 'Disk'-isolated property 'name'",
      advice: """
        Name the actor in the closure: `extended(for: File.self) { @Disk key in … }`. Using a key off its actor ends the program
        with a message that names the key and the actor.
        """),
    Refusal(
      title: "A table in a stored property",
      code: #"""
        final class Form: KVObject {
          var title = ""
          static let keyTable = KVTable(Form.self) { key in key("title", \.title) }
        }
        """#,
      sentence: "error: cannot override with a stored property 'keyTable'",
      advice: """
        Write `override class var keyTable: KVTable { … }`. The package reads the table once per class, so storing it saves
        little. In a struct, `static let keyTable` works as well as `static var`.
        """),
    Refusal(
      title: "A forgotten `override`",
      code: #"""
        final class Form: KVObject {
          var title = ""
          class var keyTable: KVTable {
            super.keyTable.extended(for: Form.self) { key in key("title", \.title) }
          }
        }
        """#,
      sentence: "error: overriding declaration requires an 'override' keyword",
      advice: "Write `override class var keyTable`."),
    Refusal(
      title: "A type that does not conform",
      code: """
        struct Response { var status = 200 }
        try response.value(forKey: "status")
        """,
      sentence: "error: value of type 'Response' has no member 'value'",
      advice: """
        The methods belong to types that conform to `KeyValueCoding`; an empty conformance is enough.
        `KVC.value(of: response, forKeyPath: "status")` reads any value.
        """),
  ]
}

// MARK: The model of the guide

extension TroubleshootingGuide {
  class Person: KVObject {
    @KVProperty var name = "Ada"
    var age = 36
    var boss: Person?
    var address = Address()
    var tags = ["maths"]
    let badge = 7
    var initial: String { String(name.prefix(1)) }
    lazy var motto = "by \(name)"
    var shoeSize = 38

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("name", \.name)
        key("age", \.age)
        key("boss", \.boss)
        key("address", \.address)
        key("tags", \.tags)
        key("badge", \.badge)
        key("initial", \.initial)
      }
    }
  }

  struct Address: KeyValueCoding {
    var city = "London"
    static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
  }

  final class Pupil: Person {
    var grade = 1
    class var keytable: KVTable { super.keyTable.extended(for: Pupil.self) { key in key("grade", \.grade) } }
  }

  struct Point { var x = 1 }

  struct Box { var size = (width: 1, height: 2) }

  struct Circle {
    var radius = 1.0
    var area: Double { radius * radius * .pi }
  }

  final class Manager: Person {
    var bonus = 0

    override class var keyTable: KVTable {
      KVTable(Manager.self) { key in
        key("bonus", \.bonus).alias("pay")
        key("bonus", \.bonus).alias("total")
        key("total") { $0.bonus + 100 }.affected(by: "bonsu")
        key("max") { $0.bonus }.affected(by: "max")
      }
    }
  }

  struct Place: KeyValueCoding {
    var city = "London"
    static var keyTable: KVTable { Address.keyTable }
  }
}
