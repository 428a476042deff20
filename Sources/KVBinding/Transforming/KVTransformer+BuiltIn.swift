import KVCore

extension KVTransformer {
  /// Negates a Boolean value.
  ///
  /// nil counts as `false`. Reversible.
  public static let negateBoolean = KVTransformer(
    "negateBoolean", forward: { (value: Bool?) -> Bool? in !(value ?? false) },
    reverse: { (value: Bool?) in !(value ?? false) })

  /// Returns whether a value is nil.
  ///
  /// A collection is tested as a whole.
  public static let isNil = KVTransformer("isNil", forward: { (value: Any?) in value == nil })

  /// Returns whether a value is not nil.
  public static let isNotNil = KVTransformer("isNotNil", forward: { (value: Any?) in value != nil })

  /// Replaces nil by zero; any other value stays as it is.
  public static let nilToZero = nilTo(0, named: "nilToZero")

  /// Replaces nil by one; any other value stays as it is.
  public static let nilToOne = nilTo(1, named: "nilToOne")

  /// Returns a transformer that replaces nil by a value, also in arrays and sets.
  ///
  /// - Parameter value: The replacement.
  /// - Returns: A transformer that works forward only, since a value that equals the replacement need not have been
  ///   nil.
  public static func nilTo(_ value: some Sendable) -> KVTransformer { nilTo(value, named: nil) }

  private static func nilTo(_ replacement: some Sendable, named name: String?) -> KVTransformer {
    KVTransformer.erased(name, forward: { $0 ?? replacement }).elementwise
  }

  /// Subtracts a number from one.
  ///
  /// nil counts as zero. Reversible.
  public static let oneMinus = KVTransformer(
    "oneMinus", forward: { (value: Double?) -> Double? in 1 - (value ?? 0) },
    reverse: { (value: Double?) in 1 - (value ?? 0) })

  /// Inverts all 64 bits of an integer.
  ///
  /// nil counts as zero. Reversible.
  public static let bitwiseComplement = KVTransformer(
    "bitwiseComplement", forward: { (value: Int64?) -> Int64? in ~(value ?? 0) },
    reverse: { (value: Int64?) in ~(value ?? 0) })

  /// The transformers with built-in names: those of this package, of Cocoa, and of the libraries that it succeeds.
  static let builtIn: [String: KVTransformer] = {
    let names: [(KVTransformer, [String])] = [
      (negateBoolean, ["negateBoolean", "NSNegateBoolean", "LogicalNegate", "InvertBoolean"]),
      (isNil, ["isNil", "NSIsNil", "IsNil"]),
      (isNotNil, ["isNotNil", "NSIsNotNil", "IsNotNil"]),
      (nilToZero, ["nilToZero", "NilToZero"]),
      (nilToOne, ["nilToOne", "NilToOne"]),
      (oneMinus, ["oneMinus", "OneMinus"]),
      (bitwiseComplement, ["bitwiseComplement", "BitwiseComplement"]),
      (url, ["url", "URLFromString"]),
    ]
    let provider = FileTransformers.self as Any.Type as? any FileTransformerProviding.Type
    var result = provider?.byName ?? [:]
    for (transformer, names) in names {
      for name in names { result[name] = KVTransformer(name, transformer.forward, transformer.backward) }
    }
    return result
  }()
}

extension KVTransformer {
  /// Returns the transformer that goes the other way, under another name; nil if it works forward only.
  package func backwards(named name: String) -> KVTransformer? { backward.map { KVTransformer(name, $0, forward) } }
}

/// The built-in transformers that belong to files, which KVDefinitions adds; found at run time, so that nothing has to be
/// registered.
package protocol FileTransformerProviding {
  /// The transformers by name.
  static var byName: [String: KVTransformer] { get }
}

/// The type that KVDefinitions lets conform to ``FileTransformerProviding``.
///
/// The names are built in also where KVDefinitions is not linked, so that linking it changes the meaning of none (TRN.4).
package enum FileTransformers {
  /// The name of the transformer to data.
  package static let archiving = "archive"
  /// The names of the transformer from data; Cocoa's convert data to objects.
  package static let unarchiving = [
    "unarchive", "NSUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData",
  ]
  static let names = Set(unarchiving + [archiving])
}
