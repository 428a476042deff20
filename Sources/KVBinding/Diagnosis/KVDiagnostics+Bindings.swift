import KVCore

extension KVDiagnostics {
  /// Returns all bindings of the process (DIA.2).
  ///
  /// Bindings with a deallocated object, and which have not ended yet, are ended now (LIF.1).
  ///
  /// - Returns: The bindings that have not ended, in the order of their creation.
  /// - Complexity: O(*n* log *n*) in the number of bindings.
  public static var bindings: [KVPathBinding] { BindingRegistry.all.filter { !$0.endIfDead() }.map(\.binding) }

  /// Returns the bindings of an object (BND.9).
  ///
  /// Bindings with a deallocated object, and which have not ended yet, are ended now (LIF.1).
  ///
  /// - Parameter object: An object, which is the source or the target of the bindings.
  /// - Returns: The bindings that have not ended, in the order of their creation.
  /// - Complexity: O(*n* log *n*) in the number of the object's observations and of the bindings that have it as their
  ///   target.
  public static func bindings(of object: AnyObject) -> [KVPathBinding] {
    var cores = Owners.bindings(to: object)
    if let object = object as? any KVObservable {
      cores += (ObserverRegistrar.existing(of: object)?.registrations ?? []).compactMap { $0.kind.binding }
    }
    cores += BindingRegistry.found(of: object)
    // A binding may be found by both endpoints, and more than once by each.
    var met: Set<ObjectIdentifier> = []
    return cores.filter { met.insert(ObjectIdentifier($0)).inserted && !$0.endIfDead() }
      .ordered { $0.number }.map(\.binding)
  }
}

extension KeyValueCoding where Self: AnyObject {
  /// Returns the bindings whose target is a key path of the receiver (BND.9, Cocoa's `infoForBinding:`).
  ///
  /// - Parameter path: The key path as it was bound.
  /// - Returns: The bindings, in the order of their creation.
  /// - Throws: ``KVError`` (`invalidKeyPath`) if the text is not a key path.
  public func bindings(to path: some KVKeyPathConvertible) throws(KVError) -> [KVPathBinding] {
    let path = try path.keyPath()
    return KVDiagnostics.bindings(of: self).filter { $0.target.keyPath == path && $0.target.object === self }
  }
}
