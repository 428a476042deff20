extension KVError {
  /// The kind of a failure.
  ///
  /// Codes are a struct, not an enum, so that the package can add codes without breaking a `switch` in your code, which
  /// therefore needs a `default`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    /// The name of the code, such as `undefinedKey`.
    public let description: String

    package init(_ name: String) { description = name }

    /// The text is not a key path (KP.4).
    public static let invalidKeyPath = Code("invalidKeyPath")
    /// The receiver does not have the key (KVC.1).
    public static let undefinedKey = Code("undefinedKey")
    /// The key is in no table, and the path may use keys of tables only (DEF.5).
    public static let unlistedKey = Code("unlistedKey")
    /// The policy of the key path does not permit the key or the operator (SEC.2).
    public static let notPermitted = Code("notPermitted")
    /// The key exists and cannot be written (KVC.8).
    public static let notSettable = Code("notSettable")
    /// An intermediate value of a path to write is nil (KVC.12).
    public static let unresolvedPath = Code("unresolvedPath")
    /// The value to write is nil, and the property is not optional (KVC.13).
    public static let nilValue = Code("nilValue")
    /// The value is of another type and cannot be converted (CO.6).
    public static let typeMismatch = Code("typeMismatch")
    /// The number does not fit the type of the property (CO.2).
    public static let numberOutOfRange = Code("numberOutOfRange")
    /// The index is out of the collection's range (COL.3).
    public static let indexOutOfRange = Code("indexOutOfRange")
    /// No operator is registered under this name (OP.6).
    public static let unknownOperator = Code("unknownOperator")
    /// An operator lacks its right path, or cannot process a value (OP.2, OP.4, OP.5).
    public static let operatorFailed = Code("operatorFailed")
    /// A validator, a setter that throws, or a function of a transformer refused the value (VAL.1, TAB.10, TRN.1).
    public static let invalidValue = Code("invalidValue")
    /// An accessor table is inconsistent (TAB.6).
    public static let invalidTable = Code("invalidTable")
    /// Data are nested more deeply than the package follows (KVC.18).
    public static let limitExceeded = Code("limitExceeded")
    /// The receiver does not support the operation.
    public static let unsupported = Code("unsupported")
    /// A document is malformed, or its format cannot represent a value.
    public static let invalidDocument = Code("invalidDocument")
    /// The text is no predicate, or no expression of one (FLT.14).
    public static let invalidPredicate = Code("invalidPredicate")
    /// The key path can never notify, or it goes through the elements of a collection (KVO.13, KVO.17).
    public static let notObservable = Code("notObservable")
    /// No transformer is registered under this name (TRN.2).
    public static let unknownTransformer = Code("unknownTransformer")
    /// A reverse transformation was requested from a transformer that has none (TRN.1).
    public static let notReversible = Code("notReversible")
    /// A change occurred on a thread that the binding does not work on (BND.12).
    public static let wrongThread = Code("wrongThread")
    /// Bindings set each other off without end, and were stopped (BND.5).
    public static let doesNotSettle = Code("doesNotSettle")
    /// A hook, validator, operator or transformer of the program threw its own error.
    public static let custom = Code("custom")
  }
}
