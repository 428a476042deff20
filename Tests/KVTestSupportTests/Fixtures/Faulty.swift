import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An object whose operations fail on request.
  ///
  /// The getters and setters of a table cannot throw. The hooks for undefined keys, which define `hooked`, the hook for
  /// nil, which sets `amount`, and a validator, which rejects negative values of `amount`, can. `hooked` cannot be
  /// observed.
  class Faulty: KVObject {
    /// An operation that can fail.
    enum Operation: Sendable, Hashable, CaseIterable {
      /// Reading `hooked`.
      case reading
      /// Writing `hooked`.
      case writing
      /// Writing nil to `amount`, which becomes 0 otherwise.
      case writingNil
    }

    /// The operations that currently fail; none at first.
    var failing: Set<Operation> = []
    /// A number.
    ///
    /// Its validator rejects negative values with a ``Fault``.
    @KVProperty var amount = 0
    private var stored: Any?

    /// Creates an object whose operations do not fail yet.
    override init() {}

    /// The key of the object.
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Faulty.self, listedKeysOnly: true) { key in
        key("amount", \.amount).validated { amount in
          if amount < 0 { throw Fault() }
          return .valid
        }
      }
    }

    /// Returns the value of `hooked`, unless reading fails.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause; `undefinedKey` for other keys.
    override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
      guard key == "hooked" else { return try super.value(forUndefinedKey: key) }
      try check(.reading)
      return stored
    }

    /// Sets the value of `hooked`, unless writing fails.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: The key.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause; `undefinedKey` for other keys.
    override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
      guard key == "hooked" else { return try super.setValue(value, forUndefinedKey: key) }
      try check(.writing)
      stored = value
    }

    /// Sets `amount` to zero, unless writing nil fails.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause.
    override func setNilValue(forKey key: String) throws(KVError) {
      try check(.writingNil)
      amount = 0
    }

    private func check(_ operation: Operation) throws(KVError) {
      if failing.contains(operation) { throw KVError(.custom, "\(operation) fails on purpose.", underlying: Fault()) }
    }
  }
}
