import KVCore

/// Lines that any thread may add.
final class ThreadLog: Sendable {
  private let lines = Locked<[String]>([])

  func add(_ line: String) { lines.withLock { $0.append(line) } }

  /// The lines so far, which begin anew.
  func take() -> [String] {
    lines.withLock { lines in
      defer { lines = [] }
      return lines
    }
  }
}

/// A number that any thread may change.
final class ThreadCounter: Sendable {
  private let number = Locked(0)

  var value: Int { number.withLock { $0 } }

  @discardableResult
  func add(_ amount: Int) -> Int {
    number.withLock { number in
      number += amount
      return number
    }
  }

  func raise(to least: Int) { number.withLock { $0 = max($0, least) } }
}
