/// The forms that files of definitions have.
enum DefinitionForm {
  case json, propertyList

  /// The name of an entry: in property lists those of the original, for what the original has.
  func name(_ entry: DefinitionEntry) -> String {
    switch (self, entry) {
    case (.json, _): entry.rawValue
    case (.propertyList, .transformerName): "ValueTransformerName"
    case (.propertyList, _): entry.rawValue.prefix(1).uppercased() + entry.rawValue.dropFirst()
    }
  }

  var names: [String] { DefinitionEntry.allCases.map(name).sorted() }

  /// The entry of the document that holds the definitions.
  var container: String { self == .json ? "bindings" : "ILBindings" }
  /// The entry of the document that says by which version it was written.
  var version: String { self == .json ? "version" : "Version" }
}

extension KVBindingDirection {
  /// The number that stands for it in property lists; the original knows the first two.
  var number: Int {
    switch self {
    case .twoWay: 0
    case .oneWay: 1
    case .once: 2
    case .toSource: 3
    }
  }
}
