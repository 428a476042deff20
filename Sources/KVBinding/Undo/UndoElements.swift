import KVCore

/// The members of a collection, whose keys are recorded while they are members.
final class UndoElements {
  private struct Member {
    var count: Int
    let keys: [UndoKey]
  }

  /// The recorded keys; nil for those that each element records by default.
  private let names: [String]?
  private let site: Site
  private let manager: WeakReference<KVUndoManager>
  private var members: [ObjectIdentifier: Member] = [:]
  /// The number of elements, each as often as it occurs.
  private var count = 0

  init(_ names: [String]?, _ manager: KVUndoManager, _ site: Site) {
    self.names = names
    self.manager = WeakReference(manager)
    self.site = site
  }

  /// Records an element.
  ///
  /// - Throws: ``KVError`` if it has no such keys; it is counted nevertheless.
  func add(_ element: Any, of collection: KVKeyPath) throws(KVError) {
    count += 1
    guard let manager = manager.object, let element = unwrappingOptionals(element) else { return }
    guard let object = element as? any KVObservable else {
      throw KVError(
        .notObservable,
        """
        an element of "\(collection)" is a \(type(of: element)), whose changes cannot be observed. Record the key \
        "\(collection)" only, by record(_:keys:).
        """, component: "\(collection)")
    }
    let id = ObjectIdentifier(object)
    if members[id] == nil {
      members[id] = Member(count: 0, keys: try manager.use(names, of: object, site))
    }
    members[id]?.count += 1
  }

  private func remove(_ element: Any) {
    count -= 1
    guard let object = unwrappingOptionals(element) as? any KVObservable else { return }
    let id = ObjectIdentifier(object)
    members[id]?.count -= 1
    if members[id]?.count == 0 { members.removeValue(forKey: id)?.keys.forEach { $0.endUse() } }
  }

  /// Follows a change of the collection.
  func follow(_ notice: borrowing _KVChangeNotice, _ key: UndoKey) {
    let object = notice.object
    if notice.kind != .setting {
      // First what is added: a replaced element that stays is recorded without interruption.
      for element in Elements.list(notice.newValue) { addReporting(element, key, object) }
      for element in Elements.list(notice.oldValue) { remove(element) }
      if Elements.count(of: key.value(of: object)) == count { return }
    }
    let former = members
    (members, count) = ([:], 0)
    for element in Elements.list(key.value(of: object)) { addReporting(element, key, object) }
    for member in former.values { member.keys.forEach { $0.endUse() } }
  }

  private func addReporting(_ element: Any, _ key: UndoKey, _ object: AnyObject) {
    do throws(KVError) { try add(element, of: key.path) } catch {
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
