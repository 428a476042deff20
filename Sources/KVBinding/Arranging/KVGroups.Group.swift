import KVCore

extension KVGroups {
  /// Elements with equal values, in order (SRT.11).
  public final class Group: KVObject {
    /// The value that the elements share; nil for those without one.
    public let key: Any?
    /// The elements, as a key that notifies by index.
    public internal(set) var elements: [Element]

    /// The keys, which are read-only: `key` and `elements`.
    public override class var keyTable: KVTable {
      super.keyTable.extended(for: KVGroups<Element>.Group.self) { key in
        key("key", { $0.key })
        key("elements", { $0.elements }).notifiesManually()
      }
    }

    init(_ key: Any?, _ elements: [Element]) {
      self.key = key
      self.elements = elements
    }
  }
}
