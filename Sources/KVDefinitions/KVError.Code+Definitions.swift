import KVCore

/// The codes of faults of definitions and their files.
extension KVError.Code {
  /// The file does not exist, or cannot be read.
  public static let unreadableFile = Self("unreadableFile")
  /// The file was written by a later version.
  public static let unsupportedVersion = Self("unsupportedVersion")
  /// The name of the entry is unknown.
  public static let unknownEntry = Self("unknownEntry")
  /// An entry occurs twice in one object.
  public static let repeatedEntry = Self("repeatedEntry")
  /// A required entry is missing.
  public static let missingEntry = Self("missingEntry")
  /// An entry is of another type.
  public static let wrongType = Self("wrongType")
  /// Two definitions have the same key.
  public static let duplicateKey = Self("duplicateKey")
  /// The binding could not be made, for the reason in the message.
  public static let notBindable = Self("notBindable")
}
