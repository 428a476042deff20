// Mistakes that the compiler finds; .ci/mistakes.py compiles them.
extension TroubleshootingGuide {
  static let refusals: [Refusal] = [
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
    Refusal(
      title: "A library that is not imported",
      code: """
        import KVCore

        let adults: KVPredicate = "age >= 18"
        let token = try reader.observe("age") { change in print(change) }
        """,
      sentence: """
        error: cannot find type 'KVPredicate' in scope
        error: value of type 'Reader' has no member 'observe'
        """,
      advice: """
        Import the library, and add its product to the target in `Package.swift`.

        | you use | import |
        |---|---|
        | keys, key paths, models | KVCore |
        | sort descriptors, predicates, groups | KVQuery |
        | observing, bindings, transactions | KVBinding |
        | controllers, live lists, undo, formulas, the order of a locale | KVControllers |
        | JSON and property lists | KVDocuments |
        | bindings in files | KVDefinitions |
        """),
    Refusal(
      title: "A Swift key path where a key is wanted",
      code: #"""
        let token = try person.observe(\.name) { change in print(change) }
        """#,
      sentence: """
        error: 'observe(_:options:handler:)' is unavailable: a Swift key path names no key: observe("name"), or \
        observe(KVTypedKeyPath(Person.self).name), which the compiler checks
        """,
      advice: """
        Write the key as a string, or a `KVTypedKeyPath`, which finds the key in the table. Lists take both:
        `observe(["age", KVTypedKeyPath(Person.self).name])`.
        """),
    Refusal(
      title: "`@KVProperty` in a class that is not observable",
      code: """
        final class Counter {
          @KVProperty var count = 0
        }
        """,
      sentence: """
        <unknown>:0: error: static subscript 'subscript(_enclosingInstance:wrapped:storage:)' requires that 'Counter' conform \
        to 'KVObservable'
        """,
      advice: """
        Let the class inherit from `KVObject`, or conform to `KVObservable` and store `let registrarSlot = KVRegistrarSlot()`.
        The compiler names the class, and neither the file nor the line: no declaration of a package can change that.
        """),
    Refusal(
      title: "`catch let error as KVError`",
      code: """
        do { try person.setValue("x", forKey: "age") } catch let error as KVError { print(error.code) }
        """,
      sentence: "warning: 'as' test is always true",
      advice: """
        The methods throw `KVError` and nothing else (typed throws), so write `catch { print(error.code) }`: `error` is a
        `KVError`. In a closure, write `do throws(KVError) { … }` for that. If other calls in the same `do` throw other errors,
        `catch let error as KVError` is right. Behind a `do` that contains a closure, Swift 6.3 may crash on the superfluous cast.
        """),
  ]
}
