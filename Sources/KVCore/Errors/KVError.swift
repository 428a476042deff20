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
    let words: Words
    let keyPath: String?
    let component: String?
    let rootType: TypeName?
    let offset: Int?
    let underlying: (any Error)?

    init(
      code: Code, words: Words, keyPath: String?, component: String?, rootType: TypeName?, offset: Int?,
      underlying: (any Error)?
    ) {
      self.code = code
      self.words = words
      self.keyPath = keyPath
      self.component = component
      self.rootType = rootType
      self.offset = offset
      self.underlying = underlying
    }
  }

  let details: Details

  private init(details: Details) { self.details = details }

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
    let message = Self.shortened(message, [keyPath, component])
    details = Details(
      code: code, words: Words(Words.Made(text: message, knownKeys: knownKeys, suggestion: suggestion)),
      keyPath: keyPath, component: component, rootType: rootType.map { .made($0) }, offset: offset,
      underlying: underlying)
  }

  /// Creates an error about a component, with a last sentence that a caller may replace.
  init(_ code: Code, _ text: String, replaceableCure cure: String, component: String, underlying: (any Error)?) {
    let text = Self.shortened(text, [component])
    details = Details(
      code: code, words: Words(Words.Made(text: text, cure: cure)), keyPath: nil, component: component, rootType: nil,
      offset: nil, underlying: underlying)
  }

  /// Creates an error about a component, whose words are made when they are asked for.
  init(_ code: Code, component: String, making words: @escaping @Sendable () -> Words.Made) {
    details = Details(
      code: code,
      words: Words {
        var made = words()
        made.text = Self.shortened(made.text, [component])
        made.cure = made.cure.map { Self.shortened($0, [component]) }
        return made
      }, keyPath: nil, component: component, rootType: nil, offset: nil, underlying: nil)
  }

  /// Returns a long message with long texts shortened in it.
  private static func shortened(_ message: String, _ texts: [String?]) -> String {
    guard message.utf8.count > 1_000 else { return message }
    return texts.compactMap { $0 }.filter { $0.utf8.count > 200 }.reduce(message) { message, text in
      replacing(text, in: message, with: KVCore.shortened(text))
    }
  }

  /// Returns a text with another text in place of a long one, which is compared by its bytes.
  ///
  /// - Complexity: O(*n*) in the length of both texts, whatever is in them (Knuth, Morris and Pratt).
  private static func replacing(_ part: String, in text: String, with other: String) -> String {
    let (part, bytes, other) = (Array(part.utf8), Array(text.utf8), Array(other.utf8))
    /// For each prefix of the part, the length of its longest proper prefix that is also its end.
    var borders = [0]
    var length = 0
    for byte in part.dropFirst() {
      while length > 0, part[length] != byte { length = borders[length - 1] }
      if part[length] == byte { length += 1 }
      borders.append(length)
    }
    var result: [UInt8] = []
    length = 0
    for byte in bytes {
      while length > 0, part[length] != byte { length = borders[length - 1] }
      if part[length] == byte { length += 1 }
      result.append(byte)
      guard length == part.count else { continue }
      result.removeLast(part.count)
      result += other
      length = 0
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The kind of the failure, for a `switch`.
  public var code: Code { details.code }

  /// One or two sentences: what failed, where, and how to fix it; a long key path or component is shortened.
  public var message: String { details.words.made.message }

  /// The text of the whole key path, or of a malformed predicate; `nil` if the operation has none.
  public var keyPath: String? { details.keyPath }

  /// The component of the key path that failed.
  public var component: String? { details.component }

  /// The name of the type at the root of the key path.
  public var rootType: String? { details.rootType?.text }

  /// The known keys, one of which may replace ``component``, sorted; empty if the failure is not about a key.
  public var knownKeys: [String] { details.words.made.knownKeys }

  /// The known key or operator that is nearest to ``component``, if there is a similar one.
  public var suggestion: String? { details.words.made.suggestion }

  /// The offset of the fault in the text of a malformed key path or predicate, in characters.
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
    do throws(KVError) { return try body() } catch { throw error.located(path: path(), root: .type(root())) }
  }

  /// Returns the error of an element of a collection, which its message names: by its index, if it has one.
  ///
  /// - Parameters:
  ///   - index: The index.
  ///   - isOrdered: Whether the collection has indexes.
  ///   - function: The name of the operator that reads the elements.
  ///   - type: The name of the element's type, if the message is to have it.
  package func ofElement(
    _ index: Int, isOrdered: Bool, of function: String? = nil, type: String? = nil
  ) -> KVError {
    if code == .limitExceeded { return self }
    return prefixed {
      "\(function.map { "@\($0): " } ?? "")\(isOrdered ? "element \(index)" : "an element")\(type.map { " (\($0))" } ?? ""): "
    }
  }

  /// Returns the error with a text before its message, which is made when it is asked for.
  private func prefixed(_ text: @escaping @Sendable () -> String) -> KVError {
    let words = KVError.Words { [words = details.words] in
      var made = words.made
      made.text = text() + made.text
      return made
    }
    return with(words)
  }

  private func with(_ words: Words) -> KVError {
    KVError(
      details: Details(
        code: code, words: words, keyPath: keyPath, component: component, rootType: details.rootType, offset: offset,
        underlying: underlying))
  }

  /// Returns the error with another cure; the error itself if its cure is not one that a caller may replace.
  package func replacingCure(with cure: String) -> KVError {
    details.words.made.cure == nil ? self : curing(with: cure)
  }

  /// Returns the error with a cure, which replaces the one that it has.
  package func curing(with cure: String) -> KVError {
    var made = details.words.made
    made.cure = cure
    return with(Words(made))
  }

  /// Returns the error with the key path and the root type of the outermost call, where it does not have them yet.
  package func located(path: @autoclosure () -> String, root: @autoclosure () -> String) -> KVError {
    located(path: path(), root: .made(root()))
  }

  private func located(path: @autoclosure () -> String, root: @autoclosure () -> TypeName) -> KVError {
    if details.keyPath != nil, details.rootType != nil { return self }
    return KVError(
      details: Details(
        code: code, words: details.words, keyPath: details.keyPath ?? path(), component: component,
        rootType: details.rootType ?? root(), offset: offset, underlying: underlying))
  }
}
