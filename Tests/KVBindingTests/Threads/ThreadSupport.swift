import Foundation
import KVCore

/// A value behind a lock.
final class Mutexed<Value: Sendable>: Sendable {
  /// Of the package, since the thread sanitizer does not see what a `Mutex` does.
  private let state: Locked<Value>

  init(_ value: Value) { state = Locked(value) }

  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    state.withLock { value in body(&value) }
  }
}

/// A thread that is waited for.
struct WorkerThread: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Runs the body on a thread of its own, and waits for its end.
  func runToEnd() { Self.run([body]) }

  /// Runs bodies on a thread each, all at once, and waits for them.
  static func run(_ bodies: [@Sendable () -> Void]) {
    let group = DispatchGroup()
    for body in bodies {
      group.enter()
      Thread.detachNewThread {
        body()
        group.leave()
      }
    }
    group.wait()
  }

  /// Runs a body on a number of threads, with the number of each.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    run((0..<count).map { number in { body(number) } })
  }
}
