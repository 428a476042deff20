/// The options of an observation: the contents of its records and the times of their delivery (KVO.1).
public struct KVObservingOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates options from bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Records contain the value before the change.
  public static let old = KVObservingOptions(rawValue: 1)
  /// Records contain the value after the change.
  public static let new = KVObservingOptions(rawValue: 2)
  /// A first record is delivered before the registration returns (KVO.3).
  public static let initial = KVObservingOptions(rawValue: 4)
  /// An additional record is delivered before each change (KVO.4).
  public static let prior = KVObservingOptions(rawValue: 8)
  /// Changes to an equal value (CO.7), and replacements of elements by equal ones, are not delivered (KVO.5).
  public static let distinct = KVObservingOptions(rawValue: 16)
  /// Changes within `KVCoalescing.coalesce` are merged and delivered at its end (COA.2).
  public static let coalesced = KVObservingOptions(rawValue: 32)
  /// Changes of what an operator of the key path reads from elements are not delivered, but only changes of the
  /// collection itself (KVO.18).
  ///
  /// On a path without an operator the option has no effect.
  public static let membershipOnly = KVObservingOptions(rawValue: 64)

  /// Unavailable: a path with an operator notifies of changes of the elements without an option.
  @available(
    *, unavailable,
    message: "an operator path notifies of changes of its elements: omit the option; .membershipOnly leaves them out"
  )
  public static var elements: KVObservingOptions { [] }
}

extension KVObservingOptions: CustomStringConvertible {
  /// The names of the options, such as `old, new`.
  public var description: String {
    let names = ["old", "new", "initial", "prior", "distinct", "coalesced", "membershipOnly"]
    return names.enumerated().filter { rawValue & (1 << $0.offset) != 0 }.map(\.element).joined(separator: ", ")
  }
}
