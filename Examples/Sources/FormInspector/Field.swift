import KVBinding

/// One field of a form: the text of a key, and what is wrong with it.
@KVModel final class Field: KVObject {
  /// How a key is edited.
  enum Kind: Equatable {
    case text, number, toggle
    /// A value of its own form, or a collection: it is shown only.
    case detail
  }

  let key: String
  let title: String
  let kind: Kind
  let isReadOnly: Bool
  var text = ""
  /// The sentence of the error that kept the last edit from the model; `nil` if the field and the model agree.
  private(set) var problem: String?
  var problems: Int { problem == nil ? 0 : 1 }

  /// Creates the field of a key, and binds it to a model in both directions.
  ///
  /// - Throws: `KVError` if the key cannot be read or observed.
  init(_ description: KVKeyDescription, of model: KVObject) throws {
    key = description.name
    title = description.metadata["title"] as? String ?? description.name
    kind = Self.kind(of: description.wrappedType, try model.value(forKey: key))
    isReadOnly = description.isReadOnly || kind == .detail
    super.init()
    let options = KVBindingOptions(
      isReadOnly ? .oneWay : .twoWay, transformer: Self.textTransformer(description.valueType),
      nullPlaceholder: description.wrappedType == description.valueType ? nil : "", validates: !isReadOnly)
    let binding = try bind("text", to: KVKeyPath(components: [.key(key)]), of: model, options: options)
    try binding.observe("lastError", owner: self) { field, change in
      field.problem = (change.new as? KVError)?.message
    }
  }

  private static func kind(of type: Any.Type, _ value: Any?) -> Kind {
    switch type {
    case is Bool.Type: .toggle
    case is any Numeric.Type: .number
    default: value == nil || (try? KVC.convert(value, to: String.self, lenient: true)) != nil ? .text : .detail
    }
  }

  /// The text of a value, and the value of a text.
  private static func textTransformer(_ type: Any.Type) -> KVTransformer {
    func transformer<Value>(_ type: Value.Type) -> KVTransformer {
      .erased(
        forward: { value in (try? KVC.convert(value, to: String.self, lenient: true)) ?? value.map { "\($0)" } },
        reverse: { text in try KVC.convert(text, to: Value.self, lenient: true) })
    }
    return _openExistential(type, do: transformer)
  }
}
