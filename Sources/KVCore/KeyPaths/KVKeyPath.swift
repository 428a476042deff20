/// A key path: the way from a root value to another value, written as text.
///
/// ```swift
/// let path: KVKeyPath = "orders[0].total"
/// try customer.value(forKeyPath: path)
/// ```
///
/// A key path is a value: parsed once, compared, hashed, printed and encoded as its text, and safe to share between
/// threads (KP.1). The text follows this grammar (KP.2):
///
/// ```
/// path      = component { "." component | subscript }
/// component = key | "@" name [ "[" argument "]" ]
/// subscript = "[" integer "]" | "[" quoted-string "]"
/// ```
///
/// `[n]` is the element at an index of an ordered collection, `["k"]` the entry of a dictionary whose key holds dots or
/// brackets; inside quotes `\"` and `\\` stand for the quote and the backslash. A path may begin with a subscript, for
/// roots that are collections. Keys are case sensitive (KP.3).
///
/// A literal that is no key path is a mistake of the programmer and traps; a string that comes at run time goes through
/// ``init(_:)``, which throws (KP.6).
public struct KVKeyPath: Sendable {
  /// The most components a path may have (KP.5).
  public static let maximumCount = 4_096

  @usableFromInline let storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// Parses a text.
  ///
  /// - Parameter text: The path as text.
  /// - Throws: ``KVError`` with the code `invalidKeyPath`; it carries the text, the offset of the fault and what was
  ///   expected there (KP.4).
  /// - Complexity: O(*n*) in the length of the text (KP.5).
  public init(_ text: String) throws(KVError) {
    self.init(storage: Storage(try KeyPathParser.parse(text)))
  }

  /// Makes a path from its components.
  ///
  /// - Parameter components: At least one and at most ``maximumCount`` components.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if there are none or too many, or if one of them could not be
  ///   written as text (such as a key with a dot in it; use `.entry` for those).
  public init(components: [Component]) throws(KVError) {
    guard !components.isEmpty else {
      throw KVError(.invalidKeyPath, "A key path needs at least one component.", keyPath: "")
    }
    for component in components { try component.check() }
    for (previous, next) in zip(components, components.dropFirst()) { try next.check(after: previous) }
    guard components.count <= Self.maximumCount else { throw KeyPathParser.tooLong(components.count) }
    self.init(storage: Storage(components))
  }

  /// The components, in order; never empty.
  public var components: [Component] { storage.components }

  /// How many components the path has.
  public var count: Int { storage.components.count }

  /// The first component.
  public var first: Component { storage.components[0] }

  /// The last component.
  public var last: Component { storage.components[storage.components.count - 1] }
}
