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
  /// The declared type of the values, with its optionals.
  ///
  /// Of a reflected key of type `Any`, it is the type of the first value on Apple's platforms.
  public let valueType: Any.Type
  /// Whether the key cannot be written.
  public let isReadOnly: Bool
  /// Whether the key was found by reflection rather than in a table.
  package let isReflected: Bool
  /// Whether observers are notified of changes: by the property, of writes by key, manually, or of changes of the paths
  /// that affect the key (KVO.13).
  ///
  /// A table on its own does not know which properties notify themselves; ``KVC/keys(of:)`` does.
  public let canNotify: Bool
  /// Whether automatic notification is turned off for the key (KVO.15).
  public let notifiesManually: Bool
  /// Whether the table declares a validator for the key (VAL.1).
  package let isValidated: Bool
  /// Whether the key is converted from and to text (CO.5).
  package let isLenient: Bool
  /// The aliases of the key.
  public let aliases: [String]
  /// The key paths that affect the value of the key (DEP.1).
  package let affectingKeyPaths: [String]
  /// Whether the table declares functions that edit the collection.
  package let hasToManyFunctions: Bool
  /// The kind of collection, or `nil` if the key is not a to-many key.
  package let toMany: ToMany?
  /// The metadata that the table declares: a display name, a unit and the like.
  public let metadata: [String: any Sendable]

  init(_ declaration: KeyDeclaration, canNotify: Bool) {
    self.init(
      declaration.name, declaration.value.type, isReadOnly: !declaration.isWritable, canNotify: canNotify, declaration)
  }

  init(reflected name: String, valueType: Any.Type, isReadOnly: Bool, canNotify: Bool = false) {
    self.init(name, valueType, isReadOnly: isReadOnly, canNotify: canNotify, nil)
  }

  private init(
    _ name: String, _ valueType: Any.Type, isReadOnly: Bool, canNotify: Bool, _ declaration: KeyDeclaration?
  ) {
    self.name = name
    self.canNotify = canNotify
    self.valueType = valueType
    self.isReadOnly = isReadOnly
    isReflected = declaration == nil
    notifiesManually = declaration?.notifiesManually ?? false
    isValidated = declaration?.validator != nil
    isLenient = declaration?.isLenient ?? false
    aliases = declaration?.aliases ?? []
    affectingKeyPaths = declaration?.affecting ?? []
    metadata = declaration?.metadata ?? [:]
    hasToManyFunctions = declaration?.indexed != nil || declaration?.unordered != nil
    toMany = declaration.map(\.toMany) ?? ToMany(innermostType(valueType))
  }
}

extension KVKeyDescription {
  /// The type of the values without optionals: `Int` for `Int?`.
  public var wrappedType: Any.Type { innermostType(valueType) }

  /// The cases, if the values are those of an enum that is `CaseIterable`; else empty.
  ///
  /// `"\(case)"` is the name of a case, which a lenient key takes (CO.5).
  ///
  /// - Complexity: O(*n*) in the number of cases.
  public var cases: [Any] {
    func all<T: CaseIterable>(_ type: T.Type) -> [Any] { Array(type.allCases) }
    return (wrappedType as? any CaseIterable.Type).map { all($0) } ?? []
  }
}

extension KVKeyDescription.ToMany {
  /// Returns the kind of collections of a type; nil if it is no type of arrays or sets.
  init?(_ type: Any.Type) {
    guard let collection = type as? any CollectionValue.Type, !collection.isKeyed else { return nil }
    self = collection.isOrdered ? .ordered : .unordered
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
