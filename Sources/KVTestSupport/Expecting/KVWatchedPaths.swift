/// The key paths that an expectation of changes observes (TST.2).
///
/// ```swift
/// watching: .expected              // the paths of the expected changes
/// watching: ["number", "total"]    // these paths as well
/// watching: .all                   // all keys that can notify as well
/// ```
public struct KVWatchedPaths: Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
  private let more: [KVKeyPath]
  private let isAll: Bool

  /// Creates a selection of key paths.
  ///
  /// - Parameter paths: Key paths in addition to those of the expected changes.
  public init(_ paths: [KVKeyPath]) {
    more = paths
    isAll = false
  }

  /// Creates a selection of key paths.
  ///
  /// - Parameter elements: Key paths in addition to those of the expected changes.
  public init(arrayLiteral elements: KVKeyPath...) { self.init(elements) }

  /// Creates a selection of one key path.
  ///
  /// - Parameter value: A key path in addition to those of the expected changes.
  public init(stringLiteral value: String) { self.init([KVKeyPath(stringLiteral: value)]) }

  private init() {
    more = []
    isAll = true
  }

  /// The paths of the expected changes; all keys that can notify if no changes are expected.
  public static let expected = KVWatchedPaths([])
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
