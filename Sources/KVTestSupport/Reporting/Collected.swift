import KVCore

/// A list to which any thread adds elements, in the order of their arrival.
final class Collected<Element: Sendable>: Sendable {
  private let list = Locked<[Element]>([])

  /// The current elements.
  var all: [Element] { list.withLock { $0 } }

  func add(_ element: Element) { list.withLock { $0.append(element) } }

  /// Returns the elements since the last call, and clears the list.
  func take() -> [Element] { list.exchange([]) }
}

extension KVFailureReporter {
  /// Creates a reporter that collects failures.
  init(into failures: Collected<KVTestFailure>) { self.init { failures.add($0) } }
}
