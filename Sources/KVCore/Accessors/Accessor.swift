/// Reads a value out of its owner into uninitialised memory.
///
/// The first pointer is the *base*: the object itself where the owner is a class, the address of the value elsewhere.
@usableFromInline typealias ReadFunction = (UnsafeRawPointer, UnsafeMutableRawPointer) -> Void

/// Copies a value from memory into its owner, which is given by its base.
@usableFromInline typealias WriteFunction = (UnsafeMutableRawPointer, UnsafeRawPointer) -> Void

/// The way to one key of one concrete type, erased.
///
/// Both functions are closures over raw memory because a closure of a generic type is re-abstracted when it is stored,
/// which costs more than the access itself (Docs/Decisions/0002). An accessor belongs to a ``TypeInfo``, and like it
/// lives as long as the process.
@usableFromInline
final class Accessor: @unchecked Sendable {  // guard: immutable; its closures run where the model lives
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let valueID: ObjectIdentifier
  @usableFromInline let read: ReadFunction
  @usableFromInline let write: WriteFunction
  @usableFromInline let flags: Flags
  let key: KVKey
  let value: ValueType
  let declaration: KeyDeclaration

  init(_ declaration: KeyDeclaration, owner: ObjectIdentifier, notifiesItself: Bool) {
    self.declaration = declaration
    self.owner = owner
    key = declaration.key
    value = declaration.value
    valueID = declaration.value.id
    read = declaration.read
    write = declaration.write ?? { _, _ in preconditionFailure("a read-only accessor was written") }
    var flags: Flags = []
    if declaration.write != nil, !declaration.isReadOnly { flags.insert(.isWritable) }
    if declaration.value.isObjectReference { flags.insert(.isObjectReference) }
    if notifiesItself || declaration.notifiesManually { flags.insert(.needsNoNotification) }
    self.flags = flags
  }

  @usableFromInline
  struct Flags: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt8
    @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The key may be written.
    @usableFromInline static var isWritable: Flags { Flags(rawValue: 1) }
    /// The value is a class reference or an optional one: one word, nil is zero.
    @usableFromInline static var isObjectReference: Flags { Flags(rawValue: 2) }
    /// The property tells of its own changes, or its owner does by hand.
    @usableFromInline static var needsNoNotification: Flags { Flags(rawValue: 4) }
  }

  /// Returns the value of an owner, erased; nil for a nil optional.
  func readAny(_ base: UnsafeRawPointer) -> Any? { value.box(read, base) }

  /// Returns the object that an owner refers to; only for accessors of object references.
  @inline(__always)
  func readObject(_ base: UnsafeRawPointer) -> AnyObject? {
    // A class reference, optional or not, is laid out as `AnyObject?` is: one word, retained, zero for nil.
    withUnsafeTemporaryAllocation(of: AnyObject?.self, capacity: 1) { buffer in
      let address = buffer.baseAddress.unsafelyUnwrapped
      read(base, UnsafeMutableRawPointer(address))
      return address.move()
    }
  }

  /// Reads the value as the type that it is known to have.
  @inlinable @inline(__always)
  func readTyped<Value>(_ base: UnsafeRawPointer, as type: Value.Type) -> Value {
    withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer in
      let address = buffer.baseAddress.unsafelyUnwrapped
      read(base, UnsafeMutableRawPointer(address))
      return address.move()
    }
  }
}
