import KVCore

/// The codes of faults of definitions and their files.
extension KVError.Code {
  /// The file is not there, or cannot be read.
  public static let unreadableFile = Self("unreadableFile")
  /// The file was written by a later version.
  public static let unsupportedVersion = Self("unsupportedVersion")
  /// No entry has this name.
  public static let unknownEntry = Self("unknownEntry")
  /// An entry stands twice in one object.
  public static let repeatedEntry = Self("repeatedEntry")
  /// An entry has to be there, and is not.
  public static let missingEntry = Self("missingEntry")
  /// An entry is of another type.
  public static let wrongType = Self("wrongType")
  /// Two definitions have one key.
  public static let duplicateKey = Self("duplicateKey")
  /// The binding could not be made; the message says why.
  public static let notBindable = Self("notBindable")
}
