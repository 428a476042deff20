/// The error that the operations of the package throw (KVC.18).
///
/// An error describes what failed (``code``), where (``keyPath``, ``component``, ``rootType``), and which keys exist
/// (``knownKeys``, ``suggestion``). Its ``message`` says in one sentence how to fix the failure.
///
/// ```swift
/// do { _ = try person.value(forKey: "nmae") } catch { print(error) }
/// // undefined key "nmae" of Person. Did you mean "name"? Known keys: age, name.
/// ```
///
/// The type is `Sendable` and one pointer wide, which makes it cheap to throw.
public struct KVError: Error, Sendable {
  final class Details: Sendable {
    let code: Code
    let message: String
    let keyPath: String?
    let component: String?
    let rootType: String?
    let knownKeys: [String]
    let suggestion: String?
    let offset: Int?
    let underlying: (any Error)?

    init(
      code: Code, message: String, keyPath: String?, component: String?, rootType: String?, knownKeys: [String],
      suggestion: String?, offset: Int?, underlying: (any Error)?
    ) {
      self.code = code
      self.message = message
      self.keyPath = keyPath
      self.component = component
      self.rootType = rootType
      self.knownKeys = knownKeys
      self.suggestion = suggestion
      self.offset = offset
      self.underlying = underlying
    }
  }

  let details: Details

  /// Creates an error, for hooks, validators and operators that report failures as the package does.
  ///
  /// - Parameters:
  ///   - code: The kind of the failure.
  ///   - message: One sentence that says what failed and how to fix it.
  ///   - keyPath: The whole key path as the caller wrote it. The package fills it in if it is `nil`.
  ///   - component: The component of the key path that failed.
  ///   - rootType: The name of the type at the root of the key path. The package fills it in if it is `nil`.
  ///   - knownKeys: The known keys, one of which may replace `component`.
  ///   - suggestion: The known key that is nearest to `component`.
  ///   - offset: The offset of the fault in the text of a malformed key path, in characters.
  ///   - underlying: The error that caused this one.
  public init(
    _ code: Code, _ message: String, keyPath: String? = nil, component: String? = nil, rootType: String? = nil,
    knownKeys: [String] = [], suggestion: String? = nil, offset: Int? = nil, underlying: (any Error)? = nil
  ) {
    var message = message
    if message.utf8.count > 1_000 {
      for text in [keyPath, component].compactMap({ $0 }) where text.utf8.count > 200 {
        message = message.replacing(text, with: shortened(text))
      }
    }
    details = Details(
      code: code, message: message, keyPath: keyPath, component: component, rootType: rootType,
      knownKeys: knownKeys, suggestion: suggestion, offset: offset, underlying: underlying)
  }

  /// The kind of the failure, for a `switch`.
  public var code: Code { details.code }

  /// One or two sentences: what failed, where, and how to fix it; a long key path or component is shortened.
  public var message: String { details.message }

  /// The text of the whole key path, or `nil` if the operation has no key path.
  public var keyPath: String? { details.keyPath }

  /// The component of the key path that failed.
  public var component: String? { details.component }

  /// The name of the type at the root of the key path.
  public var rootType: String? { details.rootType }

  /// The known keys, one of which may replace ``component``, sorted; empty if the failure is not about a key.
  public var knownKeys: [String] { details.knownKeys }

  /// The known key or operator that is nearest to ``component``, if there is a similar one.
  public var suggestion: String? { details.suggestion }

  /// The offset of the fault in the text of a malformed key path, in characters.
  public var offset: Int? { details.offset }

  /// The error of a hook, validator or operator that caused this error.
  public var underlying: (any Error)? { details.underlying }
}

extension KVError {
  /// Calls a function, whose error gets a key path and its root type if it does not have them yet.
  @inline(__always)
  static func locating<Result>(
    _ path: @autoclosure () -> String, of root: @autoclosure () -> Any.Type, _ body: () throws(KVError) -> Result
  ) throws(KVError) -> Result {
    do throws(KVError) { return try body() } catch { throw error.located(path: path(), root: typeName(root())) }
  }

  /// Returns the error of an element of a collection, which its message names: by its index, if it has one.
  func ofElement(_ index: Int, isOrdered: Bool, of subject: String = "") -> KVError {
    code == .limitExceeded ? self : prefixed("\(subject)\(isOrdered ? "element \(index)" : "an element"): ")
  }

  /// Returns the error with a text before its message.
  func prefixed(_ text: String) -> KVError {
    KVError(
      code, text + message, keyPath: keyPath, component: component, rootType: rootType, knownKeys: knownKeys,
      suggestion: suggestion, offset: offset, underlying: underlying)
  }

  /// Returns the error with the key path and the root type of the outermost call, where it does not have them yet.
  package func located(path: @autoclosure () -> String, root: @autoclosure () -> String) -> KVError {
    if details.keyPath != nil, details.rootType != nil { return self }
    return KVError(
      code, message, keyPath: details.keyPath ?? path(), component: component, rootType: details.rootType ?? root(),
      knownKeys: knownKeys, suggestion: suggestion, offset: offset, underlying: underlying)
  }
}
