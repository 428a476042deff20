extension KVKeyPath {
  /// A component of a key path.
  @frozen
  public enum Component: Sendable, Hashable {
    /// A key: `name`.
    case key(String)
    /// The element at an index of an ordered collection: `[0]`.
    case index(Int)
    /// The entry of a dictionary under a quoted key, which may contain any text: `["jane.doe"]`.
    case entry(String)
    /// A collection or navigation operator, with or without an argument: `@sum`, `@superviewWithTag[12]`.
    case `operator`(String, argument: String?)
  }
}

extension KVKeyPath.Component {
  package var isOperator: Bool { if case .operator = self { true } else { false } }

  /// Throws if the component cannot be written as text and parsed back.
  func check() throws(KVError) {
    switch self {
    case .key(let key):
      try KeyPathParser.checkKey(key)
    case .index(let index):
      guard index >= 0 else {
        throw KVError(
          .invalidKeyPath, "An index in a key path counts from the start and is not negative, as \(index) is.",
          keyPath: "[\(index)]", component: "[\(index)]")
      }
    case .entry:
      break
    case .operator(let name, _):
      try KeyPathParser.checkKey(name, after: "@")
    }
  }

  /// Throws if the component is a subscript that would parse as the argument of the operator before it (KP.7).
  func check(after previous: Self) throws(KVError) {
    guard case .operator(let name, nil) = previous, !takesDot else { return }
    throw KVError(
      .invalidKeyPath,
      "\(self) cannot stand behind @\(name), whose argument it would become; read in two steps, or put a key between.",
      keyPath: "@\(name)\(self)", component: description)
  }
}

extension KVKeyPath.Component: CustomStringConvertible {
  /// The text of the component in a path, without the dot before it.
  public var description: String {
    switch self {
    case .key(let key): key
    case .index(let index): "[\(index)]"
    case .entry(let entry): "[\(Self.quoted(entry))]"
    case .operator(let name, nil): "@\(name)"
    case .operator(let name, let argument?): "@\(name)[\(Self.argumentText(argument))]"
    }
  }

  /// Whether a dot separates the component from the previous one.
  package var takesDot: Bool {
    switch self {
    case .key, .operator: true
    case .index, .entry: false
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { result.unicodeScalars.append("\\") }
      result.unicodeScalars.append(scalar)
    }
    result.append("\"")
    return result
  }

  private static func argumentText(_ argument: String) -> String {
    let bare = !argument.isEmpty && !argument.unicodeScalars.contains { $0 == "[" || $0 == "]" || $0 == "\"" }
    return bare ? argument : quoted(argument)
  }
}
