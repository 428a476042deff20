/// An option of ``KVKey(_:)``: what the line of a table says, by the names that ``KVKeyHandle`` has.
///
/// The options are read when the program is compiled; their values are not used when it runs.
public struct KVKeyOption: Sendable {
  /// The key cannot be written by key; see ``KVKeyHandle/readOnly()``.
  public static let readOnly = KVKeyOption()
  /// Text is converted; see ``KVKeyHandle/lenient()``.
  public static let lenient = KVKeyOption()
  /// Observers are notified of manual changes only; see ``KVKeyHandle/notifiesManually()``.
  public static let notifiesManually = KVKeyOption()
  /// Nothing affects the key, whatever its getter mentions (MOD.4).
  public static let independent = KVKeyOption()

  /// Adds aliases; see ``KVKeyHandle/alias(_:)``.
  ///
  /// - Parameter names: The aliases, string literals.
  /// - Returns: The option.
  public static func alias(_ names: String...) -> Self { KVKeyOption() }

  /// Replaces the affecting keys that the getter mentions; see ``KVKeyHandle/affected(by:file:line:)``.
  ///
  /// - Parameter keyPaths: The affecting key paths, string literals.
  /// - Returns: The option.
  public static func affected(by keyPaths: String...) -> Self { KVKeyOption() }

  /// Adds metadata; see ``KVKeyHandle/metadata(_:_:)``.
  ///
  /// - Parameters:
  ///   - name: The name of the metadata.
  ///   - value: The value, a literal.
  /// - Returns: The option.
  public static func metadata(_ name: String, _ value: any Sendable) -> Self { KVKeyOption() }

  /// Declares the methods that edit an array; see `indexed` of ``KVKeyHandle``.
  ///
  /// - Parameters:
  ///   - insert: The name of the method that inserts an element at an index: `insertItem(_:at:)`.
  ///   - remove: The name of the method that removes the element at an index.
  ///   - replace: The name of the method that replaces the element at an index.
  /// - Returns: The option.
  public static func indexed<Insert, Remove, Replace>(
    insert: Insert, remove: Remove, replace: Replace = ()
  ) -> Self { KVKeyOption() }

  /// Declares the methods that edit an array at several indexes; see `indexedInBulk` of ``KVKeyHandle``.
  ///
  /// - Parameters:
  ///   - insert: The name of the method that inserts elements at indexes.
  ///   - remove: The name of the method that removes the elements at indexes.
  ///   - replace: The name of the method that replaces the elements at indexes.
  /// - Returns: The option.
  public static func indexedInBulk<Insert, Remove, Replace>(
    insert: Insert, remove: Remove, replace: Replace = ()
  ) -> Self { KVKeyOption() }

  /// Declares the methods that edit a set; see `unordered` of ``KVKeyHandle``.
  ///
  /// - Parameters:
  ///   - add: The name of the method that adds elements.
  ///   - remove: The name of the method that removes elements.
  /// - Returns: The option.
  public static func unordered<Add, Remove>(add: Add, remove: Remove) -> Self { KVKeyOption() }

  /// Declares the methods that count the elements of a collection, and return one; see
  /// ``KVKeyHandle/counted(by:element:)``.
  ///
  /// - Parameters:
  ///   - count: The name of the method that returns the number of elements.
  ///   - element: The name of the method that returns the element at an index.
  /// - Returns: The option.
  public static func counted<Count, Element>(by count: Count, element: Element) -> Self { KVKeyOption() }

  /// Declares the validator; see ``KVKeyHandle/validated(_:nil:)``.
  ///
  /// - Parameters:
  ///   - method: The name of a method of the model, which is called on the object with a value.
  ///   - nilMethod: The name of a method of the model, which is called for nil if the property is not optional.
  /// - Returns: The option.
  public static func validated<Method, NilMethod>(by method: Method, nil nilMethod: NilMethod = ()) -> Self {
    KVKeyOption()
  }

  /// Declares the validator; see ``KVKeyHandle/validated(_:)``.
  ///
  /// - Parameter function: A function of the value: a static one, `Order.checkCode`, or a closure.
  /// - Returns: The option.
  public static func validated<Value>(by function: (Value) throws -> KVValidation) -> Self { KVKeyOption() }

  /// Declares a conversion; see ``KVKeyHandle/converted(from:to:_:back:)``.
  ///
  /// - Parameters:
  ///   - source: The type of the values that are converted.
  ///   - target: The type of the property.
  ///   - convert: Converts a value: a static function, or a closure.
  ///   - back: Converts a value of the property.
  /// - Returns: The option.
  public static func converted<Source, Target>(
    from source: Source.Type, to target: Target.Type = Target.self, _ convert: (Source) throws -> Target?,
    back: ((Target) throws -> Source)? = nil
  ) -> Self { KVKeyOption() }
}
