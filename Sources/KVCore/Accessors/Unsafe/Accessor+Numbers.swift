// Numbers of other types than the property's (CO.2), which are converted without a box.

extension Accessor {
  /// Moves the value of an owner into memory as another number type; else returns it, erased.
  ///
  /// The value is read once, also if it does not fit.
  @inline(never)
  func readOther(
    _ object: AnyObject, _ address: Address, as type: ObjectIdentifier,
    into memory: Address
  ) -> (isMoved: Bool, value: Any?) {
    guard let own = value.number, let wanted = Self.number(type) else { return (false, readAny(object, address)) }
    var unfit: Any?
    let isMoved = withValueMemory { value in
      read(object, address, value)
      defer { unwrappedBoxer.destroy(value) }
      if wanted.initialize(memory, to: own.number(at: value)) { return true }
      unfit = unwrappedBoxer.box(value)
      return false
    }
    return (isMoved, unfit)
  }

  /// Writes a boxed number of another type to an owner; false if one of both types is no number, or the value does not
  /// fit.
  @inline(never)
  func assignNumber(_ any: Any, to object: AnyObject, _ address: Address) -> Bool {
    guard let own = value.number, let number = KVNumber(of: any) else { return false }
    return withValueMemory { value in
      guard own.initialize(value, to: number) else { return false }
      write(object, address, value)
      return true
    }
  }

  /// Calls a function with memory for a value.
  func withValueMemory(_ body: (Address) -> Bool) -> Bool {
    withMemory(size: valueSize, alignmentMask: valueAlignmentMask) { body($0) }
  }

  /// The number type of an identity, if it is known to be one.
  static func number(_ type: ObjectIdentifier) -> (any KVNumeric.Type)? {
    TypeTraits.existing(type)?.borrow { $0.number }
  }
}
