import KVCore

extension KVDiagnostics {
  /// Returns what is bound in the whole process (DIA.2).
  ///
  /// - Returns: The bindings that have not ended, in the order in which they were made.
  /// - Complexity: O(*n* log *n*) in the bindings.
  public static var bindings: [KVPathBinding] { BindingRegistry.all.map { KVPathBinding($0) } }

  /// Returns the bindings of an object (BND.9).
  ///
  /// - Parameter object: The object, at whichever end.
  /// - Returns: The bindings that have not ended, in the order in which they were made.
  /// - Complexity: O(*n*) in the observations of the object and the bindings whose target it is.
  public static func bindings(of object: AnyObject) -> [KVPathBinding] {
    var cores = Owners.owned(by: object).compactMap { $0 as? BindingCore }
    var seen = Set(cores.map { ObjectIdentifier($0) })
    if let object = object as? any KVObservable {
      for case let observation as BindingObservation in ObserverRegistrar.existing(of: object)?.observations ?? []
      where seen.insert(ObjectIdentifier(observation.core)).inserted {
        cores.append(observation.core)
      }
    }
    for core in (object as? any KVTreeNode)?.treeSlot.foundBindings ?? []
    where seen.insert(ObjectIdentifier(core)).inserted {
      cores.append(core)
    }
    return cores.filter { !$0.isEnded }.sorted { $0.number < $1.number }.map { KVPathBinding($0) }
  }
}

extension KeyValueCoding where Self: AnyObject {
  /// The bindings of the receiver, at whichever end, in the order in which they were made (BND.9).
  public var bindings: [KVPathBinding] { KVDiagnostics.bindings(of: self) }

  /// Returns the bindings whose target is a path of the receiver (Cocoa's `infoForBinding:`).
  ///
  /// - Parameter path: The path, as it was bound.
  /// - Returns: The bindings, in the order in which they were made.
  /// - Throws: ``KVError`` with the code `invalidKeyPath` if a text is none.
  public func bindings(to path: some KVKeyPathConvertible) throws(KVError) -> [KVPathBinding] {
    let path = try path.keyPath()
    return bindings.filter { $0.core.target.path == path && $0.core.target.object === self }
  }
}
