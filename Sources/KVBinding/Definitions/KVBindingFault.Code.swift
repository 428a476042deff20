extension KVBindingFault {
  /// The kind of a fault.
  ///
  /// A struct rather than an enum, so that kinds can be added without breaking a `switch` of yours.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String {
      case unreadableFile, invalidDocument, unsupportedVersion, unknownEntry, repeatedEntry, missingEntry, wrongType
      case invalidValue, invalidKeyPath, duplicateKey, unknownTransformer, notReversible, unresolvedPath, notBindable
    }

    let kind: Kind

    /// The file is not there, or cannot be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// The file is neither JSON nor a property list, or not one of definitions.
    public static let invalidDocument = Code(kind: .invalidDocument)
    /// The file was written by a later version.
    public static let unsupportedVersion = Code(kind: .unsupportedVersion)
    /// No entry has this name.
    public static let unknownEntry = Code(kind: .unknownEntry)
    /// An entry stands twice in one object.
    public static let repeatedEntry = Code(kind: .repeatedEntry)
    /// An entry has to be there, and is not.
    public static let missingEntry = Code(kind: .missingEntry)
    /// An entry is of another type.
    public static let wrongType = Code(kind: .wrongType)
    /// An entry has a value that stands for nothing, such as an unknown direction.
    public static let invalidValue = Code(kind: .invalidValue)
    /// A text is no key path.
    public static let invalidKeyPath = Code(kind: .invalidKeyPath)
    /// Two definitions have one key.
    public static let duplicateKey = Code(kind: .duplicateKey)
    /// No transformer of this name is registered.
    public static let unknownTransformer = Code(kind: .unknownTransformer)
    /// Values would go back through a transformer that only works forward.
    public static let notReversible = Code(kind: .notReversible)
    /// A path leads to no object, or to no value.
    public static let unresolvedPath = Code(kind: .unresolvedPath)
    /// The binding could not be made; ``KVBindingFault/underlying`` says why.
    public static let notBindable = Code(kind: .notBindable)

    /// The name of the code, such as `unknownEntry`.
    public var description: String { kind.rawValue }
  }
}
