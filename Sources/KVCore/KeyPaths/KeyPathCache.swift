import Synchronization

/// The paths that were parsed from strings, so that `value(forKeyPath: "a.b.c")` parses its text once.
///
/// A text is found by the bits of its `String`, without a lock, and failing that by its content, under one. At most
/// `capacity` paths are kept, for the life of the process; a program that makes up more texts than that parses the
/// others each time, and is better served by keeping ``KVKeyPath`` values.
final class KeyPathCache: Sendable {
  static let shared = KeyPathCache()
  private static let capacity = 4_096
  private static let longestText = 256

  private let byBits = SnapshotMap<KVKeyPath.Storage>()
  private let byContent = Locked<[String: KVKeyPath.Storage]>([:])

  /// Returns the parsed path of a text.
  @inline(__always)
  func path(_ text: String) throws(KVError) -> KVKeyPath {
    if let storage = byBits.value(for: StringBits(text)) { return KVKeyPath(storage: storage) }
    return try pathByContent(text)
  }

  /// Returns the parsed path of a text that was used before, unretained: it lives as long as the cache.
  @inline(__always)
  func existing(_ text: String) -> Unmanaged<KVKeyPath.Storage>? { byBits.unmanagedValue(for: StringBits(text)) }

  @inline(never)
  private func pathByContent(_ text: String) throws(KVError) -> KVKeyPath {
    if let known = byContent.withLock({ $0[text] }) { return KVKeyPath(storage: known) }
    let path = try KVKeyPath(text)
    guard text.utf8.count <= Self.longestText else { return path }
    // The text is kept by the cache, so that its bits stay its own.
    let storage = byContent.withLock { paths -> KVKeyPath.Storage in
      if let known = paths[text] { return known }
      if paths.count < Self.capacity {
        paths[text] = path.storage
        byBits.insert(path.storage, for: StringBits(text), keeping: text)
      }
      return path.storage
    }
    return KVKeyPath(storage: storage)
  }
}
