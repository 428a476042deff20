/// A number type that converts values at addresses.
///
/// These are requirements, so that the compiler makes code for each type, which needs no look-ups of types.
package protocol NumberInMemory {
  /// Returns the number of the value at an address, which is of the type.
  static func number(at address: Address) -> KVNumber
  /// Initialises memory with the nearest value to a number; false if it is out of range.
  static func initialize(_ memory: Address, to number: KVNumber) -> Bool
}

extension KVNumeric {
  /// Returns the number of the value at an address, which is of the type.
  package static func number(at address: Address) -> KVNumber {
    address.of(Self.self).pointee.number
  }

  /// Initialises memory with the nearest value to a number; false if it is out of range.
  package static func initialize(_ memory: Address, to number: KVNumber) -> Bool {
    guard let value = Self(number: number) else { return false }
    memory.initialize(as: Self.self, to: value)
    return true
  }
}

extension KVNumber {
  /// Creates the number of a value; nil for a value that is no number.
  init?(of any: Any) {
    let type = Swift.type(of: any)
    guard let numeric = TypeTraits.number(type) else { return nil }
    func number<T>(_ value: T) -> KVNumber? {
      if T.self != type { return (any as? any KVNumeric)?.number }
      return withAddress(of: value) { numeric.number(at: Address($0)) }
    }
    guard let number = _openExistential(any, do: number) else { return nil }
    self = number
  }
}
