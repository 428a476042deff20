/// The error that every operation of the package throws.
///
/// An error says what failed (``code``), where (``keyPath``, ``component``, ``rootType``), what would have worked
/// (``knownKeys``, ``suggestion``) and, in one sentence, how to put it right (``message``). Rule KVC.18.
///
/// ```swift
/// do { _ = try person.value(forKey: "nmae") } catch { print(error) }
/// // undefined key "nmae" of Person. Did you mean "name"? Known keys: age, name.
/// ```
///
/// The type is `Sendable` and one pointer wide, so that throwing it costs little.
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

  /// Creates an error; for hooks, validators and operators that want to fail in the package's own terms.
  ///
  /// - Parameters:
  ///   - code: What kind of failure it is.
  ///   - message: One sentence that says what failed and how to put it right.
  ///   - keyPath: The whole path as the caller wrote it; filled in by the package where it is `nil`.
  ///   - component: The component of the path that failed.
  ///   - rootType: The name of the type at the root of the path; filled in by the package where it is `nil`.
  ///   - knownKeys: The keys that would have worked in place of `component`.
  ///   - suggestion: The known key nearest to `component`.
  ///   - offset: Where in the text the fault is, in characters from its start; for malformed paths.
  ///   - underlying: The error that caused this one.
  public init(
    _ code: Code, _ message: String, keyPath: String? = nil, component: String? = nil, rootType: String? = nil,
    knownKeys: [String] = [], suggestion: String? = nil, offset: Int? = nil, underlying: (any Error)? = nil
  ) {
    details = Details(
      code: code, message: message, keyPath: keyPath, component: component, rootType: rootType,
      knownKeys: knownKeys, suggestion: suggestion, offset: offset, underlying: underlying)
  }

  /// What kind of failure it is; switch over this.
  public var code: Code { details.code }

  /// One sentence or two: what failed, where, and how to put it right.
  public var message: String { details.message }

  /// The whole key path, as text, or `nil` where no path was involved.
  public var keyPath: String? { details.keyPath }

  /// The component of the path that failed.
  public var component: String? { details.component }

  /// The name of the type at the root of the path.
  public var rootType: String? { details.rootType }

  /// The keys that would have worked in place of ``component``, sorted; empty where that is not the trouble.
  public var knownKeys: [String] { details.knownKeys }

  /// The known key (or operator) nearest to ``component``, if one is near.
  public var suggestion: String? { details.suggestion }

  /// Where in the text of a malformed path the fault is, in characters from its start.
  public var offset: Int? { details.offset }

  /// The error of a hook, validator or operator that caused this one.
  public var underlying: (any Error)? { details.underlying }
}

extension KVError {
  /// Returns the error with the path and root type that the outermost caller used, unless it names some already.
  package func located(path: @autoclosure () -> String, root: @autoclosure () -> String) -> KVError {
    if details.keyPath != nil, details.rootType != nil { return self }
    return KVError(
      code, message, keyPath: details.keyPath ?? path(), component: component, rootType: details.rootType ?? root(),
      knownKeys: knownKeys, suggestion: suggestion, offset: offset, underlying: underlying)
  }
}
