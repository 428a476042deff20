import KVBinding

/// A form for any model: a field for each key of its table, in the table's order.
@KVModel final class Form: KVObject {
  let title: String
  private(set) var fields: [Field] = []
  /// Whether the model has what all fields show.
  @KVKey(.affected(by: "fields.@sum.problems")) var isValid: Bool { fields.allSatisfy { $0.problem == nil } }

  /// Creates the form of a model, which the form does not keep alive.
  ///
  /// - Throws: `KVError` if the table of the model has a fault.
  init(for model: KVObject) throws {
    title = "\(type(of: model))"
    super.init()
    fields = try KVC.keys(of: model).compactMap { key in
      // A key that cannot notify would show a value of the past.
      try? Field(key, of: model)
    }
  }

  /// The field of a key.
  subscript(_ key: String) -> Field? { fields.first { $0.key == key } }

  /// The form as lines of text.
  @KVIgnored var lines: [String] {
    let width = fields.map(\.title.count).max() ?? 0
    return [title]
      + fields.map { field in
        let title = field.title + String(repeating: " ", count: width - field.title.count)
        return
          "  \(title)  \(field.isReadOnly ? field.text : "[\(field.text)]")\(field.problem.map { "  ! \($0)" } ?? "")"
      }
  }
}
