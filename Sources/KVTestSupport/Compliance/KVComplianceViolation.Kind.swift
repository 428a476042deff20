extension KVComplianceViolation {
  /// The kind of a violation.
  ///
  /// Kinds are a struct, not an enum, so that the package can add kinds without breaking a `switch` in your code, which
  /// therefore needs a `default`.
  public struct Kind: Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name of the kind, such as `notNotified`.
    public let description: String

    /// Creates a kind from its name, as failures print it: `ignoring: ["setterNotObservable": ["note"]]`.
    ///
    /// - Parameter value: The name.
    public init(stringLiteral value: String) { description = value }

    /// The table is inconsistent, or names something undefined (TAB.6); nothing else is checked then.
    package static let invalidTable: Kind = "invalidTable"
    /// The type has no keys, so that nothing is checked.
    package static let noKeys: Kind = "noKeys"
    /// The key cannot be read.
    package static let unreadable: Kind = "unreadable"
    /// The key rejects its own value, or another value that it should accept.
    package static let refusesValue: Kind = "refusesValue"
    /// The key does not read back the value that was written.
    package static let losesValue: Kind = "losesValue"
    /// A write by key does not notify observers.
    package static let notNotified: Kind = "notNotified"
    /// A write of the property in Swift does not notify observers.
    package static let setterNotObservable: Kind = "setterNotObservable"
    /// One write notifies observers more than once.
    package static let notifiedTwice: Kind = "notifiedTwice"
    /// A record has another old or new value than the key had.
    package static let wrongRecord: Kind = "wrongRecord"
    /// A declared path that affects the key cannot be observed, or does not notify the observers of the key.
    package static let deadDependency: Kind = "deadDependency"
    /// The key changes with another key that is not declared to affect it, without a notification.
    package static let undeclaredDependency: Kind = "undeclaredDependency"
    /// The validator of the key rejects or replaces its current value.
    package static let invalidCurrentValue: Kind = "invalidCurrentValue"
    /// The key reads another value than the stored property of its name.
    package static let wrongProperty: Kind = "wrongProperty"
    /// No line of the table reaches a `@KVProperty`, so that it cannot be written by key.
    package static let unlistedProperty: Kind = "unlistedProperty"
    /// The functions of a to-many key do not make the edits that they are called for.
    package static let misplacesElements: Kind = "misplacesElements"
    /// A change of elements is not reported once, with its kind, its indexes and its elements.
    package static let wrongElementRecord: Kind = "wrongElementRecord"
    /// The value that was passed for a key is its current value, or the key cannot be written: the value checks
    /// nothing.
    package static let unusedValue: Kind = "unusedValue"
    /// An exception accepts a violation that does not exist.
    package static let staleException: Kind = "staleException"
  }
}
