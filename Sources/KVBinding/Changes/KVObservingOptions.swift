/// The options of an observation: the contents of its records and the times of their delivery (KVO.1).
@frozen public struct KVObservingOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: UInt8

  /// Creates options from bits.
  ///
  /// - Parameter rawValue: The bits.
  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Records contain the value before the change.
  @inlinable public static var old: KVObservingOptions { KVObservingOptions(rawValue: 1) }
  /// Records contain the value after the change.
  @inlinable public static var new: KVObservingOptions { KVObservingOptions(rawValue: 2) }
  /// A first record is delivered before the registration returns (KVO.3).
  @inlinable public static var initial: KVObservingOptions { KVObservingOptions(rawValue: 4) }
  /// An additional record is delivered before each change (KVO.4).
  @inlinable public static var prior: KVObservingOptions { KVObservingOptions(rawValue: 8) }
  /// Changes to an equal value (CO.7), and replacements of elements by equal ones, are not delivered (KVO.5).
  @inlinable public static var distinct: KVObservingOptions { KVObservingOptions(rawValue: 16) }
  /// Changes within `KVCoalescing.coalesce` are merged and delivered at its end (COA.2).
  @inlinable public static var coalesced: KVObservingOptions { KVObservingOptions(rawValue: 32) }
  /// Changes of what an operator of the key path reads from elements are not delivered, but only changes of the
  /// collection itself (KVO.18).
  ///
  /// On a path without an operator the option has no effect.
  @inlinable public static var membershipOnly: KVObservingOptions { KVObservingOptions(rawValue: 64) }

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
