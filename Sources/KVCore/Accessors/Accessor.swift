import Synchronization

/// Moves a value between its owner and memory: reading initialises the memory, writing leaves it uninitialised.
///
/// The owner is the first parameter if it is an object, the second if it is a value in memory; see ``Owner``.
@usableFromInline typealias AccessFunction = (AnyObject, Address, Address) -> Void

/// Calls a closure once with the address at which an object stores a value.
@usableFromInline typealias ModifyFunction = (AnyObject, (Address) -> Void) -> Void

/// Writes a copy of the value in memory to an owner, or throws.
typealias ThrowingWriteFunction = (Owner, Address) throws -> Void

/// The type-erased access to one key of one concrete type.
///
/// Both functions are closures over raw memory because a closure of a generic type is re-abstracted when it is stored,
/// which costs more than the access itself (Docs/Decisions/0002). An accessor belongs to a ``TypeInfo``, and like it
/// lives as long as the process.
@usableFromInline
package final class Accessor: @unchecked Sendable {  // guard: immutable; its closures run at the model
  @usableFromInline let owner: ObjectIdentifier
  @usableFromInline let valueID: ObjectIdentifier
  @usableFromInline let read: AccessFunction
  @usableFromInline let write: AccessFunction
  @usableFromInline package let flags: Flags
  package let key: InternedKey
  package let value: ValueType
  /// The value type's function, here so that no reference has to be loaded to call it.
  private let box: BoxFunction
  let valueSize: Int
  let valueAlignmentMask: Int
  /// The type of the values, or the one inside their optional.
  let unwrappedID: ObjectIdentifier
  /// The boxer of that type.
  let unwrappedBoxer: any ValueBoxing.Type
  let transfer: TransferFunction
  /// The type of the owners with its conformance, which is not looked up for each object; nil if they cannot be observed.
  let observableOwner: (any KVObservable.Type)?
  package let declaration: KeyDeclaration
  /// The paths that the key depends on, those that superclasses declare included (DEP.4).
  package let affecting: [KVKeyPath]
  /// Where the paths of ``affecting`` are declared.
  package let affectingLocations: [CodeLocation?]
  /// Whether the class may override the property, which notifies of the values that its superclass stores.
  package let mayBeOverridden: Bool

  init(
    _ declaration: KeyDeclaration, affecting: [(path: KVKeyPath, location: CodeLocation?)], owner: Any.Type,
    notifiesItself: Bool, sourcesNotify: Bool, mayBeOverridden: Bool = false
  ) {
    self.mayBeOverridden = mayBeOverridden
    self.affecting = affecting.map(\.path)
    affectingLocations = affecting.map(\.location)
    self.declaration = declaration
    self.owner = ObjectIdentifier(owner)
    key = declaration.key
    value = declaration.value
    valueID = declaration.value.id
    box = declaration.value.box
    (valueSize, valueAlignmentMask) = declaration.value.boxer.layout
    unwrappedBoxer = declaration.value.optional?.wrappedBoxer ?? declaration.value.boxer
    unwrappedID = ObjectIdentifier(declaration.value.unwrappedType)
    transfer = declaration.value.transfer
    observableOwner = owner as? any KVObservable.Type
    read = declaration.read
    write = declaration.write
    var flags: Flags = []
    if declaration.isWritable, declaration.throwingWrite == nil { flags.insert(.isWritable) }
    if declaration.value.isObjectReference { flags.insert(.isObjectReference) }
    if notifiesItself || declaration.notifiesManually { flags.insert(.needsNoNotification) }
    if owner is KVObject.Type { flags.insert(.isOfKVObject) }
    if observableOwner == nil { flags.insert(.needsNoNotification) }
    if declaration.canNotify || sourcesNotify { flags.insert(.canNotify) }
    if declaration.notifiesManually { flags.insert(.isManual) }
    if declaration.value.boxer.fitsBox { flags.insert(.fitsBox) }
    if declaration.keepsValues { flags.insert(.keepsValues) }
    self.flags = flags
    isSettable = declaration.isWritable
    modify = Self.modify(by: declaration)
  }

  /// Creates the access to the key of another accessor without writing.
  private init(withoutWritingOf other: Accessor) {
    affecting = other.affecting
    affectingLocations = other.affectingLocations
    mayBeOverridden = other.mayBeOverridden
    declaration = other.declaration
    owner = other.owner
    key = other.key
    value = other.value
    valueID = other.valueID
    box = other.box
    (valueSize, valueAlignmentMask) = (other.valueSize, other.valueAlignmentMask)
    unwrappedBoxer = other.unwrappedBoxer
    unwrappedID = other.unwrappedID
    transfer = other.transfer
    observableOwner = other.observableOwner
    read = other.read
    write = other.write
    flags = other.flags.subtracting(.isWritable)
    isSettable = false
    modify = nil
  }

  /// Whether ``TypeInfo/canReadAtRelease(_:_:)`` is known: 1 if it is true, 2 if not.
  private let readingAtRelease = Atomic<UInt8>(0)

  /// The cached result of ``TypeInfo/canReadAtRelease(_:_:)``.
  var knownReadingAtRelease: Bool? {
    get {
      let state = readingAtRelease.load(ordering: .relaxed)
      return state == 0 ? nil : state == 1
    }
    set { readingAtRelease.store(newValue.map { $0 ? 1 : 2 } ?? 0, ordering: .relaxed) }
  }

  private let limited = Atomic<_KVReference<Accessor>?>(nil)

  /// The access to the key without writing, for paths with a policy that only lets it be read (SEC.4).
  ///
  /// It is created at its first use, and lives as long as the process.
  var withoutWriting: Accessor {
    if !isSettable { return self }
    if let known = limited.load(ordering: .acquiring) { return known.object }
    let made = _KVReference.retaining(Accessor(withoutWritingOf: self))
    let (isKept, known) = limited.compareExchange(expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isKept, let known else { return made.object }
    made.release()
    return known.object
  }

  @usableFromInline
  package struct Flags: OptionSet, Sendable {
    @usableFromInline package let rawValue: UInt8
    @usableFromInline package init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The key may be written, by a setter that does not throw.
    @usableFromInline package static var isWritable: Flags { Flags(rawValue: 1) }
    /// The value is a class reference or an optional one: one word, nil is zero.
    @usableFromInline package static var isObjectReference: Flags { Flags(rawValue: 2) }
    /// The owner is a ``KVObject``.
    @usableFromInline static var isOfKVObject: Flags { Flags(rawValue: 8) }
    /// The property notifies of its changes, the key has manual notification, or the owner cannot be observed.
    @usableFromInline static var needsNoNotification: Flags { Flags(rawValue: 4) }
    /// The key can notify, apart from notifications by its property.
    static var canNotify: Flags { Flags(rawValue: 16) }
    /// The key has manual notification (KVO.15).
    static var isManual: Flags { Flags(rawValue: 32) }
    /// A box has room for the values.
    static var fitsBox: Flags { Flags(rawValue: 64) }
    /// The setter stores any value as it is.
    static var keepsValues: Flags { Flags(rawValue: 128) }
  }

  /// Options of a transfer.
  @usableFromInline
  struct TransferOptions {
    /// Whether nothing is set if the target has an equal value.
    @usableFromInline let skippingEqual: Bool
    /// Whether the target is read again afterwards.
    @usableFromInline let checking: Bool
  }

  /// Edits the value of an object where it is stored; nil if the declaration has no sound function for it.
  let modify: ModifyFunction?

  /// Returns the collection of an owner unread, if the line has functions that count and return elements.
  func counted(_ owner: Any) -> CountedCollection? {
    guard let functions = declaration.counted else { return nil }
    return CountedCollection(owner: owner, functions: functions) { [self] in
      let value = withOwner(in: owner, isObject: type(of: owner) is AnyClass) { readAny($0) }
      return value.flatMap(collectionValue)?.ordered ?? [Any]()
    }
  }

  /// Whether the line of the key converts text, or has conversions of its own.
  package var convertsText: Bool { declaration.isLenient || !declaration.conversions.written.isEmpty }

  /// Whether the key may be written, by any setter.
  package let isSettable: Bool

  /// Whether the value may be nil.
  package var canBeNil: Bool { value.isOptional || isAnyType(value.type) }

  /// Whether the key can notify, apart from notifications by its property.
  package var canNotify: Bool { flags.contains(.canNotify) }

  /// Whether the key has manual notification (KVO.15).
  package var isManual: Bool { flags.contains(.isManual) }

  /// Whether the line of the table has functions that edit the collection (COL.2).
  package var editsElements: Bool { declaration.indexed != nil || declaration.unordered != nil }

  /// Returns the value of an object, erased; nil for a nil optional.
  @inline(__always)
  package func readAny(_ object: AnyObject) -> Any? { box(self, object, noAddress) }

  /// Returns the value of an owner, erased; nil for a nil optional.
  func readAny(_ owner: Owner) -> Any? { box(self, owner.object, owner.address) }

  /// Returns the value of an owner, erased; nil for a nil optional.
  @inline(__always)
  func readAny(_ object: AnyObject, _ address: Address) -> Any? { box(self, object, address) }

  /// Returns the value of a value in memory, erased; nil for a nil optional.
  @usableFromInline @inline(never)
  func readAny(at address: Address) -> Any? { box(self, self, address) }

  /// Returns the object that an owner refers to, retained; only for accessors of object references.
  @inline(__always)
  func readRetained(_ object: AnyObject, _ address: Address) -> _KVReference<AnyObject>? {
    // A class reference, optional or not, is laid out as `_KVReference<AnyObject>?` is: one word, zero for nil.
    readTyped(object, address, as: _KVReference<AnyObject>?.self)
  }

  /// Reads the value of an owner as the accessor's type.
  @inlinable @inline(__always)
  func readTyped<Value>(
    _ object: AnyObject, _ address: Address = noAddress, as type: Value.Type
  ) -> Value {
    withMemory(of: Value.self) { memory in
      read(object, address, Address(memory))
      return memory.move()
    }
  }

  /// Whether the accessor writes values of a type.
  @inlinable @inline(__always)
  func accepts(_ type: ObjectIdentifier?) -> Bool { valueID == type && flags.contains(.isWritable) }

  /// Writes a value of the accessor's type to an owner.
  @inlinable @inline(__always)
  func writeTyped<Value>(_ value: Value, to object: AnyObject, _ address: Address = noAddress) {
    withMemory(of: Value.self) { memory in
      memory.initialize(to: value)
      write(object, address, Address(memory))
    }
  }

  /// Calls a function with the address of a copy of the value of a struct in memory.
  func withValue(at owner: Address, _ body: (Address) -> Void) {
    withMemory(size: max(valueSize, 1), alignmentMask: valueAlignmentMask) { memory in
      read(self, owner, memory)
      body(memory)
      value.boxer.destroy(memory)
    }
  }

  /// Writes a copy of the value at an address, which is of the accessor's type.
  func writeCopy(of source: Address, to owner: Owner) {
    func open<T>(_ type: T.Type) {
      writeTyped(source.of(type).pointee, to: owner.object, owner.address)
    }
    _openExistential(value.type, do: open)
  }

  /// Writes a copy of the value at an address, by the setter of the line even if it throws.
  func writeCopyThrowing(of source: Address, to owner: Owner) throws {
    guard let write = declaration.throwingWrite else { return writeCopy(of: source, to: owner) }
    try write(owner, source)
  }

  /// Returns the function that edits values of a declaration in place, if there is a sound one.
  ///
  /// A line of a table has one by ``KVKeyHandle/inPlace(_:)``, or by a key path to a stored property. A key path to a
  /// computed property gets and sets a copy, so that editing through it would save nothing.
  private static func modify(by declaration: KeyDeclaration) -> ModifyFunction? {
    guard declaration.isWritable, let modify = declaration.modify else { return nil }
    return declaration.modifiesStorage || declaration.isStored ? modify : nil
  }
}
