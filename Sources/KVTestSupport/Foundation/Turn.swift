import Foundation

/// Lets one thread at a time run something; a thread that is at it may do so again.
struct Turn: Sendable {
  private let lock = NSRecursiveLock()

  /// Runs a body when no other thread does.
  func take<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
