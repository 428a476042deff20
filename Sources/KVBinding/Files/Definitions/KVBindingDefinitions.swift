import Foundation
import KVCore

/// The definitions of a file, all of them sound (DEF.2).
///
/// ```json
/// {"version": 1, "bindings": [
///   {"key": "volume", "pathToSource": "player", "sourceKeyPath": "volume", "pathToTarget": "slider",
///    "targetKeyPath": "value", "direction": "twoWay", "transformerName": "percent"}
/// ]}
/// ```
///
/// The other format is that of Bindings for iOS, a property list: `{ILBindings: [{Key, PathToSource, PathToTarget,
/// SourceKeyPath, TargetKeyPath, Direction, ValueTransformerName}]}`. Both are read and written; which one a file is
/// in, its content says. What definitions hold comes back from any of them.
///
/// A file with a fault gives no definitions, but a ``KVBindingFaults`` with all of its faults. An editor opens such a
/// file with ``KVBindingDocument``.
public struct KVBindingDefinitions: Sendable, Hashable {
  /// The definitions, in the order of the file.
  public var definitions: [KVBindingDefinition]

  /// Wraps definitions.
  ///
  /// - Parameter definitions: The definitions. Those that are to be read again need different keys.
  public init(_ definitions: [KVBindingDefinition] = []) { self.definitions = definitions }

  init(_ drafts: KVBindingDrafts) throws(KVBindingFaults) {
    if !drafts.faults.isEmpty { throw KVBindingFaults(drafts.faults) }
    definitions = drafts.drafts.compactMap { $0.check().definition }
  }

  var drafts: KVBindingDrafts { KVBindingDrafts(definitions.map { KVBindingDraft($0) }) }
}

extension KVBindingDefinitions {
  /// Reads a file.
  ///
  /// - Parameter url: The file: JSON or a property list, whichever its content says.
  /// - Throws: ``KVBindingFaults``: everything that is wrong with it.
  /// - Complexity: O(*n*).
  public init(contentsOf url: URL) throws(KVBindingFaults) {
    let drafts = try KVBindingDrafts(contentsOf: url)
    do throws(KVBindingFaults) { try self.init(drafts) } catch { throw error.of(url.lastPathComponent) }
  }

  /// Reads a document.
  ///
  /// - Parameter data: JSON or a property list, whichever its content says.
  /// - Throws: ``KVBindingFaults``: everything that is wrong with it, in JSON with lines.
  /// - Complexity: O(*n*).
  public init(data: Data) throws(KVBindingFaults) { try self.init(KVBindingDrafts(data: data)) }

  /// Returns the definitions as a document; a property list is one that Bindings for iOS reads, as far as it knows what
  /// is in them.
  ///
  /// - Parameter format: The format; JSON is sorted and indented.
  /// - Returns: The document.
  /// - Throws: ``KVError`` with the code `unsupported` if a text holds a control character, and the format is XML.
  /// - Complexity: O(*n* log *n*), since entries are sorted.
  public func data(format: KVDocument.Format = .json) throws(KVError) -> Data { try drafts.data(format: format) }

  /// Writes a file, atomically: it has the old content or the new one, never a part.
  ///
  /// - Parameter url: The file. Property lists end in `.plist` or `.ilabs-bindings`, and are written binary; all else
  ///   is JSON.
  /// - Throws: ``KVError``: `custom` with Foundation's error as the cause if the file cannot be written.
  public func write(to url: URL) throws(KVError) { try drafts.write(to: url) }

  package func write(to url: URL, format: KVDocument.Format) throws(KVError) {
    try drafts.write(to: url, format: format)
  }
}

extension KVBindingDefinitions: Sequence {
  /// Returns an iterator over the definitions, in the order of the file.
  public func makeIterator() -> IndexingIterator<[KVBindingDefinition]> { definitions.makeIterator() }
}

extension KVBindingDefinitions: Codable {
  private enum CodingKeys: String, CodingKey {
    case version, bindings
  }

  /// Decodes what stands in our JSON files.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: What the decoder throws for the first fault, an unknown version among them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == KVBindingDefinition.currentVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "version \(version) of the format is not known")
    }
    self.init(try container.decode([KVBindingDefinition].self, forKey: .bindings))
  }

  /// Encodes what stands in our JSON files.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(KVBindingDefinition.currentVersion, forKey: .version)
    try container.encode(definitions, forKey: .bindings)
  }
}
