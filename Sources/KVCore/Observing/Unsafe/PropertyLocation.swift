/// The location of a property's value in the objects of the class that declares it (Docs/Decisions/0010).
///
/// Two properties of a class cannot have the same location, so that the location identifies the property. It costs a
/// subtraction; a key path costs 25 ns. Nothing is read or written through the location. Values without a size share
/// locations. If the compiler passed the address of a copy, the key path would lead to another address. Such locations
/// are not added to the table, and the key path identifies the property.
@frozen @usableFromInline
struct PropertyLocation {
  @usableFromInline let type: ObjectIdentifier
  /// The distance of the value from the start of the object; meaningless if the value is not in the object.
  @usableFromInline let offset: UInt
  @usableFromInline let size: UInt

  /// Creates the location of a value.
  ///
  /// - Parameters:
  ///   - address: The address of the value.
  ///   - type: The type of the value.
  ///   - object: The object that has the property, as the class that declares it.
  @inlinable @inline(__always)
  init<Root: AnyObject, Value>(_ address: UInt, of type: Value.Type, in object: Root) {
    self.type = ObjectIdentifier(Root.self)
    offset = address &- _KVReference(object).identity
    size = UInt(MemoryLayout<Value>.size)
  }

  /// The key of the location in a table; values without a size share one.
  @inline(__always)
  var bits: StringBits {
    StringBits(first: UInt(bitPattern: type), second: size == 0 ? .max : offset)
  }

  /// Returns whether the value has a size, and the key path of a storage leads to the same location.
  func isFound<Root: AnyObject, Value>(
    by storage: ReferenceWritableKeyPath<Root, KVProperty<Value>>, in object: Root
  ) -> Bool {
    let address = withAddress(of: &object[keyPath: storage].value) { $0.number }
    return size > 0 && address &- _KVReference(object).identity == offset
  }
}
