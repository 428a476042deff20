/// The forms that files of definitions have.
enum DefinitionForm {
  case json, propertyList

  /// The names of the fields, sorted.
  var names: [String] { DefinitionField.all.map { $0.name(in: self) }.sorted() }

  /// The entry of the document that holds the definitions.
  var container: String { self == .json ? "bindings" : "ILBindings" }
  /// The entry of the document that says by which version it was written.
  var version: String { self == .json ? "version" : "Version" }
}
