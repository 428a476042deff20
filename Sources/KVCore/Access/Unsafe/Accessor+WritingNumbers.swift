extension Accessor {
  /// Writes a number of another type in memory to an owner, and notifies; false if one of both types is no number, or
  /// the value does not fit.
  @inline(never)
  func writeNumber(
    at memory: Address, of type: ObjectIdentifier?, to object: AnyObject,
    _ address: Address = noAddress
  ) -> Bool {
    guard let own = value.number, let type, let given = Self.number(type), flags.contains(.isWritable) else {
      return false
    }
    return withValueMemory { value in
      guard own.initialize(value, to: given.number(at: memory)) else { return false }
      if canBeSetInSilence(of: object) {
        write(object, address, value)
      } else {
        writeNotifying(copyOf: value, to: object)
        unwrappedBoxer.destroy(value)
      }
      return true
    }
  }
}
