import KVBinding
import KVCore

extension KVGroups {
  /// Elements with equal values, in order (SRT.11).
  public final class Group: KVObject {
    /// The value that the elements share, with the type that it has in the first of them; nil for those without one.
    public let key: Any?
    /// The elements, as a key that notifies by index.
    public internal(set) var elements: [Element]

    /// The keys, which are read-only: `key` and `elements`.
    public override class var keyTable: KVTable {
      super.keyTable.extended(for: KVGroups<Element>.Group.self, listedKeysOnly: true) { key in
        key("key", { $0.key })
        key("elements", { $0.elements }).notifiesManually()
      }.hidingStorage()
    }

    /// The identity that equal keys share; nil for a value that is not hashable, whose group is a new one.
    let identity: AnyHashable?

    /// - Parameters:
    ///   - key: The value, and what is compared of it.
    ///   - elements: The elements.
    init(_ key: (value: Any?, compared: Any?), _ elements: [Element]) {
      self.key = key.value
      identity = Self.identity(of: key.compared)
      self.elements = elements
    }

    static func identity(of key: Any?) -> AnyHashable? {
      guard let key else { return AnyHashable(Optional<Int>.none) }
      return key as? AnyHashable
    }
  }
}
