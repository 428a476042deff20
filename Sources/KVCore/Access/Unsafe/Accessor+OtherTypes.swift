// Values of other types than the property's that need no box: optionals, and numbers (CO.2).

extension Accessor {
  /// Moves the value of an owner into memory as what is inside its optional, as an optional, or as another number type;
  /// else returns it, erased.
  ///
  /// The value is read once, also if it does not fit.
  @inline(never)
  func readOther(
    _ object: AnyObject, _ address: Address, as type: ObjectIdentifier, into memory: Address
  ) -> TypedRead {
    if type == unwrappedID, let optional = value.optional {
      let isMoved = withValueMemory { value in
        read(object, address, value)
        return optional.unwrap(value, to: memory)
      }
      return isMoved ? unwrapped(memory, in: optional, isScalar: value.isScalar) : .other(nil, declaration)
    }
    if let own = value.number, let wanted = Self.number(type) {
      return withValueMemory { value in
        read(object, address, value)
        if let optional = self.value.optional, !optional.unwrap(value, to: value) { return .other(nil, declaration) }
        defer { unwrappedBoxer.destroy(value) }
        if wanted.initialize(memory, to: value, of: own) { return .moved }
        return .other(unwrappedBoxer.box(value), declaration)
      }
    }
    if let wanted = TypeTraits.existing(type)?.borrow({ $0.optional }), ObjectIdentifier(wanted.wrappedType) == valueID
    {
      read(object, address, memory)
      let result = unwrapped(memory, in: wanted, isScalar: value.isScalar && !value.isOptional)
      if case .moved = result { wanted.wrap(memory, to: memory) }
      return result
    }
    return .other(readAny(object, address), declaration)
  }

  /// Returns that memory has a value which an optional wraps; if that can be nil itself, erases it and empties the memory
  /// (KVC.4).
  private func unwrapped(_ memory: Address, in optional: any OptionalValue.Type, isScalar: Bool) -> TypedRead {
    if isScalar || optional.isUnwrapped(memory) { return .moved }
    defer { optional.wrappedBoxer.destroy(memory) }
    return .other(optional.wrappedBoxer.box(memory), declaration)
  }

  /// Writes a value that is not of the accessor's type, or is referred to by its box, to an owner, and notifies; false if it
  /// has to be converted in another way.
  @inline(never)
  func writeOther(_ new: NewValue, to object: AnyObject, _ address: Address = noAddress) -> Bool {
    guard flags.contains(.isWritable) else { return false }
    return withValueMemory { value in
      guard new.initialize(value, for: self) else { return false }
      if !needsNotification(of: object) {
        write(object, address, value)
      } else {
        writeNotifying(copyOf: value, to: object)
        self.value.boxer.destroy(value)
      }
      return true
    }
  }

  /// Calls a function with memory for a value.
  @inline(__always)
  func withValueMemory<Result>(_ body: (Address) -> Result) -> Result {
    withMemory(size: valueSize, alignmentMask: valueAlignmentMask) { body($0) }
  }

  /// The number type of an identity, if it is known to be one.
  static func number(_ type: ObjectIdentifier) -> (any NumericValue.Type)? {
    TypeTraits.existing(type)?.borrow { $0.number }
  }
}
