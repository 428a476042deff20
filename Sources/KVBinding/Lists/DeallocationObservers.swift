import KVCore

/// A receiver that is notified of the death of a source.
protocol DeallocationObserver: AnyObject {
  func sourceDidDeallocate()
}

/// The notification of sections when their source is deallocated.
///
/// A closure of `onDeinit` cannot be removed, while sections come and go during the life of their source. So there is
/// one closure per source, which notifies the sections that are listed then.
enum DeallocationObservers {
  private final class Listener: @unchecked Sendable {  // guard: set once; a section is used in the domain of its source
    @exclusivity(unchecked) private(set) weak var section: (any DeallocationObserver)?
    let id: ObjectIdentifier

    init(_ section: any DeallocationObserver) {
      self.section = section
      id = ObjectIdentifier(section)
    }
  }

  private static let listeners = Locked<[ObjectIdentifier: [Listener]]>([:])

  /// Notifies a section when a source is deallocated; a source that is not a `KVObject` cannot notify.
  static func add(_ section: some DeallocationObserver, of source: any KVObservable) {
    guard let source = source as? KVObject else { return }
    let id = ObjectIdentifier(source)
    let listener = Listener(section)
    let others = listeners.withLock { listeners in
      let others = listeners[id]
      // By identity: an entry with the same identity is this section, or a dead one that had its address.
      listeners[id] = (others ?? []).filter { $0.id != listener.id } + [listener]
      return others
    }
    guard let others else { return source.onDeinit { sourceDidDeallocate(id) } }
    sweep(others, of: id)
  }

  /// Removes the entries of dead sections, which is done for each new section, so that there are never many.
  ///
  /// Weak references are read outside of the lock, since reading may keep the last reference.
  private static func sweep(_ others: [Listener], of id: ObjectIdentifier) {
    let dead = Set(others.filter { $0.section == nil }.map { ObjectIdentifier($0) })
    if dead.isEmpty { return }
    listeners.withLock { $0[id]?.removeAll { dead.contains(ObjectIdentifier($0)) } }
  }

  private static func sourceDidDeallocate(_ id: ObjectIdentifier) {
    for listener in listeners.withLock({ $0.removeValue(forKey: id) }) ?? [] { listener.section?.sourceDidDeallocate() }
  }
}
