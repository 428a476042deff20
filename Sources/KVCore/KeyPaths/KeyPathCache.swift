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
  private let byContent = Mutex<[String: KVKeyPath.Storage]>([:])

  /// Returns the parsed path of a text.
  func path(_ text: String) -> Result<KVKeyPath, KVError> {
    if let storage = byBits.value(for: StringBits(text)) { return .success(KVKeyPath(storage: storage)) }
    return pathByContent(text)
  }

  @inline(never)
  private func pathByContent(_ text: String) -> Result<KVKeyPath, KVError> {
    if let known = byContent.withLock({ $0[text] }) { return .success(KVKeyPath(storage: known)) }
    let path: KVKeyPath
    do { path = try KVKeyPath(text) } catch { return .failure(error) }
    guard text.utf8.count <= Self.longestText else { return .success(path) }
    // The text is kept by the cache, so that its bits stay its own.
    let storage = byContent.withLock { paths -> KVKeyPath.Storage in
      if let known = paths[text] { return known }
      if paths.count < Self.capacity {
        paths[text] = path.storage
        byBits.insert(path.storage, for: StringBits(text), keeping: text)
      }
      return path.storage
    }
    return .success(KVKeyPath(storage: storage))
  }
}
