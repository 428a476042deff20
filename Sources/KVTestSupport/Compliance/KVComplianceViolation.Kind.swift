extension KVComplianceViolation {
  /// The kind of a violation.
  ///
  /// Kinds are a struct, not an enum, so that the package can add kinds without breaking a `switch` in your code, which
  /// therefore needs a `default`.
  public struct Kind: Sendable, Hashable, CustomStringConvertible {
    enum Name: String {
      case invalidTable, noKeys, unreadable, refusesValue, losesValue, notNotified, setterNotObservable, notifiedTwice,
        wrongRecord
      case deadDependency, undeclaredDependency, invalidCurrentValue, wrongProperty, unlistedProperty
      case misplacesElements, wrongElementRecord, unusedValue, staleException
    }

    let name: Name

    /// The table is inconsistent, or names something undefined (TAB.6); nothing else is checked then.
    public static let invalidTable = Kind(name: .invalidTable)
    /// The type has no keys, so that nothing is checked.
    public static let noKeys = Kind(name: .noKeys)
    /// The key cannot be read.
    public static let unreadable = Kind(name: .unreadable)
    /// The key rejects its own value, or another value that it should accept.
    public static let refusesValue = Kind(name: .refusesValue)
    /// The key does not read back the value that was written.
    public static let losesValue = Kind(name: .losesValue)
    /// A write by key does not notify observers.
    public static let notNotified = Kind(name: .notNotified)
    /// A write of the property in Swift does not notify observers.
    public static let setterNotObservable = Kind(name: .setterNotObservable)
    /// One write notifies observers more than once.
    public static let notifiedTwice = Kind(name: .notifiedTwice)
    /// A record has another old or new value than the key had.
    public static let wrongRecord = Kind(name: .wrongRecord)
    /// A declared path that affects the key cannot be observed, or does not notify the observers of the key.
    public static let deadDependency = Kind(name: .deadDependency)
    /// The key changes with another key that is not declared to affect it, without a notification.
    public static let undeclaredDependency = Kind(name: .undeclaredDependency)
    /// The validator of the key rejects or replaces its current value.
    public static let invalidCurrentValue = Kind(name: .invalidCurrentValue)
    /// The key reads another value than the stored property of its name.
    public static let wrongProperty = Kind(name: .wrongProperty)
    /// No line of the table reaches a `@KVProperty`, so that it cannot be written by key.
    public static let unlistedProperty = Kind(name: .unlistedProperty)
    /// The functions of a to-many key do not make the edits that they are called for.
    public static let misplacesElements = Kind(name: .misplacesElements)
    /// A change of elements is not reported once, with its kind, its indexes and its elements.
    public static let wrongElementRecord = Kind(name: .wrongElementRecord)
    /// The value that was passed for a key is its current value, or the key cannot be written: the value checks
    /// nothing.
    public static let unusedValue = Kind(name: .unusedValue)
    /// An exception accepts a violation that does not exist.
    public static let staleException = Kind(name: .staleException)

    /// The name of the kind, such as `setterNotObservable`.
    public var description: String { name.rawValue }
  }
}
