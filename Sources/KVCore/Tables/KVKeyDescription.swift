/// The description of a key, for inspectors, editors and documentation (TAB.8).
public struct KVKeyDescription: Sendable {
  /// The kind of collection of a to-many key.
  package enum ToMany: Sendable, Hashable {
    /// An array, whose elements have indexes.
    case ordered
    /// A set.
    case unordered
  }

  /// The name of the key.
  public let name: String
  /// The type of the values; `Any` if reflection cannot find it.
  public let valueType: Any.Type
  /// Whether the key cannot be written.
  public let isReadOnly: Bool
  /// Whether the key was found by reflection rather than in a table.
  package let isReflected: Bool
  /// Whether automatic notification is turned off for the key (KVO.15).
  public let notifiesManually: Bool
  /// Whether the table declares a validator for the key (VAL.1).
  package let isValidated: Bool
  /// Whether strings are converted to numbers when the key is written (CO.5).
  package let isLenient: Bool
  /// The aliases of the key.
  public let aliases: [String]
  /// The key paths that affect the value of the key (DEP.1).
  package let affectingKeyPaths: [String]
  /// The kind of collection, or `nil` if the key is not a to-many key.
  package let toMany: ToMany?
  /// The metadata that the table declares: a display name, a unit and the like.
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
  /// The name, the type and the special properties of the key, in one line.
  public var description: String {
    var notes: [String] = []
    if isReadOnly { notes.append("read-only") }
    if isReflected { notes.append("reflected") }
    if !aliases.isEmpty { notes.append("also \(aliases.joined(separator: ", "))") }
    if !affectingKeyPaths.isEmpty { notes.append("depends on \(affectingKeyPaths.joined(separator: ", "))") }
    return "\(name): \(valueType)" + (notes.isEmpty ? "" : " (\(notes.joined(separator: "; ")))")
  }
}
