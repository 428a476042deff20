// The mistakes in models with @KVModel, with what the macro says and the edits that it offers.
import KVCore
@KVModel enum Kind { case a }  // error: @KVModel belongs to a class or a struct; an enum has no properties with keys
@KVModel protocol Named { var name: String { get } }  // error: @KVModel belongs to a class or a struct; a protocol has no properties with keys
@KVModel actor Server { var port = 1 }  // error: @KVModel belongs to a class or a struct; an actor has no properties with keys
final class Store: KVObject { var count = 1 }
@KVModel extension Store {}  // error: 'extension' macro cannot be attached to extension (extension of 'Store')
enum A { @KVModel class Cart { var count = 0 } }  // error: Cart has no superclass that can be observed: let it inherit from KVObject, or write "@KVModel(.root)" // fix-it: inherit from KVObject => : KVObject // fix-it: store the observers in Cart => @KVModel(.root)
@KVModel class Coded: Codable { var name = "" }  // error: Coded has no superclass that can be observed: let it inherit from KVObject, or write "@KVModel(.root)" // fix-it: inherit from KVObject => KVObject, // fix-it: store the observers in Coded => @KVModel(.root)
@KVModel(.root) struct Point { var x = 1 }  // error: ".root" is for classes: a struct has no observers
@KVModel(.root) final class Twice: KVObject { var name = "" }  // error: ".root" is for classes without a superclass: KVObject stores the observers of Twice // fix-it: remove ".root" => @KVModel
@KVModel class Cured: KVObject { var name = "" }
@KVModel class CuredCoded: KVObject, Codable { var name = "" }
@KVModel(.root) class CuredRoot { var name = "" }
@KVModel struct CuredPoint { var x = 1 }
@KVModel final class Places: KVObject {
  var name = ""
  @KVKey static let shared = 1  // error: @KVKey belongs to a property of the instances; a static property has no key
  @KVKey func total() -> Int { 1 }  // error: @KVKey belongs to a property; for a computed key, declare a computed property
  @KVIgnored static let count = 1  // error: @KVIgnored belongs to a property of the instances; a static property has no key
  @KVKey @KVIgnored var both = 1  // error: "both" has @KVKey and @KVIgnored: remove one of them
}
final class Unmarked: KVObject { @KVKey var name = "" }  // error: @KVKey is read by @KVModel, which Unmarked does not have
extension Cart { @KVKey var double: Int { count * 2 } }  // error: @KVKey is not seen in an extension: add a line to "static func furtherKeys" of Cart
extension Places {
  var length: Int { name.count }
  static func furtherKeys(_ key: KVObjectKeys<Places>) { key("length", \.length).affected(by: "name") }
}
func local() { @KVKey let number = 1; _ = number }  // error: @KVKey belongs to a property of a type, not to a local variable
@KVModel final class Keys: KVObject {
  var count = 1
  @KVKey("count") var number = 1  // error: the key "count" of "number" is also a key of "count": give one of them another name
  @KVKey(.alias("count")) var third = 1  // error: the key "count" of "third" is also a key of "number": give one of them another name
  @KVKey("a.b") var dotted = 1  // error: "a.b" is not a key: a key has no periods and brackets, does not begin with "@", and is not empty
  @KVKey(.lenent) var fourth = 1  // error: @KVKey has no option ".lenent": did you mean ".lenient"? // fix-it: write ".lenient" => lenient // error: reference to member 'lenent' cannot be resolved without a contextual type
  @KVKey(.ephemeral) var fifth = 1  // error: @KVKey has no option ".ephemeral": there are .lenient, … // error: reference to member 'ephemeral' cannot be resolved without a contextual type
  @KVKey("a\(1)") var sixth = 1  // error: @KVKey is read before the program is compiled: a name is a string literal without escapes, and options are written in place, as ".lenient"
  @KVKey(KVKeyOption.lenient) var seventh = 1
  @KVKey(option) var eighth = 1  // error: @KVKey is read before the program is compiled: …
}
let option = KVKeyOption.lenient
@KVModel(.rot) class Misspelled: KVObject { var name = "" }  // error: type 'KVModelOption' has no member 'rot'
@KVModel final class Cart: KVObject {  // error: "furtherKeys" has to be static: it is called once for the type
  var width = 1, height = 2  // error: "width" needs a "var" of its own to notify: declare one property a line // error: "height" needs a "var" of its own to notify: declare one property a line
  var (c, d) = (1, 2)  // error: "c" needs a "var" of its own … // error: "d" needs a "var" of its own …
  private var i = 1, j = 2  // error: "i" needs a "var" of its own … // error: "j" needs a "var" of its own …
  let e = 1, f = 2
  @KVIgnored var g = 1, h = 2
  var slow: Int { get async { 1 } }  // error: "slow" is async or throws, so that it cannot be read by key: add @KVIgnored // fix-it: leave "slow" out => @KVIgnored
  var price: Int { get throws { 1 } }  // error: "price" is async or throws, so that it cannot be read by key: add @KVIgnored // fix-it: leave "price" out => @KVIgnored
  @KVIgnored var ignored: Int { get async { 1 } }
  var count = 0  // error: "count" is stored in "_count", which Cart declares, too: rename one of them, or add @KVIgnored // fix-it: leave "count" out => @KVIgnored
  private var _count = 0
  func furtherKeys(_ key: KVObjectKeys<Cart>) {}
}
// The macro tells wrappers from other attributes by the capital of a type.
@propertyWrapper struct disk<Value> { var wrappedValue: Value }
@propertyWrapper struct Disk<Value> { var wrappedValue: Value }
@KVModel final class Wrapped: KVObject {
  @disk var name = ""  // error: property wrapper cannot be applied to a computed property // expansion: error: ambiguous reference to member '_name' // expansion: error: property wrapper cannot be applied to a computed property // expansion: error: invalid redeclaration of synthesized property '_name' // expansion: error: cannot reference instance member '_name'; … // expansion: error: cannot assign value of type 'String' to type 'disk<String>' // expansion: error: cannot convert return expression of type 'disk<String>' to return type 'String' // expansion: error: cannot convert value of type 'String' to expected argument type 'disk<String>' // expansion: error: cannot convert value of type 'String' to expected argument type 'disk<String>' // expansion: error: cannot yield reference to storage of type 'disk<String>' as an inout yield of type 'String'
  @Disk var title = ""
  @Disk @KVKey(.lenient) var count = 1
  @KVIgnored @disk var note = ""
}
@Disk @KVModel final class WrappedClass: KVObject { var name = "" }  // error: property wrapper attribute 'Disk' can only be applied to a property
@KVModel final class ByHand: KVObject {  // error: "furtherKeys" is not called: ByHand declares "keyTable" itself
  @KVKey(.lenient) var name = ""  // error: the options of "name" are not read: ByHand declares "keyTable" itself
  @KVKey("years") var age = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: ByHand.self) { key in
      key("name", \.name).lenient()
      key("years", \.age)
    }
  }
  static func furtherKeys(_ key: KVObjectKeys<ByHand>) {}
}
@KVModel(.listedKeysOnly) final class Hidden: KVObject { private var secret = 1; var sum: Int { secret + 1 } }  // error: "sum" depends on "secret", which is not a key where only listed keys are accessible: add @KVKey to "secret", or @KVKey(.affected(by: …)) to "sum"
@KVModel final class Unchecked: KVObject { @KVKey(.validated(by: chek)) var code = "" }  // error: cannot find 'chek' in scope // expansion: error: contextual closure type '(String) throws -> KVValidation' expects 1 argument, but 2 were used in closure body
@KVModel final class Checked: KVObject {
  @KVKey(.validated(by: check)) var code = ""
  func check(_ code: String) throws -> KVValidation { .valid }
}
