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
    for refusal in refusals + modelRefusals {
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
    `rootType`, `knownKeys` and `suggestion` are the parts of the error.

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
}
