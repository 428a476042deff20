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
///
/// What the package does when a thread ends has then been done.
struct WorkerThread: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Runs the body on a thread of its own, and waits for its end.
  func runToEnd() { Self.run([body]) }

  /// Runs bodies on a thread each, all at once, and waits for them.
  static func run(_ bodies: [@Sendable () -> Void]) {
    for thread in bodies.map(begin) { pthread_join(thread, nil) }
  }

  /// Runs a body on a number of threads, with the number of each.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    run((0..<count).map { number in { body(number) } })
  }

  private static func begin(_ body: @escaping @Sendable () -> Void) -> pthread_t {
    let argument = Unmanaged.passRetained(Body(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let result = pthread_create(&thread, nil, { Body.call($0) }, argument)
    #else
      var thread: pthread_t? = pthread_t()
      let result = pthread_create(&thread!, nil, { Body.call($0!) }, argument)
    #endif
    guard result == 0, let thread else { fatalError("no thread can be created: error \(result)") }
    return thread
  }

  private final class Body: Sendable {
    private let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) { self.body = body }

    static func call(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }
  }
}
