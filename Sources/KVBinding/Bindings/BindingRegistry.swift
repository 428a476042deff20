import KVCore
import Synchronization

/// All bindings of the process that have not ended.
enum BindingRegistry {
  private static let cores = Locked<[ObjectIdentifier: BindingCore]>([:])

  /// The number of bindings with a source that does not list them among its observers.
  private static let unlisted = Atomic<Int>(0)
  private static let finders = Locked<[@Sendable (AnyObject) -> [BindingCore]]>([])

  static func add(_ core: BindingCore) {
    cores.withLock { $0[ObjectIdentifier(core)] = core }
    if !core.isListedAtSources { unlisted.add(1, ordering: .relaxed) }
  }

  static func remove(_ core: BindingCore) {
    guard let removed = cores.withLock({ $0.removeValue(forKey: ObjectIdentifier(core)) }) else { return }
    if !removed.isListedAtSources { unlisted.subtract(1, ordering: .relaxed) }
  }

  /// The bindings, in the order in which they were made.
  static var all: [BindingCore] {
    cores.withLock { Array($0.values) }.ordered { $0.number }
  }

  /// Adds a function that finds bindings whose endpoint at an object is neither observed nor owned by that object.
  static func addFinder(_ finder: @escaping @Sendable (AnyObject) -> [BindingCore]) {
    finders.withLock { $0.append(finder) }
  }

  /// Returns the bindings of an object that the added functions find.
  static func found(of object: AnyObject) -> [BindingCore] {
    finders.withLock { $0 }.flatMap { $0(object) }
  }
}

extension BindingRegistry {
  /// Returns the bindings to a target that observe a source; nil if the source has more observers than the target has
  /// bindings, or some binding of the process is not listed among the observers of its source.
  static func bindings(of source: AnyObject, ifFewerThanTo target: AnyObject) -> [BindingCore]? {
    guard unlisted.load(ordering: .relaxed) == 0, let source = source as? any KVObservable,
      let registrar = ObserverRegistrar.existing(of: source),
      !registrar.hasMoreListeners(than: Owners.count(ownedBy: target))
    else { return nil }
    var cores: [ObjectIdentifier: BindingCore] = [:]
    for listener in registrar.allListeners {
      let registration = (listener as? PathLink)?.registration ?? listener as? Registration
      if let core = registration?.kind.binding, core.target.object === target {
        cores[ObjectIdentifier(core)] = core
      }
    }
    return cores.values.ordered { $0.number }
  }
}

extension Owners {
  /// Returns the bindings whose target is an object, in the order in which they were made.
  static func bindings(to target: AnyObject) -> [BindingCore] {
    owned(by: target).compactMap { $0 as? BindingCore }.ordered { $0.number }
  }
}
