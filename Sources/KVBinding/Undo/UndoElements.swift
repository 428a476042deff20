import KVCore

/// The members of a collection, whose keys are recorded while they are members, and until the end of the step in which
/// they leave.
final class UndoElements {
  private struct Member {
    var count: Int
    let keys: [UndoKey]
  }

  /// The recorded keys of each call; nil for those that each element records by default.
  private let names: [[String]?]
  private let site: Site
  private let manager: WeakReference<KVUndoManager>
  private var members: [ObjectIdentifier: Member] = [:]
  /// The number of elements, each as often as it occurs.
  private var count = 0

  /// - Parameters:
  ///   - names: The keys that are recorded of each element besides those of `former`.
  ///   - former: The members of the same collection that have been recorded before.
  ///   - manager: The manager.
  ///   - site: Where the recording was begun.
  init(_ names: [String]?, of former: UndoElements?, _ manager: KVUndoManager, _ site: Site) {
    let former = former?.names ?? []
    self.names = former.contains(names) ? former : former + [names]
    self.manager = WeakReference(manager)
    self.site = site
  }

  /// Records an element.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - collection: The key of the collection.
  ///   - former: Members whose keys are recorded already.
  /// - Throws: ``KVError`` if it has no such keys; it is counted nevertheless.
  private func add(
    _ element: Any, of collection: KVKeyPath, carrying former: [ObjectIdentifier: Member]
  ) throws(KVError) {
    count += 1
    guard let manager = manager.object, let element = unwrappingOptionals(element) else { return }
    guard let object = objectCast(element, to: (any KVObservable).self) else {
      throw KVError(
        .notObservable,
        """
        an element of "\(collection)" is \(withArticle(type(of: element))), whose changes cannot be observed. Record the key \
        "\(collection)" only, by record(_:keys:).
        """, component: "\(collection)")
    }
    let id = ObjectIdentifier(object)
    if members[id] == nil {
      // A dead member may have had the same identity.
      if let member = former[id], member.keys.first?.object === object {
        members[id] = Member(count: 0, keys: member.keys)
      } else {
        members[id] = Member(count: 0, keys: try use(object, manager))
      }
    }
    members[id]?.count += 1
  }

  func add(_ element: Any, of collection: KVKeyPath) throws(KVError) {
    try add(element, of: collection, carrying: [:])
  }

  private func use(_ object: any KVObservable, _ manager: KVUndoManager) throws(KVError) -> [UndoKey] {
    var keys: [UndoKey] = []
    do throws(KVError) { for names in names { keys += try manager.use(names, of: object, site) } } catch {
      for key in keys { key.endUse() }
      throw error
    }
    return keys
  }

  private func remove(_ element: Any, _ key: UndoKey) {
    count -= 1
    guard let object = objectCast(element, to: (any KVObservable).self) else { return }
    let id = ObjectIdentifier(object)
    members[id]?.count -= 1
    if members[id]?.count == 0, let member = members.removeValue(forKey: id) { leave(member, key) }
  }

  /// Ends the recording of a member with the step; without a manager, nothing is recorded.
  private func leave(_ member: Member, _ key: UndoKey) { manager.object?.endWithStep(member.keys, of: key) }

  /// Follows a change of the collection.
  func follow(_ notice: borrowing _KVChangeNotice, _ key: UndoKey) {
    let object = notice.object
    if notice.kind != .setting {
      // First what is added: a replaced element that stays is recorded without interruption.
      for element in Elements.list(notice.newValue) { addReporting(element, key, object) }
      for element in Elements.list(notice.oldValue) { remove(element, key) }
      if Elements.count(of: key.value(of: object)) == count { return }
    }
    let former = members
    (members, count) = ([:], 0)
    for element in Elements.list(key.value(of: object)) { addReporting(element, key, object, former) }
    for (id, member) in former {
      // Members that stay are recorded without interruption.
      if let first = members[id]?.keys.first, first === member.keys.first { continue }
      leave(member, key)
    }
  }

  private func addReporting(
    _ element: Any, _ key: UndoKey, _ object: AnyObject, _ former: [ObjectIdentifier: Member] = [:]
  ) {
    do throws(KVError) { try add(element, of: key.path, carrying: former) } catch {
      KVDiagnostics.report(.error, .undo, key.path, object, site) {
        "recording the elements of \"\(key.path)\": \(error)"
      }
    }
  }

  func cancel() {
    let former = members
    members = [:]
    for member in former.values { member.keys.forEach { $0.endUse() } }
  }
}
