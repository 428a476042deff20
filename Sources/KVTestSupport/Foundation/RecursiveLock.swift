import Foundation

/// A recursive lock: one thread at a time runs a body, which may run another one.
struct RecursiveLock: Sendable {
  private let lock = NSRecursiveLock()

  /// Runs a body while no other thread runs one.
  func withLock<Result>(_ body: () throws -> Result) rethrows -> Result {
    lock.lock()
    defer { lock.unlock() }
    return try body()
  }
}
