import Synchronization

/// State that a mutex guards.
///
/// The thread sanitizer does not see what `Mutex` synchronizes, since `Mutex` is in a library that is not built for it.
/// In debug builds, a counter that is loaded and stored within the lock shows it the same synchronization.
@frozen @usableFromInline
package struct Locked<State>: ~Copyable, @unchecked Sendable {  // guard: the mutex
  @usableFromInline let mutex: Mutex<Unchecked<State>>
  #if DEBUG
    @usableFromInline let handovers = Atomic<Int>(0)
  #endif

  /// A value that is not checked for the isolation domain that it belongs to.
  @frozen @usableFromInline
  struct Unchecked<Value>: @unchecked Sendable {  // guard: see `withLock`
    @usableFromInline var value: Value

    @inlinable @inline(__always)
    init(_ value: Value) { self.value = value }
  }

  @inlinable
  package init(_ state: State) { mutex = Mutex(Unchecked(state)) }

  /// Calls a function with exclusive access to the state.
  ///
  /// The result may be any value that is thread-safe, or that its user knows to stay in one isolation domain.
  @inlinable @inline(__always)
  package borrowing func withLock<Result>(_ body: (inout State) -> Result) -> Result {
    mutex.withLock { state in
      #if DEBUG
        _ = handovers.load(ordering: .acquiring)
        defer { handovers.store(handovers.load(ordering: .relaxed) &+ 1, ordering: .releasing) }
      #endif
      return Unchecked(body(&state.value))
    }.value
  }

  /// Replaces the state, and returns the previous one, whose release is outside of the lock.
  @inlinable
  package borrowing func exchange(_ new: State) -> State {
    withLock { state in
      defer { state = new }
      return state
    }
  }
}
