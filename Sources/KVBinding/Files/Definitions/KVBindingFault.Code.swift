extension KVBindingFault {
  /// The kind of a fault.
  ///
  /// A struct rather than an enum, so that kinds can be added without breaking a `switch` of yours.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, such as `unknownEntry`.
    public let description: String

    private init(_ name: String) { description = name }

    /// The file is not there, or cannot be read.
    public static let unreadableFile = Code("unreadableFile")
    /// The file is neither JSON nor a property list, or not one of definitions.
    public static let invalidDocument = Code("invalidDocument")
    /// The file was written by a later version.
    public static let unsupportedVersion = Code("unsupportedVersion")
    /// No entry has this name.
    public static let unknownEntry = Code("unknownEntry")
    /// An entry stands twice in one object.
    public static let repeatedEntry = Code("repeatedEntry")
    /// An entry has to be there, and is not.
    public static let missingEntry = Code("missingEntry")
    /// An entry is of another type.
    public static let wrongType = Code("wrongType")
    /// An entry has a value that stands for nothing, such as an unknown direction.
    public static let invalidValue = Code("invalidValue")
    /// A text is no key path.
    public static let invalidKeyPath = Code("invalidKeyPath")
    /// Two definitions have one key.
    public static let duplicateKey = Code("duplicateKey")
    /// No transformer of this name is registered.
    public static let unknownTransformer = Code("unknownTransformer")
    /// Values would go back through a transformer that only works forward.
    public static let notReversible = Code("notReversible")
    /// A path leads to no object, or to no value.
    public static let unresolvedPath = Code("unresolvedPath")
    /// The binding could not be made; the message says why.
    public static let notBindable = Code("notBindable")
  }
}
