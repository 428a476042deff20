// What the compiler says where the library is not imported that has a type or a function.
import KVCore
@KVModel final class Reader: KVObject { var age = 36 }
let adults: KVPredicate = "age >= 18"  // error: cannot find type 'KVPredicate' in scope
func follow(reader: Reader) throws {
  _ = try reader.observe("age") { _ in }  // error: value of type 'Reader' has no member 'observe'
}
