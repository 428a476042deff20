extension KVComplianceViolation {
  /// The kind of a violation.
  ///
  /// A struct rather than an enum, so that kinds can be added without breaking a `switch` of yours; give yours a
  /// `default`.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    enum Name: String {
      case invalidTable, noKeys, unreadable, refusesValue, losesValue, silent, silentInSwift, toldTwice, wrongRecord
      case deadDependency, undeclaredDependency, invalidCurrentValue, wrongProperty, unlistedProperty
      case misplacesElements, wrongElementRecord, uselessValue, staleException
    }

    let name: Name

    /// The table contradicts itself, or names what is not there (TAB.6); nothing else is looked at then.
    public static let invalidTable = Kind(name: .invalidTable)
    /// The type has no keys, so that there is nothing to look at.
    public static let noKeys = Kind(name: .noKeys)
    /// The key cannot be read.
    public static let unreadable = Kind(name: .unreadable)
    /// The key refuses its own value, or one that it should take.
    public static let refusesValue = Kind(name: .refusesValue)
    /// What was written to the key does not read back.
    public static let losesValue = Kind(name: .losesValue)
    /// A write by key is told to nobody.
    public static let silent = Kind(name: .silent)
    /// A write of the property in Swift is told to nobody.
    public static let silentInSwift = Kind(name: .silentInSwift)
    /// One write is told more than once.
    public static let toldTwice = Kind(name: .toldTwice)
    /// A record has another old or new value than the key had.
    public static let wrongRecord = Kind(name: .wrongRecord)
    /// A path that the key is declared to depend on cannot be observed, or is not heard.
    public static let deadDependency = Kind(name: .deadDependency)
    /// The key changes with another key, which it is not declared to depend on, and tells nobody.
    public static let undeclaredDependency = Kind(name: .undeclaredDependency)
    /// The validator of the key refuses the value that it has, or replaces it.
    public static let invalidCurrentValue = Kind(name: .invalidCurrentValue)
    /// The key reads something else than the stored property of its name.
    public static let wrongProperty = Kind(name: .wrongProperty)
    /// A `@KVProperty` that no line of the table reaches, so that it cannot be written by key.
    public static let unlistedProperty = Kind(name: .unlistedProperty)
    /// The functions of a to-many key do not do what they are called for.
    public static let misplacesElements = Kind(name: .misplacesElements)
    /// A change of elements is not told once, by its kind, with its indexes and elements.
    public static let wrongElementRecord = Kind(name: .wrongElementRecord)
    /// A value was given for a key that has it already, or that cannot be written: nothing is checked with it.
    public static let uselessValue = Kind(name: .uselessValue)
    /// An exception was made for what is no violation (any more).
    public static let staleException = Kind(name: .staleException)

    /// The name of the kind, such as `silentInSwift`.
    public var description: String { name.rawValue }
  }
}
