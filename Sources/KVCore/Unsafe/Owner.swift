/// The owner that an accessor reads and writes: an object, or the memory of a value.
///
/// The object travels as a plain parameter of its own, which is borrowed; inside a struct or an optional it would be
/// retained for each access. The other part of the pair is a placeholder then.
struct Owner {
  let object: AnyObject
  let address: Address
  let isObject: Bool

  /// An object.
  @inline(__always)
  init(_ object: AnyObject) {
    self.object = object
    address = noAddress
    isObject = true
  }

  /// The value at an address; only for reading where the address was not mutable.
  init(at address: Address) {
    object = noObject
    self.address = address
    isObject = false
  }

  /// Calls a function with the owner, which can change it in place if it is a value.
  ///
  /// `Root` is the owner's type or a superclass of it: a table is refused for any other type (TAB.6).
  func edit<Root, Refusal: Error>(
    _ type: Root.Type, _ body: (inout Root) throws(Refusal) -> Void
  ) throws(Refusal) {
    guard isObject else { return try body(&address.of(type).pointee) }
    var root = unsafeBitCast(object, to: type)
    try body(&root)
  }
}

/// The placeholder for no address.
@inlinable @inline(__always)
var noAddress: Address { Address(UnsafeMutableRawPointer(bitPattern: 8).unsafelyUnwrapped) }

/// The placeholder for no object.
private final class NoObject: Sendable {}
package let noObject: any AnyObject & Sendable = NoObject()

/// Returns an object as its class or a superclass, which the caller knows.
@inlinable @inline(__always)
package func asObject<Root: AnyObject>(_ object: AnyObject, _ type: Root.Type) -> Root {
  unsafeDowncast(object, to: type)
}

/// Initialises memory with a value.
@inlinable @inline(__always)
func store<Value>(_ value: Value, in memory: Address) { memory.initialize(as: Value.self, to: value) }
