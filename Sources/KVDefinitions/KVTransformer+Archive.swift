import Foundation
import KVBinding
import KVCore
import KVDocuments
import KVFoundation

extension KVTransformer {
  /// Plain values, arrays, dictionaries and records as JSON `Data`.
  ///
  /// nil stays nil. Reversible. It is what ``KVDocument`` writes and reads: a record comes back as a dictionary, whole
  /// numbers as `Int`. For a type of your own use ``archive(_:)``.
  public static let archive = KVTransformer.erased(
    "archive",
    forward: { value in try value.map { try JSONCoding.data(from: $0) } },
    reverse: { value in
      guard let value else { return nil }
      guard let data = value as? Data else {
        throw KVError(.typeMismatch, "the transformer \"archive\" reads Data: \(describe(value)) is not Data.")
      }
      return try JSONCoding.value(from: data)
    })

  /// Returns a transformer from values of a type to JSON `Data`, by `Codable`, and back.
  ///
  /// Keys are sorted, so that equal values make equal data. nil stays nil. An error of the encoder or decoder is the
  /// cause of an error with the code `custom`.
  ///
  /// - Parameter type: The type.
  /// - Returns: The transformer, reversible. Its ``KVTransformer/inverted`` unarchives.
  public static func archive<Value: Codable>(_ type: Value.Type) -> KVTransformer {
    KVTransformer(
      confined: "archive",
      forward: { (value: Value) throws -> Data in
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try encoder.encode(value)
      },
      reverse: { (data: Data) throws -> Value in try JSONDecoder().decode(Value.self, from: data) })
  }
}

/// A type whose use links this file, in which KVBinding finds transformers at run time, and the conformances of Foundation's types.
protocol LinkedWithArchive: LinkedWithFoundation {}

extension FileTransformers: FileTransformerProviding {
  package static var byName: [String: KVTransformer] {
    let archive = KVTransformer.archive
    var result = [archiving: archive]
    for name in unarchiving { result[name] = archive.backwards(named: name) }
    return result
  }
}
