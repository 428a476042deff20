import KVBinding
import KVCore

/// The members of a collection, whose keys are recorded while they are members, and until the end of the step in which
/// they leave.
final class UndoElements {
  /// The recorded keys of each call; nil for those that each element records by default.
  private let names: [[String]?]
  private let site: Site
  private let manager: WeakReference<KVUndoManager>
  private var members = CountedElements<ObjectIdentifier, [UndoKey]>()

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

  /// Records an element of a collection.
  ///
  /// - Throws: ``KVError`` if it has no such keys; it is counted nevertheless.
  func add(_ element: Any, of collection: UndoKey) throws(KVError) {
    members.countOne()
    guard let manager = manager.object, let element = unwrappingOptionals(element) else { return }
    guard let object = objectCast(element, to: (any KVObservable).self) else {
      throw KVError(
        .notObservable,
        """
        an element of "\(collection.path)" is \(withArticle(type(of: element))), whose changes cannot be observed. Record the key \
        "\(collection.path)" only, by record(_:keys:).
        """, component: "\(collection.path)")
    }
    let id = ObjectIdentifier(object)
    // A dead member may have had the same identity.
    if members.addOccurrence(id, where: { $0.first?.object === object }) { return }
    if let dead = members.keep(try use(object, manager), of: id) { leave(dead, collection) }
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
    let object = objectCast(element, to: (any KVObservable).self)
    if let keys = members.remove(object.map { ObjectIdentifier($0) }) { leave(keys, key) }
  }

  /// Ends the recording of a member with the step; without a manager, nothing is recorded.
  private func leave(_ keys: [UndoKey], _ collection: UndoKey) { manager.object?.endWithStep(keys, of: collection) }

  /// Follows a change of the collection.
  func follow(_ notice: borrowing _KVChangeNotice, _ key: UndoKey) {
    let object = notice.object
    if notice.kind != .setting {
      // First what is added: a replaced element that stays is recorded without interruption.
      for element in Elements.list(notice.newValue) { addReporting(element, key, object) }
      for element in Elements.list(notice.oldValue) { remove(element, key) }
      if Elements.count(of: key.value(of: object)) == members.count { return }
    }
    members.beginAnew()
    for element in Elements.list(key.value(of: object)) { addReporting(element, key, object) }
    for keys in members.takeUncounted() { leave(keys, key) }
  }

  private func addReporting(_ element: Any, _ key: UndoKey, _ object: AnyObject) {
    do throws(KVError) { try add(element, of: key) } catch {
      KVDiagnostics.report(.error, .undo, key.path, object, site) {
        "recording the elements of \"\(key.path)\": \(error)"
      }
    }
  }

  func cancel() { for keys in members.takeAll() { keys.forEach { $0.endUse() } } }
}
