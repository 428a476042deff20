/// Where the value of a property stands in the objects of the class that declares it (Docs/Decisions/0010).
///
/// Two properties of a class cannot stand at the same place, so it says which property was set, for the price of a
/// subtraction; a key path costs 25 ns. Nothing is read or written through it. Values without size have no place of their
/// own. Should the compiler ever hand out the address of a copy, it is not the one that the key path leads to. Such places
/// are not kept, and the key path decides.
@usableFromInline
struct PropertyLocation {
  @usableFromInline let type: ObjectIdentifier
  /// How far from the start of the object the value begins; anything if it is not in the object.
  @usableFromInline let offset: UInt
  @usableFromInline let size: UInt

  /// Finds the place of a value.
  ///
  /// - Parameters:
  ///   - address: The address of the value.
  ///   - type: The type of the value.
  ///   - object: The object whose property it is, as the class that declares it.
  @inlinable @inline(__always)
  init<Root: AnyObject, Value>(_ address: UInt, of type: Value.Type, in object: Root) {
    self.type = ObjectIdentifier(Root.self)
    offset = address &- UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    size = UInt(MemoryLayout<Value>.size)
  }

  /// What a table finds it by; without size none of its own.
  @inline(__always)
  var bits: StringBits {
    StringBits(first: UInt(bitPattern: type), second: size == 0 ? .max : offset)
  }

  /// Whether the value has a size, and stands where a key path leads to.
  func isFound<Root: AnyObject, Value>(
    by storage: ReferenceWritableKeyPath<Root, KVProperty<Value>>, in object: Root
  ) -> Bool {
    let address = withUnsafeMutablePointer(to: &object[keyPath: storage].value) { UInt(bitPattern: $0) }
    return size > 0 && address &- UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()) == offset
  }
}
