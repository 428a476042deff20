import Synchronization

/// State behind a mutex, whose hand-over from thread to thread the thread sanitizer can see.
///
/// `Mutex` synchronises inside a library that is not built for the sanitizer, which would report every use of the state as
/// a race. Storing and loading a counter within the lock says the same in instructions that it does see.
@usableFromInline
package struct Locked<State>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<State>
  @usableFromInline let handovers = Atomic<Int>(0)

  @inlinable
  package init(_ state: consuming sending State) { mutex = Mutex(state) }

  /// Calls a function with the state, while no other thread has it.
  @inlinable @inline(__always)
  package borrowing func withLock<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
    mutex.withLock { state in
      _ = handovers.load(ordering: .acquiring)
      defer { handovers.store(handovers.load(ordering: .relaxed) &+ 1, ordering: .releasing) }
      return body(&state)
    }
  }
}
