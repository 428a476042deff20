// The mistakes in models of Docs/Troubleshooting.md.
import KVCore
import Observation

enum A { @KVModel class Cart { var count = 0 } }  // error: Cart has no superclass that can be observed: let it inherit from KVObject, or write "@KVModel(.root)" // fix-it: inherit from KVObject => : KVObject // fix-it: store the observers in Cart => @KVModel(.root)
enum B { @KVModel actor Server { var port = 1 } }  // error: @KVModel belongs to a class or a struct; an actor has no properties with keys
enum C {
  @KVModel final class Cart: KVObject { @KVKey(.lenent) var count = 0 }  // error: @KVKey has no option ".lenent": did you mean ".lenient"? // fix-it: write ".lenient" => lenient // error: reference to member 'lenent' cannot be resolved without a contextual type
}
enum D {
  @KVModel final class Cart: KVObject {
    var count = 0
    @KVKey("count") var number = 0  // error: the key "count" of "number" is also a key of "count": give one of them another name
  }
}
enum E {
  @KVModel final class Cart: KVObject { var width = 1, height = 2 }  // error: "width" needs a "var" of its own to notify: declare one property a line // error: "height" needs a "var" of its own to notify: declare one property a line
}
enum F {
  @KVModel final class Cart: KVObject { var price: Int { get throws { 1 } } }  // error: "price" is async or throws, so that it cannot be read by key: add @KVIgnored // fix-it: leave "price" out => @KVIgnored
}
enum G {
  @KVModel final class Cart: KVObject {
    var count = 0  // error: "count" is stored in "_count", which Cart declares, too: rename one of them, or add @KVIgnored // fix-it: leave "count" out => @KVIgnored
    private var _count = 0
  }
}
@KVModel final class Cart: KVObject {
  @KVKey(.validated(by: check)) var count = 0  // expansion: error: cannot convert value of type 'Int' to expected argument type 'String'
  func check(_ text: String) throws -> KVValidation { .valid }
}
extension Cart { @KVKey var double: Int { count * 2 } }  // error: @KVKey is not seen in an extension: add a line to "static func furtherKeys" of Cart
enum H {
  @KVModel struct Size {
    var width = 1
    static func furtherKeys(_ key: KVObjectKeys<Cart>) {}  // error: "furtherKeys" is not called: the table calls "static func furtherKeys(_ key: KVValueKeys<Size>)" // fix-it: write "(_ key: KVValueKeys<Size>)" => (_ key: KVValueKeys<Size>)
  }
}
enum I {
  @KVModel struct Size {  // error: circular reference
    @KVKey(.validated(by: check)) var width = 1  // error: "check" is a method, which @KVKey of a struct cannot name: write a static function, "Size.check", or a closure
    func check(_ width: Int) throws -> KVValidation { .valid }
  }
}
enum J {
  @Observable @KVModel final class Cart: KVObject { var count = 0 }  // error: @Observable and @KVModel both store the properties of Cart: write "@KVModel(.observation)" and ": Observable" instead of @Observable
}
enum K {
  @KVModel(.observation) class Cart: KVObject, Observable { var count = 0 }
  @KVModel final class GiftCart: Cart { var card = "" }  // expansion: warning: '_untracked()' is deprecated: Observation knows the properties of Cart, and not those of the subclass: write "@KVModel(.observation)" [#DeprecatedDeclaration]
  @KVModel(.observation) final class CuredGiftCart: Cart { var card = "" }
}
