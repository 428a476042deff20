extension KVError {
  /// The kind of a failure.
  ///
  /// A struct rather than an enum, so that kinds can be added without breaking a `switch` of yours; give yours a
  /// `default`.
  public struct Code: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String {
      case invalidKeyPath, undefinedKey, notSettable, unresolvedPath, nilValue, typeMismatch, numberOutOfRange
      case indexOutOfRange, unknownOperator, operatorFailed, invalidValue, invalidTable, limitExceeded, unsupported
      case invalidDocument, notObservable, unknownTransformer, notReversible
      case wrongThread, doesNotSettle
      case custom
    }

    let kind: Kind

    /// The text is no key path (KP.4).
    public static let invalidKeyPath = Code(kind: .invalidKeyPath)
    /// The receiver has no such key (KVC.1).
    public static let undefinedKey = Code(kind: .undefinedKey)
    /// The key exists and cannot be written (KVC.8).
    public static let notSettable = Code(kind: .notSettable)
    /// A nil stands in the middle of a path that is to be written (KVC.12).
    public static let unresolvedPath = Code(kind: .unresolvedPath)
    /// Nil was to be written to a property that is not optional (KVC.13).
    public static let nilValue = Code(kind: .nilValue)
    /// The value is of another type and does not convert (CO.6).
    public static let typeMismatch = Code(kind: .typeMismatch)
    /// The number does not fit the property's type (CO.2).
    public static let numberOutOfRange = Code(kind: .numberOutOfRange)
    /// The index is outside the collection (COL.3).
    public static let indexOutOfRange = Code(kind: .indexOutOfRange)
    /// No operator of that name is known (OP.6).
    public static let unknownOperator = Code(kind: .unknownOperator)
    /// An operator lacks its right path, or met values that it cannot work on (OP.2, OP.4, OP.5).
    public static let operatorFailed = Code(kind: .operatorFailed)
    /// A validator refused the value (VAL.1).
    public static let invalidValue = Code(kind: .invalidValue)
    /// An accessor table contradicts itself (TAB.6).
    public static let invalidTable = Code(kind: .invalidTable)
    /// Data are nested more deeply than the package follows.
    public static let limitExceeded = Code(kind: .limitExceeded)
    /// The operation makes no sense on such a receiver.
    public static let unsupported = Code(kind: .unsupported)
    /// A document is malformed, or its format cannot hold a value.
    public static let invalidDocument = Code(kind: .invalidDocument)
    /// The path can never notify, or leads through the elements of a collection (KVO.13, KVO.17).
    public static let notObservable = Code(kind: .notObservable)
    /// No transformer of that name is registered (TRN.2).
    public static let unknownTransformer = Code(kind: .unknownTransformer)
    /// A transformer that only works forward was to work backward (TRN.1).
    public static let notReversible = Code(kind: .notReversible)
    /// A change was made on a thread where the binding must not work (BND.12).
    public static let wrongThread = Code(kind: .wrongThread)
    /// Bindings set each other off without end, and were stopped (BND.5).
    public static let doesNotSettle = Code(kind: .doesNotSettle)
    /// A hook, validator, operator or transformer of the program threw an error of its own.
    public static let custom = Code(kind: .custom)

    /// The name of the code, such as `undefinedKey`.
    public var description: String { kind.rawValue }
  }
}
