/// A value that is to be set: in memory as a value of its own type, or in a box that the caller owns.
@usableFromInline
struct NewValue {
  /// The memory of the value; nil if the value was moved away or destroyed, or is in a box.
  private var memory: UnsafeMutableRawPointer?
  private let type: ObjectIdentifier
  private let boxer: any ValueBoxing.Type
  /// The box; nil if the value is nil.
  private let box: UnsafePointer<Any>?

  /// Creates the value in memory, which is uninitialised after ``end()``.
  @inline(__always)
  init(_ memory: UnsafeMutableRawPointer, _ type: ObjectIdentifier, _ boxer: any ValueBoxing.Type) {
    self.memory = memory
    self.type = type
    self.boxer = boxer
    box = nil
  }

  private init(_ box: UnsafePointer<Any>?) {
    self.box = box
    type = ObjectIdentifier(Any.self)
    boxer = BoxedValue.self
  }

  /// Calls a function with a value in a box, or nil.
  @inline(__always)
  static func with<Result>(
    _ value: Any?, _ set: (inout NewValue) throws(KVError) -> Result
  ) throws(KVError) -> Result {
    guard let value else {
      var nothing = NewValue(nil)
      return try set(&nothing)
    }
    return try withUnsafePointer(to: value) { box throws(KVError) in
      var value = NewValue(box)
      return try set(&value)
    }
  }

  /// The value, boxed.
  var any: Any? { memory.map { boxer.boxWhole($0) } ?? box?.pointee }

  /// Moves the value to an object, if it is of the accessor's type, and the caller need neither notify nor log the
  /// write.
  @inline(__always)
  mutating func move(by accessor: Unmanaged<Accessor>, to object: AnyObject) -> Bool {
    if WriteLog.isActive || !accessor._withUnsafeGuaranteedRef({ $0.canBeSetInSilence(of: object) }) { return false }
    return move(by: accessor, to: object, noAddress)
  }

  /// Moves the value to an owner, if it is of the accessor's type.
  @inline(__always)
  mutating func move(
    by accessor: Unmanaged<Accessor>, to object: AnyObject, _ address: UnsafeMutableRawPointer
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      guard accessor.flags.contains(.isWritable) else { return false }
      guard let memory else { return box.map { accessor.assignExactly($0.pointee, to: object, address) } ?? false }
      guard accessor.valueID == type else { return false }
      self.memory = nil
      accessor.write(object, address, memory)
      return true
    }
  }

  /// Destroys the value if it was not moved away.
  @inline(__always)
  mutating func end() {
    if let memory { boxer.destroy(memory) }
    memory = nil
  }

  /// Calls a function that sets a value, and moves it out of memory for that.
  @inlinable @inline(__always)
  static func with<Value>(
    _ value: Value,
    _ set: (UnsafeMutableRawPointer, ObjectIdentifier, any ValueBoxing.Type) throws(KVError) -> Void
  ) throws(KVError) {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(KVError) in
      let memory = buffer.baseAddress.unsafelyUnwrapped
      memory.initialize(to: value)
      try set(UnsafeMutableRawPointer(memory), ObjectIdentifier(Value.self), Boxer<Value>.self)
    }
  }
}
