import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An object that runs a closure in its `deinit`.
  class Mortal: KVObject {
    /// A string, which the closure may change; its observers are notified as usual.
    @KVProperty var name: String
    private let lastWill: (Mortal) -> Void

    /// Creates an object.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - lastWill: A closure that receives the dying object, which it must not keep; its properties still exist.
    init(_ name: String = "mortal", lastWill: @escaping (Mortal) -> Void = { _ in }) {
      self.name = name
      self.lastWill = lastWill
    }

    deinit { lastWill(self) }

    /// The key of the object.
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Mortal.self) { key in key("name", \.name) }
    }
  }
}
