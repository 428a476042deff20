/// Which paths are watched for changes while something is expected of them (TST.2).
///
/// ```swift
/// watching: .expected              // those that the expected changes name
/// watching: ["number", "total"]    // these as well
/// watching: .all                   // every key that can tell of its changes as well
/// ```
public struct KVWatchedPaths: Sendable, ExpressibleByArrayLiteral, ExpressibleByStringLiteral {
  private let more: [KVKeyPath]
  private let isAll: Bool

  /// Makes a choice of paths.
  ///
  /// - Parameter paths: Paths besides those that the expected changes name.
  public init(_ paths: [KVKeyPath]) {
    more = paths
    isAll = false
  }

  /// Makes a choice of paths.
  ///
  /// - Parameter elements: Paths besides those that the expected changes name.
  public init(arrayLiteral elements: KVKeyPath...) { self.init(elements) }

  /// Makes a choice of one path.
  ///
  /// - Parameter value: A path besides those that the expected changes name.
  public init(stringLiteral value: String) { self.init([KVKeyPath(stringLiteral: value)]) }

  private init() {
    more = []
    isAll = true
  }

  /// Those that the expected changes name; every key that can tell of its changes if none are expected.
  public static let expected = KVWatchedPaths([])
  /// Every key of the object that can tell of its changes, and the paths that the expected changes name.
  public static let all = KVWatchedPaths()

  /// The paths to watch, each once.
  func paths(naming expected: [KVExpectedChange], of object: some KVObservable) throws(KVError) -> [KVKeyPath] {
    var paths: [KVKeyPath] = []
    for path in expected.map(\.keyPath) + more + (isAll ? try object.notifyingKeys : []) where !paths.contains(path) {
      paths.append(path)
    }
    return paths
  }
}
