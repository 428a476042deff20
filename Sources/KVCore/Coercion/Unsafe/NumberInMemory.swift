/// A number type that converts values at addresses.
///
/// These are requirements, so that the compiler makes code for each type, which needs no look-ups of types.
package protocol NumberInMemory {
  /// Returns the number of the value at an address, which is of the type.
  static func number(at address: Address) -> AnyNumber
  /// Initialises memory with the nearest value to a number; false if it is out of range.
  static func initialize(_ memory: Address, to number: AnyNumber) -> Bool
  /// Initialises memory with the nearest value to one at an address, which is of another type; false if it is out of range.
  static func initialize(_ memory: Address, to source: Address, of type: any NumericValue.Type) -> Bool
}

extension NumericValue {
  /// Returns the number of the value at an address, which is of the type.
  package static func number(at address: Address) -> AnyNumber {
    address.of(Self.self).pointee.number
  }

  /// Initialises memory with the nearest value to a number; false if it is out of range.
  package static func initialize(_ memory: Address, to number: AnyNumber) -> Bool {
    initialize(memory, with: Self(number: number))
  }

  /// Initialises memory with the nearest value to one at an address, which is of another type; false if it is out of range.
  package static func initialize(_ memory: Address, to source: Address, of type: any NumericValue.Type) -> Bool {
    initialize(memory, to: type.number(at: source))
  }

  /// Initialises memory with a value, if there is one.
  @inline(__always)
  fileprivate static func initialize(_ memory: Address, with value: Self?) -> Bool {
    guard let value else { return false }
    memory.initialize(as: Self.self, to: value)
    return true
  }
}

// Values of the commonest types are read as such, and no number is made of them.

extension NumericValue where Self: FixedWidthInteger {
  /// Initialises memory with the nearest value to one at an address, which is of another type; false if it is out of range.
  package static func initialize(_ memory: Address, to source: Address, of type: any NumericValue.Type) -> Bool {
    if type == Int.self { return initialize(memory, with: Self(exactly: source.of(Int.self).pointee)) }
    if type == Double.self { return initialize(memory, with: Self(nearest: source.of(Double.self).pointee)) }
    return initialize(memory, to: type.number(at: source))
  }
}

extension NumericValue where Self: BinaryFloatingPoint {
  /// Initialises memory with the nearest value to one at an address, which is of another type; false if it is out of range.
  package static func initialize(_ memory: Address, to source: Address, of type: any NumericValue.Type) -> Bool {
    if type == Int.self { return initialize(memory, with: Self(nearest: Double(source.of(Int.self).pointee))) }
    if type == Double.self { return initialize(memory, with: Self(nearest: source.of(Double.self).pointee)) }
    return initialize(memory, to: type.number(at: source))
  }
}

extension AnyNumber {
  /// Creates the number of a value; nil for a value that is no number.
  package init?(of any: Any) {
    let type = Swift.type(of: any)
    guard let numeric = TypeTraits.number(type) else { return nil }
    func number<T>(_ value: T) -> AnyNumber? {
      if T.self != type { return (any as? any NumericValue)?.number }
      return withAddress(of: value) { numeric.number(at: Address($0)) }
    }
    guard let number = _openExistential(any, do: number) else { return nil }
    self = number
  }
}
