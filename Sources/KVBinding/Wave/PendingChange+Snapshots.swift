import KVCore

extension PendingChange {
  /// The entries of a key as the change begins: an iteration over their list.
  struct ObserverSnapshot {
    let registrar: ObserverRegistrar
    let key: KVKey
    let list: ListenerTable.List?
    /// The object of the key, unless it is the object of the change, which its caller retains.
    ///
    /// A manual change that is never ended must not retain its object (KVO.16).
    let object: AnyObject?
    /// The dependent key of the key; nil if the key is one that is being set.
    var dependent: DependentKey?

    /// Whether an entry was added or removed since then: a list does not change in place during an iteration.
    var hasChanged: Bool { !registrar.isCurrent(list, of: key) }

    func forEach(_ body: (Listener) -> Void) { list?.borrow { $0.forEach(body) } }

    func endIteration() { if let list { ListenerList.endIteration(list) } }

    var id: DependentKey.ID { DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key) }

    func isFor(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool { self.registrar === registrar && self.key == key }
  }

  /// The snapshots of dependent keys, each once.
  struct DependentSnapshots {
    private(set) var all: ContiguousArray<ObserverSnapshot> = []
    /// The identities of the keys, if there are many.
    private var ids: Set<DependentKey.ID> = []

    mutating func append(_ snapshot: ObserverSnapshot) {
      all.append(snapshot)
      if !ids.isEmpty { ids.insert(snapshot.id) }
    }

    mutating func contains(_ key: KVKey, _ registrar: ObserverRegistrar) -> Bool {
      if all.count < 8 { return all.contains { $0.isFor(key, registrar) } }
      if ids.isEmpty { ids = Set(all.lazy.map(\.id)) }
      return ids.contains(DependentKey.ID(registrar: ObjectIdentifier(registrar), key: key))
    }
  }
}
