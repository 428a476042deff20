/// Carries a value out of a lock; for what is thread-safe, or known to stay in one isolation domain.
struct Unlocked<Value>: @unchecked Sendable {  // guard: see above
  let value: Value
  init(_ value: Value) { self.value = value }
}
