/// What an observer wants to hear, and how (KVO.1).
public struct KVObservingOptions: OptionSet, Sendable, Hashable {
  /// The bits.
  public let rawValue: UInt8

  /// Makes options from bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Records carry the value before the change.
  public static let old = KVObservingOptions(rawValue: 1)
  /// Records carry the value after the change.
  public static let new = KVObservingOptions(rawValue: 2)
  /// A first record is delivered before the registration returns (KVO.3).
  public static let initial = KVObservingOptions(rawValue: 4)
  /// A record is delivered before each change as well (KVO.4).
  public static let prior = KVObservingOptions(rawValue: 8)
  /// Changes to an equal value are not delivered, nor are replacements of elements by equal ones (KVO.5); equal by the
  /// rule CO.7.
  public static let distinct = KVObservingOptions(rawValue: 16)
  /// Inside of `KVCoalescing.coalesce` changes are merged, and delivered at its end (COA.2).
  public static let coalesced = KVObservingOptions(rawValue: 32)
  /// Where a path ends in an operator, changes of the elements count too (KVO.18).
  public static let elements = KVObservingOptions(rawValue: 64)
}

extension KVObservingOptions: CustomStringConvertible {
  /// The names of the options, such as `old, new`.
  public var description: String {
    let names = ["old", "new", "initial", "prior", "distinct", "coalesced", "elements"]
    return names.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: ", ")
  }
}
