import KVCore

extension KVFixtures {
  /// An object that fails where it is told to.
  ///
  /// A getter and a setter of a table cannot throw; what can are the hooks for undefined keys, which answer `hooked`, the
  /// hook for nil, which answers `amount`, and a validator, which refuses an `amount` below zero. `hooked` cannot be
  /// observed.
  open class Faulty: KVObject {
    /// What can fail.
    public enum Operation: Sendable, Hashable, CaseIterable {
      /// Reading `hooked`.
      case reading
      /// Writing `hooked`.
      case writing
      /// Writing nil to `amount`, which becomes 0 otherwise.
      case writingNil
    }

    /// What fails now; nothing at first.
    public var failing: Set<Operation> = []
    /// A number.
    ///
    /// Its validator refuses what is below zero, with a ``Fault``.
    @KVProperty public var amount = 0
    private var stored: Any?

    /// Makes an object that does not fail as yet.
    public override init() {}

    /// The key of the object.
    open override class var keyTable: KVTable {
      super.keyTable.extended(for: Faulty.self, listedKeysOnly: true) { key in
        key("amount", \.amount).validated { amount in
          if amount < 0 { throw Fault() }
          return .valid
        }
      }
    }

    /// Answers `hooked`, unless reading is to fail.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause; `undefinedKey` for other keys.
    open override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
      guard key == "hooked" else { return try super.value(forUndefinedKey: key) }
      try check(.reading)
      return stored
    }

    /// Takes a value for `hooked`, unless writing is to fail.
    ///
    /// - Parameters:
    ///   - value: The value, or nil.
    ///   - key: The key.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause; `undefinedKey` for other keys.
    open override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
      guard key == "hooked" else { return try super.setValue(value, forUndefinedKey: key) }
      try check(.writing)
      stored = value
    }

    /// Sets `amount` to zero, unless that is to fail.
    ///
    /// - Parameter key: The key.
    /// - Throws: ``KVCore/KVError``: `custom` with a ``Fault`` as its cause.
    open override func setNilValue(forKey key: String) throws(KVError) {
      try check(.writingNil)
      amount = 0
    }

    private func check(_ operation: Operation) throws(KVError) {
      if failing.contains(operation) { throw KVError(.custom, "\(operation) fails on purpose.", underlying: Fault()) }
    }
  }
}
