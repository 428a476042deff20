import KVCore

/// Somebody who wants to know that a source has died.
protocol Farewell: AnyObject {
  func sourceDied(_ id: ObjectIdentifier)
}

/// Tells sections that their source has died.
///
/// A closure of `onDeinit` cannot be taken back, and sections come and go while their source stays: there is one closure a
/// source, which tells whoever is listed here then.
enum Farewells {
  private struct Listener: @unchecked Sendable {  // guard: used in the isolation domain of the source
    weak var section: (any Farewell)?
  }

  private static let listeners = Locked<[ObjectIdentifier: [Listener]]>([:])

  /// Tells a section when a source dies; of a source that is no `KVObject` nobody is told.
  static func tell(_ section: some Farewell, of source: any KVObservable) {
    guard let source = source as? KVObject else { return }
    let id = ObjectIdentifier(source)
    let listener = Listener(section: section)
    let isFirst = listeners.withLock { listeners in
      let others = listeners[id]
      // The dead are swept out when somebody comes, so that there are never many.
      listeners[id] = (others ?? []).filter { $0.section != nil && $0.section !== listener.section } + [listener]
      return others == nil
    }
    if isFirst { source.onDeinit { sourceDied(id) } }
  }

  private static func sourceDied(_ id: ObjectIdentifier) {
    for listener in listeners.withLock({ $0.removeValue(forKey: id) }) ?? [] { listener.section?.sourceDied(id) }
  }
}
