import KVBinding
import KVCore
import KVDocuments

extension KVBindingDefinition {
  /// Decodes the object that stands for a definition in our JSON files; an empty text counts as absent.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: The error of the decoder for the first fault. ``KVBindingDefinitions`` reports all of them.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: JSONKey.self)
    var draft = BindingDraft()
    self.init("self", to: "self")
    for field in DefinitionField.all {
      let value = try container.decodeIfPresent(KVBindingScalar.self, forKey: JSONKey(field.name))
      do throws(KVBindingFaults) {
        try field.read(value?.value, .json, &draft)
        try field.store(draft, field.name, &self)
      } catch {
        throw DecodingError.dataCorruptedError(
          forKey: JSONKey(field.name), in: container, debugDescription: error.description)
      }
    }
  }

  /// Encodes the object that stands for the definition in our JSON files: what is as by default is left out.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The errors of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: JSONKey.self)
    let draft = BindingDraft(self)
    for field in DefinitionField.all {
      try container.encodeIfPresent(field.written(draft, .json), forKey: JSONKey(field.name))
    }
  }
}
