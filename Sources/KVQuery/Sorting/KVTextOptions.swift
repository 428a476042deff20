import KVCore

/// The differences that a comparison of texts ignores (FLT.7).
public struct KVTextOptions: OptionSet, Sendable, Hashable {
  /// The bits of the options.
  public let rawValue: Int

  /// Creates options from their bits.
  ///
  /// - Parameter rawValue: The bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Ignores the case, `[c]` in a format: `"ß"`, `"SS"` and `"ss"` are equal.
  public static let caseInsensitive = KVTextOptions(rawValue: 1)
  /// Ignores diacritics, `[d]` in a format: `"é"` and `"e"` are equal.
  public static let diacriticInsensitive = KVTextOptions(rawValue: 2)
}
