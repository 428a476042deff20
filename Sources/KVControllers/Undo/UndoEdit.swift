import KVBinding
import KVCore

/// One change that a step undoes and redoes: of a key, or a registered edit.
///
/// The values of the change of a key are in here, not in a case of an enum, from which they would be copied to be read.
/// It retains them, but not its object.
struct UndoEdit {
  /// The target of an edit.
  enum Target {
    case key(UndoKey)
    /// The action of a registered edit that is not of a key.
    case action(UndoAction)
  }

  let target: Target
  let kind: KVChange.Kind
  let hasOld: Bool
  let hasNew: Bool
  let indexes: [Int]?
  let old: Any?
  let new: Any?

  /// Creates the change of a notice, which the key ``UndoKey/isChanged(by:)``.
  ///
  /// Create it where it stays: copying it takes as long as boxing the values.
  @inline(__always)
  init(_ notice: borrowing _KVChangeNotice, _ key: UndoKey) {
    target = .key(key)
    kind = notice.kind
    hasOld = notice.hasOldValue
    hasNew = notice.hasNewValue
    indexes = notice.indexes
    old = notice.oldValue
    new = notice.newValue
  }

  /// Creates the change of a setting that the manager was not notified of, or that stands for several.
  init(setting key: UndoKey, from old: Any?, to new: Any?) {
    (target, kind, indexes, self.old, self.new) = (.key(key), .setting, nil, old, new)
    (hasOld, hasNew) = (true, true)
  }

  init(_ action: UndoAction) {
    (target, kind, indexes, old, new) = (.action(action), .setting, nil, nil, nil)
    (hasOld, hasNew) = (false, false)
  }

  /// The key that changed; nil for a registered edit.
  var key: UndoKey? { if case .key(let key) = target { key } else { nil } }

  /// Returns the changes of each key.
  static func byKey(_ edits: ArraySlice<UndoEdit>) -> [ObjectIdentifier: [UndoEdit]] {
    var changes: [ObjectIdentifier: [UndoEdit]] = [:]
    for edit in edits { if let key = edit.key { changes[ObjectIdentifier(key), default: []].append(edit) } }
    return changes
  }

  /// Whether the object of the edit exists.
  var isAlive: Bool {
    switch target {
    case .key(let key): key.object != nil
    case .action(let action): action.target.object != nil
    }
  }

  /// Makes the change of a key again, or its reverse.
  func make(at key: UndoKey, of object: AnyObject, isReverse: Bool) throws(KVError) {
    if kind == .setting, hasOld, hasNew {
      // Two calls: a value that is chosen first is copied.
      return try isReverse ? KVChange.set(old, at: key.path, of: object) : KVChange.set(new, at: key.path, of: object)
    }
    let change = KVChange(
      object: object, keyPath: key.path, kind: kind, old: old, new: new, hasOld: hasOld, hasNew: hasNew,
      indexes: indexes, isPrior: false, isInitial: false)
    try isReverse ? change.revert() : change.apply()
  }

  /// Whether the change and an earlier one of the key, directly before it, change nothing together.
  func reverses(_ earlier: UndoEdit) -> Bool {
    // A collection that was nil is empty after a removal.
    let isReverse = earlier.kind == kind.reversed && !(kind == .removal && earlier.hasOld)
    return isReverse && earlier.indexes == indexes && Equality.areIdentical(earlier.old, new)
      && Equality.areIdentical(earlier.new, old)
  }

  /// Returns the change of a key, or its reverse, as one that is composed with others.
  func change(of key: UndoKey, isReverse: Bool = false) -> KeyChange {
    let kind = isReverse ? kind.reversed : kind
    let (from, to) = isReverse ? (new, old) : (old, new)
    return KeyChange(
      key.id.key, kind, at: indexes, old: from, new: to, hasOld: kind != .insertion || hasOld && !isReverse,
      hasNew: true)
  }
}

/// A registered edit that is not a key.
final class UndoAction {
  let target: WeakReference<AnyObject>
  private let undo: (AnyObject) throws -> Void
  private let redo: (AnyObject) throws -> Void
  /// The observation of the deallocation of the target.
  private let watching: KVObservation?

  init(
    target: WeakReference<AnyObject>, undo: @escaping (AnyObject) throws -> Void,
    redo: @escaping (AnyObject) throws -> Void, watching: KVObservation? = nil
  ) {
    (self.target, self.undo, self.redo, self.watching) = (target, undo, redo, watching)
  }

  deinit { watching?.cancel() }

  func make(isReverse: Bool) throws(KVError) {
    guard let object = target.object else { return }
    do { try isReverse ? undo(object) : redo(object) } catch let error as KVError { throw error } catch {
      throw KVError(
        .custom, "a registered edit cannot be \(isReverse ? "undone" : "redone"): \(error)",
        rootType: "\(type(of: object))", underlying: error)
    }
  }

  /// The edit that undoing or redoing it makes.
  func made(isReverse: Bool) -> UndoAction {
    isReverse ? UndoAction(target: target, undo: redo, redo: undo) : self
  }
}
