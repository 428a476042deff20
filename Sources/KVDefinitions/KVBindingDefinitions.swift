import Foundation
import KVBinding
import KVCore
import KVDocuments

/// The definitions of a file without faults (DEF.2).
///
/// ```json
/// {"version": 1, "bindings": [
///   {"key": "volume", "pathToSource": "player", "sourceKeyPath": "volume", "pathToTarget": "slider",
///    "targetKeyPath": "value", "direction": "twoWay", "transformerName": "percent"}
/// ]}
/// ```
///
/// The other format is that of Bindings for iOS, a property list: `{ILBindings: [{Key, PathToSource, PathToTarget,
/// SourceKeyPath, TargetKeyPath, Direction, ValueTransformerName}]}`. Both are read and written. The content of a file
/// determines its format. Definitions that are written and read again are equal.
///
/// A file with a fault gives no definitions, but a ``KVBindingFaults`` with its faults. An editor opens such a
/// file with ``KVBindingDocument``.
public struct KVBindingDefinitions: Sendable, Hashable {
  /// The definitions, in the order of the file.
  public var definitions: [KVBindingDefinition]

  /// Wraps definitions.
  ///
  /// - Parameter definitions: The definitions. They need different keys to be read again.
  public init(_ definitions: [KVBindingDefinition] = []) { self.definitions = definitions }

  init(_ drafts: BindingDrafts) throws(KVBindingFaults) {
    if !drafts.faults.isEmpty { throw KVBindingFaults(drafts.faults) }
    definitions = drafts.drafts.compactMap { $0.check().definition }
  }

  var drafts: BindingDrafts { BindingDrafts(definitions.map { BindingDraft($0) }) }
}

extension KVBindingDefinitions {
  /// Reads a file.
  ///
  /// - Parameter url: The file: JSON or a property list, which its content determines.
  /// - Throws: ``KVBindingFaults``: its faults.
  /// - Complexity: O(*n*).
  public init(contentsOf url: URL) throws(KVBindingFaults) {
    let drafts = try BindingDrafts(contentsOf: url)
    do throws(KVBindingFaults) { try self.init(drafts) } catch { throw error.of(url.lastPathComponent) }
  }

  /// Reads a document.
  ///
  /// - Parameter data: JSON or a property list, which its content determines.
  /// - Throws: ``KVBindingFaults``: its faults, with lines if it is JSON.
  /// - Complexity: O(*n*).
  public init(data: Data) throws(KVBindingFaults) { try self.init(BindingDrafts(data: data)) }

  /// Returns the definitions as a document.
  ///
  /// Bindings for iOS reads the fields that it knows of a property list.
  ///
  /// - Parameter format: The format; JSON is sorted and indented.
  /// - Returns: The document.
  /// - Throws: ``KVError`` with the code `unsupported` if a text holds a control character, and the format is XML.
  /// - Complexity: O(*n* log *n*), since entries are sorted.
  public func data(format: KVDocument.Format = .json) throws(KVError) -> Data { try drafts.data(format: format) }

  /// Writes a file atomically: it has the old content or the new one, never a part.
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

  /// Decodes the content of a JSON file of definitions.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: The error of the decoder for the first fault, such as an unknown version.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let version = try container.decode(Int.self, forKey: .version)
    guard version == KVBindingDefinition.currentVersion else {
      throw DecodingError.dataCorruptedError(
        forKey: .version, in: container, debugDescription: "version \(version) of the format is not known")
    }
    self.init(try container.decode([KVBindingDefinition].self, forKey: .bindings))
  }

  /// Encodes the content of a JSON file of definitions.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(KVBindingDefinition.currentVersion, forKey: .version)
    try container.encode(definitions, forKey: .bindings)
  }
}
