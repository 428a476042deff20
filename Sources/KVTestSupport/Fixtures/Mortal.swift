import KVCore

extension KVFixtures {
  /// An object that runs a closure as it dies.
  open class Mortal: KVObject {
    /// A string, which the closure may change: that is told as ever.
    @KVProperty public var name: String
    private let lastWill: (Mortal) -> Void

    /// Makes an object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - lastWill: Called with the dying object, which it must not keep; its properties are still there.
    public init(_ name: String = "mortal", lastWill: @escaping (Mortal) -> Void = { _ in }) {
      self.name = name
      self.lastWill = lastWill
    }

    deinit { lastWill(self) }

    /// The key of the object.
    open override class var keyTable: KVTable {
      super.keyTable.extended(for: Mortal.self) { key in key("name", \.name) }
    }
  }
}
