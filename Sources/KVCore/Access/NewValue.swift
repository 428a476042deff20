/// A value that is to be set: in memory as a value of its own type, or in a box.
///
/// A box has room for small values, and is then their memory: they are moved out of it without a copy.
@frozen @usableFromInline
struct NewValue {
  /// The memory of the value; nil if the value was moved away or destroyed, or is in a box.
  @usableFromInline var memory: Address?
  @usableFromInline let type: ObjectIdentifier?
  @usableFromInline let boxer: any ValueBoxing.Type
  /// The box; nil if the value is in memory.
  @usableFromInline let box: AddressOf<Any?>?

  /// Creates a value in memory, which is uninitialised after ``end()``.
  ///
  /// - Parameters:
  ///   - memory: The memory.
  ///   - type: The type of the value, or nil if no accessor can write it without a conversion.
  ///   - boxer: The boxer of the type.
  @inlinable @inline(__always)
  init(_ memory: Address, _ type: ObjectIdentifier?, _ boxer: any ValueBoxing.Type) {
    self.memory = memory
    self.type = type
    self.boxer = boxer
    box = nil
  }

  @inline(__always)
  private init(_ box: AddressOf<Any?>) {
    self.box = box
    type = box.boxedType
    boxer = Boxer<Any?>.self
  }

  /// Calls a function with a value in a box, or nil.
  ///
  /// The function may leave the box with nil.
  @inline(__always)
  static func with<Result>(
    boxed value: consuming Any?, _ set: (inout NewValue) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try withAddress(of: &value) { box throws(KVError) in
      var value = NewValue(box)
      return try set(&value)
    }
  }

  /// Calls a function that sets a value, and that moves it out of memory or destroys it.
  @inlinable @inline(__always)
  static func with<Value>(_ value: Value, _ set: (NewValue) throws(KVError) -> Void) throws(KVError) {
    try withMemory(of: Value.self) { memory throws(KVError) in
      memory.initialize(to: value)
      try set(NewValue(Address(memory), ObjectIdentifier(Value.self), valueBoxer(of: Value.self)))
    }
  }

  /// The value, boxed.
  var any: Any? { box?.pointee ?? memory.map { boxer.boxWhole($0) } }

  /// Sets a key of an object and notifies of that, unless the value has to be converted or logged.
  @inline(__always)
  mutating func move(by accessor: Accessor, to object: AnyObject) -> Bool {
    if WriteLog.isActive { return false }
    guard !accessor.needsNotification(of: object) else { return notify(accessor, object) }
    return move(by: accessor, to: object, noAddress)
  }

  @inline(never)
  private func notify(_ accessor: Accessor, _ object: AnyObject) -> Bool {
    guard accessor.accepts(type), let sourceAddress = sourceAddress(for: accessor) else {
      return accessor.writeOther(self, to: object)
    }
    accessor.writeNotifying(copyOf: sourceAddress, to: object)
    return true
  }

  /// Moves the value to an owner, if it is of the accessor's type.
  @inline(__always)
  mutating func move(by accessor: Accessor, to object: AnyObject, _ address: Address) -> Bool {
    guard accessor.accepts(type), let sourceAddress = sourceAddress(for: accessor) else {
      return accessor.writeOther(self, to: object, address)
    }
    memory = nil
    accessor.write(object, address, sourceAddress)
    box?.initialize(to: nil)
    return true
  }

  /// The memory of the value, if it is of the accessor's type or inside its optional; nil if that may be too large for a
  /// box.
  @inline(__always)
  private func sourceAddress(for accessor: Accessor) -> Address? {
    if let box { return accessor.flags.contains(.fitsBox) ? Address(box) : nil }
    return memory
  }

  /// Initialises memory with a copy of the value as one of an accessor's type: as it is, inside its optional, or as another
  /// number; false if it has to be converted in another way.
  func initialize(_ copy: Address, for accessor: Accessor) -> Bool {
    switch type {
    case accessor.valueID: initialize(copy, for: accessor, by: accessor.value.boxer)
    case accessor.unwrappedID:
      guard let optional = accessor.value.optional else { return false }
      initialize(copy, for: accessor, by: accessor.unwrappedBoxer)
      // A nil in it would be no nil of the property (KVC.4).
      guard accessor.value.isScalar || optional.isUnwrapped(copy) else {
        accessor.unwrappedBoxer.destroy(copy)
        return false
      }
      optional.wrap(copy, to: copy)
    case nil where box != nil:
      guard let optional = accessor.value.optional else { return false }
      optional.initializeNil(copy)
    default:
      guard let own = accessor.value.number, initialize(copy, asNumber: own) else { return false }
      accessor.value.optional?.wrap(copy, to: copy)
    }
    return true
  }

  private func initialize(_ copy: Address, for accessor: Accessor, by boxer: any ValueBoxing.Type) {
    if let sourceAddress = sourceAddress(for: accessor) { return boxer.initialize(copy, copyOf: sourceAddress) }
    if let any { boxer.unbox(any, to: copy) }
  }

  /// Initialises memory with the nearest value of a type of numbers; false if the value is no number, or out of range.
  private func initialize(_ copy: Address, asNumber type: any NumericValue.Type) -> Bool {
    guard let memory else { return any.flatMap(AnyNumber.init(of:)).map { type.initialize(copy, to: $0) } ?? false }
    guard let own = self.type.flatMap(Accessor.number) else { return false }
    return type.initialize(copy, to: memory, of: own)
  }

  /// Destroys the value if it was not moved away.
  @inline(__always)
  mutating func end() {
    if let memory { boxer.destroy(memory) }
    memory = nil
  }
}
