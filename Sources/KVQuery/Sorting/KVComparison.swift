import KVCore

/// How the values of a sort descriptor are compared (SRT.3, SRT.5, SRT.6).
///
/// A comparison is its name: comparisons with equal names are equal, and one is encoded as its name.
public struct KVComparison: Sendable, Hashable, CustomStringConvertible {
  typealias Body = @Sendable (Any, Any) throws -> KVOrdering

  /// How a comparison works.
  enum Method {
    case standard, caseInsensitive, natural
    case custom(Body)

    /// Whether a function of the program compares the values, which keep their types for it.
    var keepsTypes: Bool { if case .custom = self { true } else { false } }

    /// Whether values are compared by their scalars.
    var comparesScalars: Bool {
      switch self {
      case .standard, .caseInsensitive: true
      case .natural, .custom: false
      }
    }
  }

  /// The name.
  public let name: String

  /// The name.
  public var description: String { name }

  package init(name: String) { self.name = name }

  /// Numbers by value, texts as Swift's `<`, `false` before `true`, other values as `Comparable`, and enums that are not
  /// `Comparable` by raw value (SRT.3).
  public static let standard = KVComparison(name: "standard")
  /// Texts without case, by scalars; other values are refused (SRT.5).
  public static let caseInsensitive = KVComparison(name: "caseInsensitive")
  /// Texts as people count, "file 2" before "file 10", without case and diacritics; other values are refused (SRT.5).
  ///
  /// The order is the same on every platform and in every locale.
  public static let natural = KVComparison(name: "natural")

  // MARK: The registry

  private static let builtIn = [standard.name, caseInsensitive.name, natural.name]
  private static let custom = Locked<[String: Body]>([:])
  package static let localePrefix = "localized:"

  /// Registers a comparison for the whole process.
  ///
  /// ```swift
  /// let byLength = try KVComparison.register("length") { a, b in … }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - replacing: Whether it may replace a registered comparison of the same name. A built-in one stays.
  ///   - compare: Returns the order of two values that are not nil. An error that it throws ends the sort.
  /// - Returns: The comparison.
  /// - Throws: ``KVError`` (`unsupported`) if the name is taken.
  @discardableResult
  public static func register(
    _ name: String, replacing: Bool = false, _ compare: @escaping @Sendable (Any, Any) throws -> KVOrdering
  ) throws(KVError) -> KVComparison {
    let isBuiltIn = builtIn.contains(name) || name.hasPrefix(localePrefix)
    let isRegistered = custom.withLock { custom in
      guard !isBuiltIn, replacing || custom[name] == nil else { return true }
      custom[name] = compare
      return false
    }
    guard isRegistered else { return KVComparison(name: name) }
    throw KVError(
      .unsupported,
      """
      the comparison "\(name)" is \(isBuiltIn ? "built in: choose another name." : "registered already: choose another name, or pass replacing: true.")
      """, component: name)
  }

  /// Removes a registered comparison.
  ///
  /// - Parameter name: The name.
  public static func unregister(_ name: String) { custom.withLock { _ = $0.removeValue(forKey: name) } }

  /// Returns the comparison with a name.
  ///
  /// - Parameter name: A built-in or registered name, or `localized:` and the identifier of a locale.
  /// - Throws: ``KVError`` (`unsupported`) with the known names and the nearest of them.
  public static func named(_ name: String) throws(KVError) -> KVComparison {
    let comparison = KVComparison(name: name)
    _ = try comparison.method()
    return comparison
  }

  /// Returns how the comparison works.
  func method() throws(KVError) -> Method {
    switch name {
    case Self.standard.name: return .standard
    case Self.caseInsensitive.name: return .caseInsensitive
    case Self.natural.name: return .natural
    default: break
    }
    if let body = Self.custom.withLock({ $0[name] }) { return .custom(body) }
    if name.hasPrefix(Self.localePrefix), let services = FoundationProvider.services {
      let compare = services.comparison(locale: String(name.dropFirst(Self.localePrefix.count)))
      return .custom { left, right in
        guard let left = RawValues.text(of: left), let right = RawValues.text(of: right) else {
          throw KVError(.typeMismatch, "\(describe(left)) and \(describe(right)) are not both text.")
        }
        return compare(left, right)
      }
    }
    let known = (Self.builtIn + Self.custom.withLock { Array($0.keys) }).sorted()
    let suggestion = Suggestion.nearest(to: name, among: known)
    throw KVError(
      .unsupported,
      """
      unknown comparison "\(name)".\(Suggestion.question(suggestion)) Known comparisons: \(Failure.list(known)).
      """, component: name, knownKeys: known, suggestion: suggestion)
  }
}

extension KVComparison: Codable {
  /// Decodes a comparison from its name.
  ///
  /// - Parameter decoder: A decoder of a single string.
  /// - Throws: `DecodingError.dataCorrupted` for an unknown name; any error of the decoder.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      self = try Self.named(try container.decode(String.self))
    } catch let error as KVError {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
    }
  }

  /// Encodes the name.
  ///
  /// - Parameter encoder: An encoder of a single string.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }
}
