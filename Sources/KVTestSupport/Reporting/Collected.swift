import KVCore

/// Things that come from any thread, in the order in which they came.
final class Collected<Element: Sendable>: Sendable {
  private let list = Locked<[Element]>([])

  /// What has come.
  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) { list.withLock { $0.append(element) } }

  /// Returns what has come since the last time.
  func take() -> [Element] {
    list.withLock { list in
      defer { list = [] }
      return list
    }
  }
}

extension KVFailureReporter {
  /// Keeps failures instead of telling them.
  init(into failures: Collected<KVTestFailure>) { self.init { failures.add($0) } }
}
