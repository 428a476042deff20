import KVCore

/// Somebody who wants to know that a source has died.
protocol Farewell: AnyObject {
  func sourceDied()
}

/// Tells sections that their source has died.
///
/// A closure of `onDeinit` cannot be taken back, and sections come and go while their source stays: there is one closure a
/// source, which tells whoever is listed here then.
enum Farewells {
  private final class Listener: @unchecked Sendable {  // guard: set once; a section is used in the domain of its source
    @exclusivity(unchecked) private(set) weak var section: (any Farewell)?
    let id: ObjectIdentifier

    init(_ section: any Farewell) {
      self.section = section
      id = ObjectIdentifier(section)
    }
  }

  private static let listeners = Locked<[ObjectIdentifier: [Listener]]>([:])

  /// Tells a section when a source dies; of a source that is no `KVObject` nobody is told.
  static func tell(_ section: some Farewell, of source: any KVObservable) {
    guard let source = source as? KVObject else { return }
    let id = ObjectIdentifier(source)
    let listener = Listener(section)
    let others = listeners.withLock { listeners in
      let others = listeners[id]
      // By identity: one with the same is this section, or a dead one that stood at its address.
      listeners[id] = (others ?? []).filter { $0.id != listener.id } + [listener]
      return others
    }
    guard let others else { return source.onDeinit { sourceDied(id) } }
    sweep(others, of: id)
  }

  /// Takes out the dead, which is done when somebody comes, so that there are never many.
  ///
  /// Whether a section is dead is asked outside of the lock, since asking may be what keeps it alive last.
  private static func sweep(_ others: [Listener], of id: ObjectIdentifier) {
    let dead = Set(others.filter { $0.section == nil }.map { ObjectIdentifier($0) })
    if dead.isEmpty { return }
    listeners.withLock { $0[id]?.removeAll { dead.contains(ObjectIdentifier($0)) } }
  }

  private static func sourceDied(_ id: ObjectIdentifier) {
    for listener in listeners.withLock({ $0.removeValue(forKey: id) }) ?? [] { listener.section?.sourceDied() }
  }
}
