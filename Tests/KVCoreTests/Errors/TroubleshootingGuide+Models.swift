// Mistakes in models with @KVModel, which the macro finds; .ci/mistakes.py compiles them.
extension TroubleshootingGuide {
  static let modelRefusals: [Refusal] = [
    Refusal(
      title: "`@KVModel` on a class without a superclass",
      code: """
        @KVModel class Cart { var count = 0 }
        """,
      sentence: """
        error: Cart has no superclass that can be observed: let it inherit from KVObject, or write "@KVModel(.root)"
        """,
      advice: """
        Write `class Cart: KVObject`. A class that inherits from another class, such as `Operation`, is `@KVModel(.root)`. The
        compiler offers both edits. If the superclass is a model, omit `.root`.
        """),
    Refusal(
      title: "A property wrapper with a lowercase name in a model",
      code: """
        @KVModel final class Cart: KVObject { @disk var name = "" }
        """,
      sentence: "error: property wrapper cannot be applied to a computed property",
      advice: """
        Name the wrapper like a type, `@Disk`: by its capital, `@KVModel` tells that the property is stored by a wrapper, and
        leaves it as it is. Such a property is read and written by key, and notifies of writes by key only. If the wrapper is
        not yours, add `@KVIgnored`.
        """),
    Refusal(
      title: "`@KVModel` on an enum or an actor",
      code: """
        @KVModel actor Server { var port = 1 }
        """,
      sentence: "error: @KVModel belongs to a class or a struct; an actor has no properties with keys",
      advice: "Let a class of a global actor, `@MainActor @KVModel final class Server: KVObject`, hold what has keys."),
    Refusal(
      title: "`@KVModel` in a function",
      code: """
        func test() {
          @KVModel final class Cart: KVObject { var count = 0 }
        }
        """,
      sentence: "error: local type cannot have attached extension macro",
      advice: "Declare the class outside of the function. A type within a type can be a model."),
    Refusal(
      title: "A slip in an option",
      code: """
        @KVModel final class Cart: KVObject { @KVKey(.lenent) var count = 0 }
        """,
      sentence: """
        error: @KVKey has no option ".lenent": did you mean ".lenient"?
        """,
      advice: "Accept the edit of the compiler. Models.md lists the options."),
    Refusal(
      title: "A key of two properties",
      code: """
        @KVModel final class Cart: KVObject {
          var count = 0
          @KVKey("count") var number = 0
        }
        """,
      sentence: """
        error: the key "count" of "number" is also a key of "count": give one of them another name
        """,
      advice: "Name one of them otherwise, `@KVKey(\"total\")`, or leave one out with `@KVIgnored`."),
    Refusal(
      title: "Several properties in one `var`",
      code: """
        @KVModel final class Cart: KVObject { var width = 1, height = 2 }
        """,
      sentence: """
        error: "width" needs a "var" of its own to notify: declare one property a line
        """,
      advice: """
        Write `var width = 1` and `var height = 2`. The compiler lets a macro add accessors to single properties only.
        """),
    Refusal(
      title: "A getter that throws or waits",
      code: """
        @KVModel final class Cart: KVObject { var price: Int { get throws { 1 } } }
        """,
      sentence: """
        error: "price" is async or throws, so that it cannot be read by key: add @KVIgnored
        """,
      advice: "Add `@KVIgnored`, or let a stored property hold the value that was last computed."),
    Refusal(
      title: "A property with the name of another one's storage",
      code: """
        @KVModel final class Cart: KVObject {
          var count = 0
          private var _count = 0
        }
        """,
      sentence: """
        error: "count" is stored in "_count", which Cart declares, too: rename one of them, or add @KVIgnored
        """,
      advice: "Rename `_count`. A model needs no storage behind its properties: `didSet` and setters work as anywhere."),
    Refusal(
      title: "`@KVKey` in an extension",
      code: """
        extension Cart { @KVKey var double: Int { count * 2 } }
        """,
      sentence: """
        error: @KVKey is not seen in an extension: add a line to "static func furtherKeys" of Cart
        """,
      advice: #"""
        Add a line by hand: `static func furtherKeys(_ key: KVObjectKeys<Cart>) { key("double", \.double).affected(by: "count") }`.
        """#),
    Refusal(
      title: "A `furtherKeys` of another type",
      code: """
        @KVModel struct Size {
          var width = 1
          static func furtherKeys(_ key: KVObjectKeys<Cart>) {}
        }
        """,
      sentence: """
        error: "furtherKeys" is not called: the table calls "static func furtherKeys(_ key: KVValueKeys<Size>)"
        """,
      advice: """
        Name the type itself, in `KVObjectKeys` for a class and in `KVValueKeys` for a struct. In an extension, nothing reports
        this: the lines are missing from `Size.keyTable.keys`.
        """),
    Refusal(
      title: "A validator of another type",
      code: """
        @KVModel final class Cart: KVObject {
          @KVKey(.validated(by: check)) var count = 0
          func check(_ text: String) throws -> KVValidation { .valid }
        }
        """,
      sentence: "error: cannot convert value of type 'Int' to expected argument type 'String'",
      advice: """
        The compiler shows the table that calls the method. Let the method take the type of the property: `check(_ count: Int)`.
        """),
    Refusal(
      title: "A method in an option of a struct",
      code: """
        @KVModel struct Size {
          @KVKey(.validated(by: check)) var width = 1
          func check(_ width: Int) throws -> KVValidation { .valid }
        }
        """,
      sentence: """
        error: "check" is a method, which @KVKey of a struct cannot name: write a static function, "Size.check", or a closure
        """,
      advice: """
        Write `static func check`, and `.validated(by: Size.check)`. The compiler reads the attributes of a struct before it knows
        its methods, and reports a circular reference, too.
        """),
    Refusal(
      title: "`@Observable` and `@KVModel`",
      code: """
        @Observable @KVModel final class Cart: KVObject { var count = 0 }
        """,
      sentence: """
        error: @Observable and @KVModel both store the properties of Cart: write "@KVModel(.observation)" and ": Observable" \
        instead of @Observable
        """,
      advice: "Write `@KVModel(.observation) final class Cart: KVObject, Observable`. It notifies both."),
    Refusal(
      title: "A subclass that Observation does not track",
      code: """
        @KVModel(.observation) class Cart: KVObject, Observable { var count = 0 }
        @KVModel final class GiftCart: Cart { var card = "" }
        """,
      sentence: """
        warning: '_untracked()' is deprecated: Observation knows the properties of Cart, and not those of the subclass: write \
        "@KVModel(.observation)" [#DeprecatedDeclaration]
        """,
      advice: "Write `@KVModel(.observation) final class GiftCart: Cart`."),
  ]
}
