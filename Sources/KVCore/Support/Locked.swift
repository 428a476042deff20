import Synchronization

/// State that a mutex guards; the thread sanitizer sees each transfer between threads.
///
/// `Mutex` synchronizes inside a library that is not built for the sanitizer, so that the sanitizer would report every
/// use of the state as a race. A counter that is stored and loaded within the lock shows it the same synchronization.
@usableFromInline
package struct Locked<State>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<State>
  @usableFromInline let handovers = Atomic<Int>(0)

  @inlinable
  package init(_ state: consuming sending State) { mutex = Mutex(state) }

  /// Calls a function with exclusive access to the state.
  @inlinable @inline(__always)
  package borrowing func withLock<Result>(_ body: (inout sending State) -> sending Result) -> sending Result {
    mutex.withLock { state in
      _ = handovers.load(ordering: .acquiring)
      defer { handovers.store(handovers.load(ordering: .relaxed) &+ 1, ordering: .releasing) }
      return body(&state)
    }
  }
}
