/// The key paths that an expectation of changes observes (TST.2).
///
/// ```swift
/// watching: ["number", "total"]    // the paths of the expected changes, and these
/// watching: .all                   // the paths of the expected changes, and all keys that can notify
/// ```
public struct KVWatchedPaths: Sendable, ExpressibleByArrayLiteral {
  private let more: [KVKeyPath]
  private let isAll: Bool

  /// Creates a selection of key paths.
  ///
  /// - Parameter elements: Key paths in addition to those of the expected changes.
  public init(arrayLiteral elements: KVKeyPath...) {
    more = elements
    isAll = false
  }

  private init() {
    more = []
    isAll = true
  }

  /// All keys of the object that can notify, and the paths of the expected changes.
  public static let all = KVWatchedPaths()

  /// Returns the paths to observe, each once.
  func paths(naming expected: [KVExpectedChange], of object: some KVObservable) throws(KVError) -> [KVKeyPath] {
    var paths: [KVKeyPath] = []
    for path in expected.map(\.keyPath) + more + (isAll ? try object.notifyingKeys : []) where !paths.contains(path) {
      paths.append(path)
    }
    return paths
  }
}
