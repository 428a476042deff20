import KVCore
import Synchronization

/// The listeners to failures of bindings, besides the handler of ``KVDiagnostics``: tests, several at a time.
package enum BindingFailures {
  /// A listener, which is called on the thread of a failure while it is registered.
  package typealias Listener = @Sendable (KVPathBinding, KVError) -> Void

  private static let listeners = Locked<[Int: Listener]>([:])
  private static let count = Atomic<Int>(0)

  /// Adds a listener.
  ///
  /// - Returns: The number of the listener, for its removal.
  package static func add(_ listener: @escaping Listener) -> Int {
    let number = Int(RegistrationOrder.next())
    listeners.withLock { $0[number] = listener }
    count.add(1, ordering: .releasing)
    return number
  }

  package static func remove(_ number: Int) {
    guard listeners.withLock({ $0.removeValue(forKey: number) }) != nil else { return }
    count.subtract(1, ordering: .releasing)
  }

  static func notify(_ core: BindingCore, _ error: KVError) {
    guard count.load(ordering: .acquiring) > 0 else { return }
    let all = listeners.withLock { Array($0.values) }
    for listener in all { listener(core.binding, error) }
  }
}
