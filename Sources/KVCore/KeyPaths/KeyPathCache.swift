import Synchronization

/// A cache of parsed key paths, so that `value(forKeyPath: "a.b.c")` parses its text once (KP.1).
///
/// The cache first searches for the bits of the `String`, without a lock, then for its content, under a lock. It keeps
/// at most `capacity` paths for the life of the process, a quarter of them from `KVKeyPath(_:)`. A program with more texts
/// than that parses the other texts at each use, and should store ``KVKeyPath`` values instead.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()
  static let capacity = 4_096
  private static let longestText = 256

  private let byBits = SnapshotMap<KVKeyPath.Storage>()
  private let byContent = Locked<[String: KVKeyPath.Storage]>([:])

  /// Returns the path of a text, which is parsed if the cache does not have it, and kept while there are fewer paths.
  @inline(__always)
  func path(_ text: String, keepingAtMost limit: Int = capacity) throws(KVError) -> KVKeyPath {
    if let storage = existing(text)?.object { return KVKeyPath(storage: storage) }
    return try pathByContent(text, keepingAtMost: limit)
  }

  /// Returns the cached path of a text, or `nil` for a new text.
  ///
  /// The path is not retained: it lives as long as the cache.
  @inline(__always)
  func existing(_ text: String) -> _KVReference<KVKeyPath.Storage>? {
    #if DEBUG
      LookUpCount.addText()
    #endif
    return byBits.unmanagedValue(for: StringBits(text))
  }

  /// Returns the parsed path of a text whose bits are not known.
  @inline(never)
  func pathByContent(_ text: String, keepingAtMost limit: Int = capacity) throws(KVError) -> KVKeyPath {
    if let known = byContent.withLock({ $0[text] }) { return KVKeyPath(storage: known) }
    let storage = KVKeyPath.Storage(try KeyPathParser.parse(text))
    guard text.utf8.count <= Self.longestText else { return KVKeyPath(storage: storage) }
    // The cache keeps the text alive, so that no other string can have its bits.
    let kept = byContent.withLock { paths -> KVKeyPath.Storage in
      if let known = paths[text] { return known }
      if paths.count < limit {
        paths[text] = storage
        byBits.insert(storage, for: StringBits(text), keeping: text)
      }
      return storage
    }
    return KVKeyPath(storage: kept)
  }
}
