import Synchronization

/// Whether some type resolves key paths itself; otherwise nobody asks.
private let isUsed = Atomic<Bool>(false)

/// An object in a key path that resolves all following components itself, operators too.
///
/// It is found by ``TypeInfo/resolvesPaths``, where no table lists a component; tables are not asked for more.
package protocol PathResolving: AnyObject {
  /// Returns the value of some components of a path.
  ///
  /// - Parameters:
  ///   - path: The path that leads through the object.
  ///   - index: The index of the component behind the object.
  ///   - last: The index of the last component to resolve.
  func value(of path: KVKeyPath, from index: Int, to last: Int) throws(KVError) -> Any?

  /// Sets the value at the end of a path, whose components from an index on the object resolves.
  func setValue(_ value: Any?, of path: KVKeyPath, from index: Int) throws(KVError)

  /// Throws if nothing can ever be set at the end of a path, whose components from an index on the object resolves.
  func checkSettable(_ path: KVKeyPath, from index: Int) throws(KVError)

  /// The objects and values from which the following components lead on; none if nothing can be set.
  var pathOwners: [Any] { get }

  /// Returns the error for a stack that has no room to resolve a component (KVC.18).
  func noRoom(at component: String) -> KVError
}

/// An object that answers for the observation of paths that lead through it; see `KeyResolving` in KVBinding.
package protocol ObservedPathResolving: AnyObject {}

extension TypeInfo {
  /// Whether some type resolves paths, or answers for observations.
  static var hasResolvers: Bool { isUsed.load(ordering: .relaxed) }

  /// Returns whether objects of a type resolve paths, or answer for observations, and records that such types exist.
  static func resolves(_ type: Any.Type) -> (paths: Bool, observed: Bool) {
    let result = (type is any PathResolving.Type, type is any ObservedPathResolving.Type)
    if result.0 || result.1 { isUsed.store(true, ordering: .relaxed) }
    return result
  }
}

extension PathResolving {
  package func checkSettable(_ path: KVKeyPath, from index: Int) throws(KVError) {}

  package func noRoom(at component: String) -> KVError { Failure.tooDeep(component, .stack, of: "selections") }

  /// The object from which the following components lead on; nil unless it is the only owner.
  var onlyOwner: AnyObject? {
    let owners = pathOwners
    return owners.count == 1 && type(of: owners[0]) is AnyClass ? object(in: owners[0]) : nil
  }
}

extension ObjectCursor {
  /// The object, if it resolves the rest of the path.
  @inline(__always)
  var resolver: (any PathResolving)? { TypeInfo.hasResolvers ? objectAsResolver : nil }

  @inline(never)
  private var objectAsResolver: (any PathResolving)? {
    guard index <= last, TypeInfo.of(object: object).resolvesPaths else { return nil }
    return object as? any PathResolving
  }
}

extension PathCursor {
  /// The object, if it is the owner of the component and resolves the rest of the path.
  @inline(__always)
  var resolver: (any PathResolving)? { isAtObject ? objects.resolver : nil }

  /// The object, if it is the owner of the component and answers for observations.
  package var observedResolver: (any ObservedPathResolving)? {
    guard isUsed.load(ordering: .relaxed), isAtObject, TypeInfo.of(object: object).resolvesObservedPaths else {
      return nil
    }
    return object as? any ObservedPathResolving
  }
}

extension KVKeyPath {
  /// Returns the object on the path that resolves its rest, and the rest; nil if there is none.
  package func resolver(from root: Any) -> (resolver: any PathResolving, remainder: KVKeyPath)? {
    guard isUsed.load(ordering: .relaxed), let root = unwrappingOptionals(root) else { return nil }
    var found: (any PathResolving, Int)?
    do throws(KVError) {
      try PathCursor.walk(storage, count - 1, from: root, at: 0, nesting: Nesting()) { cursor throws(KVError) in
        while cursor.index < count {
          if let resolver = cursor.resolver {
            found = (resolver, cursor.index)
            return
          }
          switch try cursor.next() {
          case .object, .value: continue
          case .end, .collection, .operator: return
          }
        }
      }
    } catch {
      // Reading the path has the same error.
      return nil
    }
    guard let (resolver, index) = found, let remainder = try? part(Array(components[index...])) else {
      return nil
    }
    return (resolver, remainder)
  }
}

extension KVC {
  /// Sets the value at the end of a path from each of several owners, once all of them take it (KVC.10).
  ///
  /// - Parameters:
  ///   - value: The value, or nil.
  ///   - path: The path.
  ///   - index: The index of the component behind the owners.
  ///   - owners: The owners.
  /// - Returns: The owners with changed copies of those that are values; nil if all are objects.
  /// - Throws: ``KVError``, as writing an array of the owners does. An owner whose setter throws can refuse after others
  ///   have been set.
  package static func set(
    _ value: Any?, of path: KVKeyPath, from index: Int, onEach owners: [Any]
  ) throws(KVError) -> [Any]? {
    if owners.count == 1 { return try Writer(path.storage).set(value, in: owners[0], from: index).copy.map { [$0] } }
    return try Writer(path.storage).setOnElements(value, of: owners, from: index) as? [Any]
  }
}

extension Accessor {
  /// Whether the value is an object that resolves paths.
  package var leadsToResolver: Bool { value.unwrappedType is any PathResolving.Type }

  /// Whether the type of the value is that of a collection.
  package var isCollection: Bool { value.collection != nil }
}
