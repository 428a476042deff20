import KVBinding
import KVCore
import KVDocuments

/// The checks of definitions that are not checks of a path.
enum DefinitionChecks {
  /// Checks that a transformer is registered, and reversible if the binding needs that.
  static func transformerFault(
    _ name: String, goesBackward: Bool, index: Int?, key: String?, format: KVDocument.Format = .json
  ) -> KVBindingFault? {
    let entry = DefinitionField.transformerName.name(in: format)
    if name.isEmpty { return nil }
    let transformer: KVTransformer
    do throws(KVError) { transformer = try KVTransformer.named(name) } catch {
      return KVBindingFault(
        .unknownTransformer, error.message, index: index, key: key, entry: entry, suggestion: error.suggestion,
        underlying: error)
    }
    guard goesBackward, !transformer.isReversible else { return nil }
    return KVBindingFault(
      .notReversible,
      """
      values would go back to the source, but the transformer "\(name)" works forward only. Let the direction be \
      \(format == .json ? "\"oneWay\"" : "1 (source to target)"), or choose one that works both ways.
      """, index: index, key: key, entry: entry)
  }

  /// Finds keys that several definitions have.
  static func duplicateKeys(
    _ keys: [String?], format: KVDocument.Format = .json, line: (Int) -> Int? = { _ in nil }
  ) -> [KVBindingFault] {
    var first: [String: Int] = [:]
    var faults: [KVBindingFault] = []
    for case (let index, let key?) in keys.enumerated() where !key.isEmpty {
      guard let other = first[key] else {
        first[key] = index
        continue
      }
      faults.append(
        KVBindingFault(
          .duplicateKey, "the key \"\(key)\" is that of binding \(other + 1) already. Choose another, or leave it out.",
          index: index, key: key, entry: DefinitionField.key.name(in: format), line: line(index)))
    }
    return faults
  }
}
