/// A key path: the keys that lead from a root value to another value, written as text.
///
/// ```swift
/// let path: KVKeyPath = "orders[0].total"
/// try customer.value(forKeyPath: path)
/// ```
///
/// A key path is a value: it is parsed once; it can be compared, hashed, printed and encoded as its text; it is safe to
/// share between threads (KP.1). The text follows this grammar (KP.2):
///
/// ```
/// path      = component { "." component | subscript }
/// component = key | "@" name [ "[" argument "]" ]
/// subscript = "[" integer "]" | "[" quoted-string "]"
/// ```
///
/// `[n]` is the element at an index of an ordered collection. `["k"]` is the entry of a dictionary whose key contains
/// dots or brackets; within the quotes, `\"` and `\\` stand for the quote and the backslash. A path may begin with a
/// subscript, since a root may be a collection. Keys are case sensitive (KP.3).
///
/// A string literal that is not a key path is a programming error and traps. A string that is only known at run time is
/// parsed by ``init(_:)``, which throws (KP.6).
public struct KVKeyPath: Sendable {
  /// The maximum number of components of a path (KP.5).
  package static let maximumCount = 4_096

  @usableFromInline let storage: Storage

  init(storage: Storage) { self.storage = storage }

  /// Creates a path by parsing a text, unless that has been done before (KP.1).
  ///
  /// - Parameter text: The text of the path.
  /// - Throws: ``KVError`` (`invalidKeyPath`) with the text, the offset of the fault and what the parser expected there
  ///   (KP.4).
  /// - Complexity: O(*n*) in the length of the text (KP.5).
  public init(_ text: String) throws(KVError) {
    self = try KeyPathCache.shared.path(text, keepingAtMost: KeyPathCache.capacity / 4)
  }

  /// Creates a path from its components.
  ///
  /// - Parameter components: At least one and at most 4,096 components.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if there is no component or if there are too many, if a component cannot
  ///   be written as text (such as a key that contains a dot; use `.entry` for those), or if a subscript follows an
  ///   operator without an argument (KP.8).
  /// - Complexity: O(*n*) in the number of components.
  public init(components: [Component]) throws(KVError) {
    guard !components.isEmpty else {
      throw KVError(.invalidKeyPath, "A key path needs at least one component.", keyPath: "")
    }
    for component in components { try component.check() }
    for (previous, next) in zip(components, components.dropFirst()) { try next.check(after: previous) }
    guard components.count <= Self.maximumCount else { throw KeyPathParser.tooLong(components.count) }
    self.init(storage: Storage(components))
  }

  /// The components of the path, in order; never empty.
  public var components: [Component] { storage.components }

  /// The number of components.
  public var count: Int { storage.components.count }

  /// The first component.
  public var first: Component { storage.components[0] }

  /// The last component.
  public var last: Component { storage.components[storage.components.count - 1] }
}
