/// Carries a value out of a lock; for what is thread-safe, or known to stay in one isolation domain.
package struct Unlocked<Value>: @unchecked Sendable {  // guard: see above
  package let value: Value
  package init(_ value: Value) { self.value = value }
}
