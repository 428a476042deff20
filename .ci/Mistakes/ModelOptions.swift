// Further mistakes in models with @KVModel: options, lines by hand, superclasses.
import KVCore
import Observation
@KVModel final class Named: KVObject {
  @KVKey(.alias("a.b")) var first = 1  // error: "a.b" is not a key: a key has no periods and brackets, does not begin with "@", and is not empty
  @KVKey(.alias("second", "")) var third = 1  // error: "" is not a key: a key has no periods and brackets, does not begin with "@", and is not empty
}
@KVModel final class Nameless: KVObject { @KVKey("") var fourth = 1 }  // error: "" is not a key: a key has no periods and brackets, does not begin with "@", and is not empty
@KVModel @KVModel final class Repeated: KVObject { var name = "" }  // error: Repeated has @KVModel already: write all options in one
@KVModel(.listedKeysOnly) final class CuredRepeated: KVObject { var name = "" }
@KVModel final class Misfitting: KVObject {
  @KVKey(.validated(by: check)) var number = 1  // expansion: error: cannot convert value of type 'Int' to expected argument type 'String'
  func check(_ text: String) throws -> KVValidation { .valid }
}
@KVModel final class Editing: KVObject {
  @KVKey(.unordered(add: add(_:), remove: remove(_:))) var numbers: Set<Int> = []  // expansion: error: cannot convert value of type 'Set<Int>' to expected argument type 'Int'
  func add(_ numbers: Set<Int>) {}
  func remove(_ number: Int) {}
}
@KVModel struct Size {  // error: circular reference
  @KVKey(.validated(by: check)) var size = 1  // error: "check" is a method, which @KVKey of a struct cannot name: write a static function, "Size.check", or a closure
  func check(_ size: Int) throws -> KVValidation { .valid }
}
@KVModel struct Edited {  // error: circular reference
  @KVKey(.indexed(insert: insert(_:at:), remove: remove(at:))) var sizes: [Int] = []  // error: ".indexed" names methods, which @KVKey of a struct cannot: add @KVIgnored, and a line with closures to "static func furtherKeys"
  func insert(_ size: Int, at index: Int) {}
  func remove(at index: Int) {}
}
@KVModel struct CuredChecked {
  @KVKey(.validated(by: CuredChecked.check)) var size = 1
  static func check(_ size: Int) throws -> KVValidation { .valid }
}
@KVModel struct CuredEdited {
  @KVIgnored var sizes: [Int] = []
  static func furtherKeys(_ key: KVValueKeys<CuredEdited>) {
    key("sizes", \.sizes).indexed(insert: { $0.sizes.insert($1, at: $2) }, remove: { $0.sizes.remove(at: $1) })
  }
}
@KVModel final class Copied: KVObject {
  var name = ""
  static func furtherKeys(_ key: KVObjectKeys<Named>) {}  // error: "furtherKeys" is not called: the table calls "static func furtherKeys(_ key: KVObjectKeys<Copied>)" // fix-it: write "(_ key: KVObjectKeys<Copied>)" => (_ key: KVObjectKeys<Copied>)
}
enum Nested {
  @KVModel struct Size { var width = 1; static func furtherKeys(_ key: KVObjectKeys<Named>) {} }  // error: "furtherKeys" is not called: the table calls "static func furtherKeys(_ key: KVValueKeys<Size>)" // fix-it: write "(_ key: KVValueKeys<Size>)" => (_ key: KVValueKeys<Size>)
  @Observable @KVModel final class Cart: KVObject { var count = 0 }  // error: @Observable and @KVModel both store the properties of Cart: write "@KVModel(.observation)" and ": Observable" instead of @Observable
}
@KVModel final class Labeled: KVObject { static func furtherKeys(key: KVObjectKeys<Labeled>) {} }  // error: "furtherKeys" is not called: the table calls "static func furtherKeys(_ key: KVObjectKeys<Labeled>)" // fix-it: write "(_ key: KVObjectKeys<Labeled>)" => (_ key: KVObjectKeys<Labeled>)
enum Outer<Value> {
  @KVModel final class Inner<Element>: KVObject {
    var value = 1
    class func furtherKeys(_ lines: KVCore.KVObjectKeys<Outer<Value>.Inner<Element>>) {}
  }
  @KVModel final class Own: KVObject { var value = 1; static func furtherKeys(_: KVObjectKeys<Own>) {} }
}
@KVModel class Base: KVObject { var name = "" }
@KVModel(.root) final class Derived: Base { var size = 1 }  // error: ".root" is for classes without a superclass that can be observed: Base stores the observers of Derived; remove ".root" // expansion: error: overriding non-open property outside of its defining module // expansion: error: cannot override with a stored property 'registrarSlot' // expansion: error: overriding declaration requires an 'override' keyword
@KVModel final class CuredDerived: Base { var size = 1 }
@KVModel(.observation) class Cart: KVObject, Observable { var name = "" }
@KVModel final class Untracked: Cart { var size = 1 }  // expansion: warning: '_untracked()' is deprecated: Observation knows the properties of Cart, and not those of the subclass: write "@KVModel(.observation)" [#DeprecatedDeclaration]
@KVModel(.observation) class CuredUntracked: Cart { var size = 1 }
@KVModel(.observation) final class CuredTwice: CuredUntracked { var weight = 1 }
@KVModel final class Keyless: Cart { var double: Int { name.count * 2 } }
@KVModel final class Old: KVObject {
  @available(*, deprecated) var title = ""  // expansion: warning: 'title' is deprecated [#DeprecatedDeclaration] // expansion: warning: 'title' is deprecated [#DeprecatedDeclaration]
  @available(*, unavailable) var label: String { "" }  // error: "label" is unavailable, so that it cannot be read by key: add @KVIgnored // fix-it: leave "label" out => @KVIgnored
  @KVIgnored @available(*, deprecated) var heading = ""
  @KVIgnored @available(*, unavailable) var caption: String { "" }
}
func local() { @KVModel final class Local: KVObject { var name = "" } }  // error: local type cannot have attached extension macro
@globalActor actor Press { static let shared = Press() }
@KVModel(.isolated(to: Press.self)) final class Printed: KVObject { var page = 1 }  // error: ".isolated(to:)" names the actor of a type, and Printed has none: write "@Press" before it, or remove the option
@KVModel(.isolated(to: Press.self)) @Press final class CuredPrinted: KVObject { var page = 1 }
@KVModel final class Opaque: KVObject {
  var text: some StringProtocol { "a" }  // error: "text" has a type that only its getter knows, and a key needs one with a name: write "any" instead of "some", or add @KVIgnored // fix-it: leave "text" out => @KVIgnored
  @KVIgnored var ignored: some StringProtocol { "a" }
  var cured: any StringProtocol { "a" }
  @KVKey(.independent) var stored = 1  // error: ".independent" is for computed properties: "stored" is stored, and depends on nothing
}
