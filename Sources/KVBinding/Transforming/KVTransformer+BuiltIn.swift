import KVCore

extension KVTransformer {
  /// True for false, and the other way.
  ///
  /// nil counts as false. Reversible.
  public static let negateBoolean = KVTransformer(
    "negateBoolean", forward: { (value: Bool?) -> Bool? in !(value ?? false) },
    reverse: { (value: Bool?) in !(value ?? false) })

  /// Whether a value is nil.
  ///
  /// Of a collection that is asked as a whole.
  public static let isNil = KVTransformer("isNil", forward: { (value: Any?) in value == nil })

  /// Whether a value is there.
  public static let isNotNil = KVTransformer("isNotNil", forward: { (value: Any?) in value != nil })

  /// Zero for nil; any other value stays as it is.
  public static let nilToZero = nilTo(0, named: "nilToZero")

  /// One for nil; any other value stays as it is.
  public static let nilToOne = nilTo(1, named: "nilToOne")

  /// Returns a transformer that puts a value in the place of nil, in arrays and sets too.
  ///
  /// - Parameter value: The value.
  /// - Returns: The transformer; it works forward only, since what is equal to the value need not have been nil.
  public static func nilTo(_ value: some Sendable) -> KVTransformer { nilTo(value, named: nil) }

  private static func nilTo(_ replacement: some Sendable, named name: String?) -> KVTransformer {
    KVTransformer.erased(name, forward: { $0 ?? replacement }).elementwise
  }

  /// One minus a number.
  ///
  /// nil counts as zero. Reversible.
  public static let oneMinus = KVTransformer(
    "oneMinus", forward: { (value: Double?) -> Double? in 1 - (value ?? 0) },
    reverse: { (value: Double?) in 1 - (value ?? 0) })

  /// The integer with all 64 bits inverted.
  ///
  /// nil counts as zero. Reversible.
  public static let bitwiseComplement = KVTransformer(
    "bitwiseComplement", forward: { (value: Int64?) -> Int64? in ~(value ?? 0) },
    reverse: { (value: Int64?) in ~(value ?? 0) })

  /// The transformers that have a name from the beginning: ours, Cocoa's, and those of the libraries that this one follows.
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
      (archive, ["archive"]),
    ]
    var result: [String: KVTransformer] = [:]
    // Cocoa's go from data to objects.
    for name in ["unarchive", "NSUnarchiveFromData", "NSKeyedUnarchiveFromData", "NSSecureUnarchiveFromData"] {
      if let backward = archive.backward { result[name] = KVTransformer(name, backward, archive.forward) }
    }
    for (transformer, names) in names {
      for name in names { result[name] = KVTransformer(name, transformer.forward, transformer.backward) }
    }
    return result
  }()
}
