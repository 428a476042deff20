import KVCore

/// One criterion of an order: a key path, a direction and a comparison (SRT.1).
///
/// ```swift
/// let shelf = try songs.sorted(by: ["artist.name", .descending("year"), .natural("title")])
/// ```
///
/// A string literal is a descriptor that ascends (SRT.2). A literal that is no key path traps, as that of a ``KVKeyPath``.
public struct KVSortDescriptor: Sendable, Hashable, Codable {
  /// Where nil stands, in both directions (SRT.4).
  public enum NilPosition: String, Sendable, Hashable, Codable {
    /// Before all values.
    case first
    /// After all values.
    case last
  }

  /// The key path of the values that are compared; `self` for the elements themselves.
  public var keyPath: KVKeyPath
  /// Whether the least value comes first.
  public var ascending: Bool
  /// How values are compared.
  public var comparison: KVComparison
  /// Where nil stands; `nil` for the default: first if the descriptor ascends, else last.
  public var nils: NilPosition?
  /// Whether nil stands before all values.
  var putsNilsFirst: Bool { nils.map { $0 == .first } ?? ascending }

  /// Creates a descriptor.
  ///
  /// - Parameters:
  ///   - keyPath: The key path of the values that are compared.
  ///   - ascending: Whether the least value comes first.
  ///   - comparison: How values are compared.
  ///   - nils: Where nil stands; by default before all values if the descriptor ascends, else after them.
  public init(
    _ keyPath: KVKeyPath, ascending: Bool = true, comparison: KVComparison = .standard, nils: NilPosition? = nil
  ) {
    self.keyPath = keyPath
    self.ascending = ascending
    self.comparison = comparison
    self.nils = nils
  }

  /// Returns a descriptor that ascends.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - comparison: How values are compared.
  ///   - nils: Where nil stands.
  public static func ascending(
    _ keyPath: KVKeyPath, _ comparison: KVComparison = .standard, nils: NilPosition? = nil
  ) -> KVSortDescriptor {
    KVSortDescriptor(keyPath, comparison: comparison, nils: nils)
  }

  /// Returns a descriptor that descends.
  ///
  /// - Parameters:
  ///   - keyPath: The key path.
  ///   - comparison: How values are compared.
  ///   - nils: Where nil stands.
  public static func descending(
    _ keyPath: KVKeyPath, _ comparison: KVComparison = .standard, nils: NilPosition? = nil
  ) -> KVSortDescriptor {
    KVSortDescriptor(keyPath, ascending: false, comparison: comparison, nils: nils)
  }

  /// Returns a descriptor that ascends in natural order.
  ///
  /// - Parameter keyPath: The key path, whose values are texts.
  public static func natural(_ keyPath: KVKeyPath) -> KVSortDescriptor {
    KVSortDescriptor(keyPath, comparison: .natural)
  }

  /// The descriptor of the other direction; `nils` stays.
  public var reversed: KVSortDescriptor {
    var copy = self
    copy.ascending.toggle()
    return copy
  }

  /// Returns whether two descriptors order alike: their key paths have one policy, too (SEC.1).
  ///
  /// - Parameters:
  ///   - left: A descriptor.
  ///   - right: Another descriptor.
  public static func == (left: KVSortDescriptor, right: KVSortDescriptor) -> Bool {
    left.keyPath.isSame(as: right.keyPath) && left.ascending == right.ascending && left.comparison == right.comparison
      && left.nils == right.nils
  }

  private enum CodingKeys: String, CodingKey { case keyPath, ascending, comparison, nils }

  /// Decodes a descriptor; all entries but `keyPath` may be missing.
  ///
  /// - Parameter decoder: A decoder.
  /// - Throws: Any error of the decoder; `DecodingError.dataCorrupted` for a malformed path or an unknown comparison.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    keyPath = try container.decode(KVKeyPath.self, forKey: .keyPath)
    ascending = try container.decodeIfPresent(Bool.self, forKey: .ascending) ?? true
    comparison = try container.decodeIfPresent(KVComparison.self, forKey: .comparison) ?? .standard
    nils = try container.decodeIfPresent(NilPosition.self, forKey: .nils)
  }
}

extension KVSortDescriptor: ExpressibleByStringLiteral {
  /// Creates a descriptor that ascends from the text of a key path.
  ///
  /// - Parameter value: The literal, which traps if it is no key path (KP.6).
  public init(stringLiteral value: String) { self.init(KVKeyPath(stringLiteral: value)) }
}

extension KVSortDescriptor: CustomStringConvertible {
  /// The key path, the direction and what differs from the defaults.
  public var description: String {
    let comparison = comparison == .standard ? "" : " \(comparison)"
    return
      "\(keyPath) \(ascending ? "ascending" : "descending")\(comparison)\(nils.map { ", nil \($0.rawValue)" } ?? "")"
  }
}

extension KVSortDescriptor: TextLiteralValue {
  package static var textInitializer: String { "KVSortDescriptor(_:)" }
}
