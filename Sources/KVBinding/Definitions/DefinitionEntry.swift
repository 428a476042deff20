/// The entries of a definition in files.
enum DefinitionEntry: String, CaseIterable, CodingKey {
  case key, pathToSource, pathToTarget, sourceKeyPath, targetKeyPath, direction, transformerName
  case initialSync, nullPlaceholder, fallback, validates, skipsEqual, trigger

  var isRequired: Bool { self == .sourceKeyPath || self == .targetKeyPath || self == .direction }
}
