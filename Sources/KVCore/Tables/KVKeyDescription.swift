/// What is known of one key: for inspectors, editors and documentation (TAB.8).
public struct KVKeyDescription: Sendable {
  /// What kind of collection a to-many key holds.
  public enum ToMany: Sendable, Hashable {
    /// An array: elements have indexes.
    case ordered
    /// A set.
    case unordered
  }

  /// The name of the key.
  public let name: String
  /// The type of its values; `Any` where reflection found no more.
  public let valueType: Any.Type
  /// Whether it cannot be written by key.
  public let isReadOnly: Bool
  /// Whether reflection found it, rather than a table.
  public let isReflected: Bool
  /// Whether it tells of changes only by hand (KVO.15).
  public let notifiesManually: Bool
  /// Whether a validator is declared for it.
  public let isValidated: Bool
  /// Whether strings convert to numbers for it (CO.5).
  public let isLenient: Bool
  /// The other names it goes by.
  public let aliases: [String]
  /// The key paths that its value depends on.
  public let affectingKeyPaths: [String]
  /// What kind of collection it holds, if any.
  public let toMany: ToMany?
  /// What its author noted about it: display name, unit and the like.
  public let metadata: [String: any Sendable]

  init(_ declaration: KeyDeclaration) {
    name = declaration.name
    valueType = declaration.value.type
    isReadOnly = !declaration.isWritable
    isReflected = false
    notifiesManually = declaration.notifiesManually
    isValidated = declaration.validator != nil
    isLenient = declaration.isLenient
    aliases = declaration.aliases
    affectingKeyPaths = declaration.affecting
    toMany = declaration.toMany
    metadata = declaration.metadata
  }

  init(reflected name: String, valueType: Any.Type, isReadOnly: Bool) {
    self.name = name
    self.valueType = valueType
    self.isReadOnly = isReadOnly
    isReflected = true
    notifiesManually = false
    isValidated = false
    isLenient = false
    aliases = []
    affectingKeyPaths = []
    metadata = [:]
    if let collection = valueType as? any CollectionValue.Type, !collection.isKeyed {
      toMany = collection.isOrdered ? .ordered : .unordered
    } else {
      toMany = nil
    }
  }
}

extension KVKeyDescription: CustomStringConvertible {
  /// The name, the type, and what is special about the key, on one line.
  public var description: String {
    var notes: [String] = []
    if isReadOnly { notes.append("read-only") }
    if isReflected { notes.append("reflected") }
    if !aliases.isEmpty { notes.append("also \(aliases.joined(separator: ", "))") }
    if !affectingKeyPaths.isEmpty { notes.append("depends on \(affectingKeyPaths.joined(separator: ", "))") }
    return "\(name): \(valueType)" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}
