// Values of other types than the property's that need no box: optionals, and numbers (CO.2).

extension Accessor {
  /// Moves the value of an owner into memory as what is inside its optional, as an optional, or as another number type;
  /// else returns it, erased.
  ///
  /// The value is read once, also if it does not fit.
  @inline(never)
  func readOther(
    _ object: AnyObject, _ address: Address, as type: ObjectIdentifier,
    into memory: Address
  ) -> (isMoved: Bool, value: Any?) {
    if type == unwrappedID, let optional = value.optional {
      let isMoved = withValueMemory { value in
        read(object, address, value)
        return optional.unwrap(value, to: memory)
      }
      return isMoved ? Self.unwrapped(memory, in: optional, isScalar: value.isScalar) : (false, nil)
    }
    if let own = value.number, let wanted = Self.number(type) {
      var unfit: Any?
      let isMoved = withValueMemory { value in
        read(object, address, value)
        if let optional = self.value.optional, !optional.unwrap(value, to: value) { return false }
        defer { unwrappedBoxer.destroy(value) }
        if wanted.initialize(memory, to: own.number(at: value)) { return true }
        unfit = unwrappedBoxer.box(value)
        return false
      }
      return (isMoved, unfit)
    }
    if let wanted = TypeTraits.existing(type)?.borrow({ $0.optional }), ObjectIdentifier(wanted.wrappedType) == valueID
    {
      read(object, address, memory)
      let result = Self.unwrapped(memory, in: wanted, isScalar: value.isScalar && !value.isOptional)
      if result.isMoved { wanted.wrap(memory, to: memory) }
      return result
    }
    return (false, readAny(object, address))
  }

  /// Returns that memory has a value which an optional wraps; if that can be nil itself, erases it and empties the memory
  /// (KVC.4).
  private static func unwrapped(
    _ memory: Address, in optional: any OptionalValue.Type, isScalar: Bool
  ) -> (isMoved: Bool, value: Any?) {
    if isScalar || optional.isUnwrapped(memory) { return (true, nil) }
    defer { optional.wrappedBoxer.destroy(memory) }
    return (false, optional.wrappedBoxer.box(memory))
  }

  /// Writes a value that is not of the accessor's type, or is referred to by its box, to an owner, and notifies; false if it
  /// has to be converted in another way.
  @inline(never)
  func writeOther(_ new: NewValue, to object: AnyObject, _ address: Address = noAddress) -> Bool {
    guard flags.contains(.isWritable) else { return false }
    return withValueMemory { value in
      guard new.initialize(value, for: self) else { return false }
      if canBeSetInSilence(of: object) {
        write(object, address, value)
      } else {
        writeNotifying(copyOf: value, to: object)
        self.value.boxer.destroy(value)
      }
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
