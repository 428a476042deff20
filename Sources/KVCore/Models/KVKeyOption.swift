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

  /// Replaces the affecting keys that the getter mentions; see ``KVKeyHandle/affected(by:)``.
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

  /// Declares the methods that edit an array; see ``KVKeyHandle/indexed(insert:remove:replace:)``.
  ///
  /// - Parameters:
  ///   - insert: The name of the method that inserts an element at an index: `insertItem(_:at:)`.
  ///   - remove: The name of the method that removes the element at an index.
  /// - Returns: The option.
  public static func indexed<Root, Element>(
    insert: (Root) -> (Element, Int) -> Void, remove: (Root) -> (Int) -> Void
  ) -> Self { KVKeyOption() }

  /// Declares the methods that edit a set; see ``KVKeyHandle/unordered(add:remove:)``.
  ///
  /// - Parameters:
  ///   - add: The name of the method that adds elements.
  ///   - remove: The name of the method that removes elements.
  /// - Returns: The option.
  public static func unordered<Root, Element>(
    add: (Root) -> (Set<Element>) -> Void, remove: (Root) -> (Set<Element>) -> Void
  ) -> Self { KVKeyOption() }

  /// Declares the validator; see ``KVKeyHandle/validated(_:)-(_)``.
  ///
  /// - Parameter method: The name of a method of the model, which is called on the object.
  /// - Returns: The option.
  public static func validated<Root, Value>(
    by method: (Root) -> (Value) throws -> KVValidation
  ) -> Self { KVKeyOption() }

  /// Declares the validator; see ``KVKeyHandle/validated(_:)-(_)``.
  ///
  /// - Parameter function: The name of a function of the value.
  /// - Returns: The option.
  public static func validated<Value>(by function: (Value) throws -> KVValidation) -> Self { KVKeyOption() }
}
