import KVBinding
import KVCore

/// A key of an object whose changes an undo manager records, or has recorded.
///
/// The nodes of its object, the registration and the edits of the key retain it. It retains neither the object nor the
/// manager.
final class UndoKey {
  /// The identity of a key.
  ///
  /// Where references are `weak`, that of a dead object may be used again.
  struct ID: Hashable {
    let object: ObjectIdentifier
    let key: InternedKey
  }

  let id: ID
  let path: KVKeyPath
  private let reference: WeakReference<AnyObject>
  private let manager: WeakReference<KVUndoManager>
  private var recording: KVObservation?
  /// The observation of the deallocation of the object when the key is not recorded any more, and has edits.
  private var watching: KVObservation?
  /// The number of reasons to record the key.
  private var uses = 0
  /// Whether the value follows from other keys, recorded or not.
  let isDependent: Bool
  /// The relations to further recorded objects.
  var relations: [UndoRelation] = [] {
    didSet { isFollowed = !relations.isEmpty }
  }
  /// Whether there are relations; each change asks.
  private(set) var isFollowed = false
  /// Whether a change of the key was recorded.
  var hasEdits = false
  /// The equality of the values that were set last, and their type; nil if they are not `Equatable`, or compare objects,
  /// which are compared by identity.
  private var equality: (type: ObjectIdentifier, equality: TypedEquality?)?

  init(_ name: String, of object: some KVObservable, _ manager: KVUndoManager) {
    id = ID(object: ObjectIdentifier(object), key: InternedKey(name))
    path = KVKeyPath(listedKey: name)
    reference = WeakReference(object)
    self.manager = WeakReference(manager)
    let accessor = (try? TypeInfo.of(object).accessor(name)) ?? nil
    isDependent = accessor?.affecting.isEmpty == false
  }

  deinit {
    watching?.cancel()
    manager.object?.forget(self)
  }

  /// Whether the manager is notified of changes of the key.
  var isRecorded: Bool { recording != nil }

  /// The object; nil from the begin of its `deinit`.
  var object: AnyObject? { reference.object }

  /// The value of the key.
  func value(of object: AnyObject) -> Any? { (try? Reader(path).value(of: object)) ?? nil }

  /// Returns whether a notice is of a change that is recorded: another value is set, and the old one is known (UND.2).
  func isChanged(by notice: borrowing _KVChangeNotice) -> Bool {
    switch notice.kind {
    case .insertion, .removal: true
    case .setting where !notice.hasOldValue: false
    case .setting, .replacement:
      !(hasEqualValues(notice) ?? Equality.areIdentical(notice.oldValue, notice.newValue))
    }
  }

  /// Returns whether a notice is of a setting of an equal value; nil if only the boxed values can be compared.
  private func hasEqualValues(_ notice: borrowing _KVChangeNotice) -> Bool? {
    guard notice.kind == .setting, let type = notice.valueType else { return nil }
    if equality?.type != ObjectIdentifier(type) {
      equality = (ObjectIdentifier(type), Equality.mayCompareObjects(type) ? nil : TypedEquality(of: type))
    }
    return equality?.equality.map { notice.hasEqualValues(by: $0) }
  }

  /// Records the key from now on, for one reason more.
  ///
  /// - Throws: ``KVError`` if the key cannot be observed.
  func use(_ object: any KVObservable, _ site: Site) throws(KVError) {
    if recording == nil {
      watching?.cancel()
      watching = nil
      let manager = manager
      // The object may die on any thread, on which nothing of the manager and of the key may change.
      recording = try object.recordChanges(path, Self.options(path, of: object), site) { object, key in
        manager.object?.isRecorded(ID(object: object, key: key)) ?? false
      } objectDidDeallocate: { [self] in
        manager.object?.objectDidDeallocate(of: self)
      } _: { [self] notice in
        if notice.phase == .change { manager.object?.didChange(self, notice) }
      }
      if WriteLog.hasWritten(id.key.name, of: object) {
        manager.object?.openStep(ChangeBoundary.current).noteWrittenBefore(self)
      }
    }
    uses += 1
  }

  /// Returns the options that make one change of a setting by key with all that the setter sets.
  ///
  /// An `@KVProperty` sets nothing else, and need not be slowed down.
  private static func options(_ path: KVKeyPath, of object: any KVObservable) -> KVObservingOptions {
    let info = TypeInfo.of(object)
    let notifiesItself = path.first.observedName.map { info.fields.isObservableProperty($0) } ?? false
    return notifiesItself || info.kind == .record ? [.old, .new] : [.old, .new, .prior]
  }

  /// Records the key for one reason less.
  func endUse() {
    uses -= 1
    if uses == 0 { cancel() }
  }

  /// Ends the recording; the edits remain.
  func cancel() {
    // The recording retains the key.
    let recording = recording
    self.recording = nil
    uses = 0
    if hasEdits, watching == nil, let object { watching = manager.object?.watch(object) }
    recording?.cancel()
  }

  /// Sets the value of the key without notifying its observers.
  ///
  /// - Throws: ``KVError`` if the setter refuses it.
  func restore(_ value: Any?) throws(KVError) {
    guard let object = object as? any KVObservable else { return }
    let present = self.value(of: object)
    if Equality.areIdentical(present, value) { return }
    let change = KVChange(object: object, keyPath: path, old: value, new: present)
    try object.withoutNotifying(of: id.key) { () throws(KVError) in try change.revert() }
  }
}
