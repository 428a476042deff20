/// A value that is to be set: in memory as a value of its own type, or in a box that the caller owns.
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

  private init(_ box: AddressOf<Any?>) {
    self.box = box
    type = nil
    boxer = Boxer<Any?>.self
  }

  /// Calls a function with a value in a box, or nil.
  @inline(__always)
  static func with<Result>(
    boxed value: Any?, _ set: (inout NewValue) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    try withAddress(of: value) { box throws(KVError) in
      var value = NewValue(box)
      return try set(&value)
    }
  }

  /// Calls a function that sets a value, and that moves it out of memory or destroys it.
  @inlinable @inline(__always)
  static func with<Value>(_ value: Value, _ set: (NewValue) throws(KVError) -> Void) throws(KVError) {
    try withMemory(of: Value.self) { memory throws(KVError) in
      memory.initialize(to: value)
      try set(NewValue(Address(memory), ObjectIdentifier(Value.self), Boxer<Value>.self))
    }
  }

  /// The value, boxed.
  var any: Any? { box?.pointee ?? memory.map { boxer.boxWhole($0) } }

  /// Sets a key of an object and notifies of that, unless the value has to be converted or logged.
  @inline(__always)
  mutating func move(by accessor: Accessor, to object: AnyObject) -> Bool {
    if WriteLog.isActive { return false }
    guard accessor.canBeSetInSilence(of: object) else { return notify(accessor, object) }
    return move(by: accessor, to: object, noAddress)
  }

  @inline(never)
  private func notify(_ accessor: Accessor, _ object: AnyObject) -> Bool {
    guard let memory else { return false }
    guard accessor.takes(type) else { return accessor.writeNumber(at: memory, of: type, to: object) }
    accessor.writeNotifying(copyOf: memory, to: object)
    return true
  }

  /// Moves the value to an owner, if it is of the accessor's type.
  @inline(__always)
  mutating func move(by accessor: Accessor, to object: AnyObject, _ address: Address) -> Bool {
    if let memory {
      guard accessor.takes(type) else { return accessor.writeNumber(at: memory, of: type, to: object, address) }
      self.memory = nil
      accessor.write(object, address, memory)
      return true
    }
    guard let box, accessor.flags.contains(.isWritable) else { return false }
    return box.pointee.map { accessor.assign($0, to: object, address) } ?? false
  }

  /// Destroys the value if it was not moved away.
  @inline(__always)
  mutating func end() {
    if let memory { boxer.destroy(memory) }
    memory = nil
  }
}
