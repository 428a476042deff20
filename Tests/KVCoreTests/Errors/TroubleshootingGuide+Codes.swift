extension TroubleshootingGuide {
  /// The codes of errors: what each says, and the chapter that shows it.
  private static let explanations: [(code: String, meaning: String, chapter: String)] = [
    ("undefinedKey", "the object does not have the key", "The key is not found"),
    ("unlistedKey", "the key is in no table, and only listed keys are permitted", "Definitions.md"),
    ("notPermitted", "the policy of the key path does not permit the key or the operator", "Security.md"),
    ("invalidKeyPath", "the string is no key path", "The path leads nowhere"),
    ("unresolvedPath", "a value on the path to write is nil", "The path leads nowhere"),
    ("indexOutOfRange", "the collection has no such index", "The path leads nowhere"),
    ("notSettable", "the key exists and cannot be written", "The key cannot be set"),
    ("nilValue", "nil for a property that is not optional", "The value does not fit"),
    ("typeMismatch", "the value is of another type, and is not converted", "The value does not fit"),
    ("numberOutOfRange", "the number does not fit the type of the property", "The value does not fit"),
    ("invalidValue", "a validator or a setter refused the value", "Models.md"),
    ("unknownOperator", "no operator of a key path has this name", "The key is not found"),
    ("operatorFailed", "an operator lacks its path, or cannot process a value", "The key is not found"),
    ("invalidPredicate", "the string is no predicate", "The filter or the order is refused"),
    ("invalidTable", "the table of a type is inconsistent", "The table is wrong"),
    ("notObservable", "no key of the path can notify", "The observation is refused"),
    ("notReversible", "a binding both ways has a transformer with one way", "The binding is refused, or fails"),
    ("unknownTransformer", "no transformer has this name", "The binding is refused, or fails"),
    ("doesNotSettle", "bindings or handlers set each other off without end", "The binding is refused, or fails"),
    ("wrongThread", "a change on a thread that the binding does not work on", "The binding is refused, or fails"),
    ("unsupported", "the object cannot do what the call asks for", "The controller refuses"),
    ("limitExceeded", "data or formats are nested too deeply, or a path visits too many elements", "Contract.md"),
    ("invalidDocument", "a document is malformed, or its format cannot represent a value", "Documents.md"),
    ("custom", "a hook, a validator or a transformer threw an error of its own: `error.underlying`", "Transformers.md"),
  ]

  /// The codes that the table has.
  static var explainedCodes: [String] { explanations.map(\.code) }

  /// The table of the codes.
  static func codes() -> String {
    var text = "\n## Codes\n\n| code | what is wrong | shown in |\n|---|---|---|\n"
    for (code, meaning, chapter) in explanations {
      let isPage = chapter.hasSuffix(".md")
      let anchor = "#" + chapter.lowercased().filter { $0 != "," }.replacing(" ", with: "-")
      text += "| `\(code)` | \(meaning) | [\(chapter)](\(isPage ? chapter : anchor)) |\n"
    }
    return text
  }
}
