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
/// A file with a fault gives no definitions, but a ``KVBindingFaults`` with all of its faults. For editors, which want
/// to open such files too, there is ``KVBindingDrafts``.
public struct KVBindingDefinitions: Sendable, Hashable {
  /// The formats of files.
  package enum Format: Sendable, Hashable, CaseIterable {
    /// JSON, in a form of ours.
    case json
    /// An XML property list.
    case xmlPropertyList
    /// A binary property list.
    case binaryPropertyList
  }

  /// The definitions, in the order of the file.
  package var definitions: [KVBindingDefinition]

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

extension KVBindingDefinitions: RandomAccessCollection, ExpressibleByArrayLiteral {
  /// The index of the first definition.
  public var startIndex: Int { definitions.startIndex }
  /// The index behind the last definition.
  public var endIndex: Int { definitions.endIndex }
  /// Returns a definition.
  ///
  /// - Parameter index: Its index.
  public subscript(index: Int) -> KVBindingDefinition { definitions[index] }

  /// Wraps definitions.
  ///
  /// - Parameter elements: The definitions.
  public init(arrayLiteral elements: KVBindingDefinition...) { self.init(elements) }
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
