import KVCore

extension KVBindingDefinition: Codable {
  /// Decodes the object that stands for a definition in our JSON files; an empty text counts as absent.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: What the decoder throws for the first fault. ``KVBindingDefinitions`` reports all of them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: DefinitionEntry.self)
    func path(_ entry: DefinitionEntry) throws -> KVKeyPath? {
      guard try container.decodeIfPresent(String.self, forKey: entry)?.isEmpty == false else { return nil }
      return try container.decode(KVKeyPath.self, forKey: entry)
    }
    self.init(
      key: try container.decodeIfPresent(String.self, forKey: .key),
      try container.decode(KVKeyPath.self, forKey: .sourceKeyPath), ofSource: try path(.pathToSource),
      to: try container.decode(KVKeyPath.self, forKey: .targetKeyPath), ofTarget: try path(.pathToTarget),
      direction: try container.decode(KVBindingDirection.self, forKey: .direction),
      transformerName: try container.decodeIfPresent(String.self, forKey: .transformerName),
      initialSync: try container.decodeIfPresent(KVInitialSync.self, forKey: .initialSync) ?? .automatic,
      nullPlaceholder: try container.decodeIfPresent(KVBindingScalar.self, forKey: .nullPlaceholder),
      fallback: try container.decodeIfPresent(KVBindingScalar.self, forKey: .fallback),
      validates: try container.decodeIfPresent(Bool.self, forKey: .validates) ?? false,
      skipsEqual: try container.decodeIfPresent(Bool.self, forKey: .skipsEqual) ?? true,
      trigger: try container.decodeIfPresent(KVUpdateTrigger.self, forKey: .trigger) ?? .onChange)
  }

  /// Encodes the object that stands for the definition in our JSON files: what is as by default is left out.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: DefinitionEntry.self)
    try container.encodeIfPresent(key, forKey: .key)
    try container.encodeIfPresent(pathToSource, forKey: .pathToSource)
    try container.encodeIfPresent(pathToTarget, forKey: .pathToTarget)
    try container.encode(sourceKeyPath, forKey: .sourceKeyPath)
    try container.encode(targetKeyPath, forKey: .targetKeyPath)
    try container.encode(direction, forKey: .direction)
    try container.encodeIfPresent(transformerName, forKey: .transformerName)
    if initialSync != .automatic { try container.encode(initialSync, forKey: .initialSync) }
    try container.encodeIfPresent(nullPlaceholder, forKey: .nullPlaceholder)
    try container.encodeIfPresent(fallback, forKey: .fallback)
    if validates { try container.encode(validates, forKey: .validates) }
    if !skipsEqual { try container.encode(skipsEqual, forKey: .skipsEqual) }
    if trigger != .onChange { try container.encode(trigger, forKey: .trigger) }
  }
}
