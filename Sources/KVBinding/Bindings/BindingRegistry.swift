import KVCore

/// All bindings of the process that have not ended.
enum BindingRegistry {
  private static let cores = Locked<[ObjectIdentifier: BindingCore]>([:])

  static func add(_ core: BindingCore) { cores.withLock { $0[ObjectIdentifier(core)] = core } }

  static func remove(_ core: BindingCore) {
    let removed = cores.withLock { $0.removeValue(forKey: ObjectIdentifier(core)) }
    withExtendedLifetime(removed) {}
  }

  /// The bindings, in the order in which they were made.
  static var all: [BindingCore] {
    cores.withLock { Array($0.values) }.sorted { $0.number < $1.number }
  }
}

extension Owners {
  /// Returns the bindings whose target is an object, in the order in which they were made.
  static func bindings(to target: AnyObject) -> [BindingCore] {
    owned(by: target).compactMap { $0 as? BindingCore }.sorted { $0.number < $1.number }
  }
}
