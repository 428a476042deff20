import KVCore

/// One change that a step undoes and redoes.
enum UndoEdit {
  /// A change of a key.
  case change(UndoChange)
  /// A registered edit that is not a key.
  case action(UndoAction)

  /// Creates the change of a notice; nil if it changes nothing, or if its old value is not known.
  ///
  /// The values are boxed where they stay: copying such an edit takes as long as boxing them.
  @inline(__always)
  init?(_ notice: borrowing _KVChangeNotice, _ key: UndoKey) {
    let isUnchanged = key.isUnchanged(notice)
    if isUnchanged == true || notice.kind == .setting && !notice.hasOldValue { return nil }
    if isUnchanged == nil, notice.kind == .setting || notice.kind == .replacement,
      Equality.areIdentical(notice.oldValue, notice.newValue)
    {
      return nil
    }
    self = .change(
      UndoChange(
        key: key, kind: notice.kind, hasOld: notice.hasOldValue, hasNew: notice.hasNewValue, indexes: notice.indexes,
        old: notice.oldValue, new: notice.newValue))
  }

  var change: UndoChange? { if case .change(let change) = self { change } else { nil } }

  /// Whether the object of the edit exists.
  var isAlive: Bool {
    switch self {
    case .change(let change): change.key.object != nil
    case .action(let action): action.target.object != nil
    }
  }
}

/// A change of a key, which retains its values but not its object.
struct UndoChange {
  let key: UndoKey
  let kind: KVChange.Kind
  let hasOld: Bool
  let hasNew: Bool
  let indexes: [Int]?
  let old: Any?
  let new: Any?

  @inline(__always)
  fileprivate init(
    key: UndoKey, kind: KVChange.Kind, hasOld: Bool, hasNew: Bool, indexes: [Int]?, old: Any?, new: Any?
  ) {
    self.key = key
    self.kind = kind
    self.hasOld = hasOld
    self.hasNew = hasNew
    self.indexes = indexes
    self.old = old
    self.new = new
  }

  /// Creates the change of a setting that the manager was not notified of, or that stands for several.
  init(setting key: UndoKey, from old: Any?, to new: Any?) {
    (self.key, kind, indexes, self.old, self.new) = (key, .setting, nil, old, new)
    (hasOld, hasNew) = (true, true)
  }

  /// Makes the change again, or its reverse.
  func make(isReverse: Bool) throws(KVError) {
    guard let object = key.object else { return }
    if kind == .setting, hasOld, hasNew { return try KVChange.set(isReverse ? old : new, at: key.path, of: object) }
    let change = KVChange(
      object: object, keyPath: key.path, kind: kind, old: old, new: new, hasOld: hasOld, hasNew: hasNew,
      indexes: indexes, isPrior: false, isInitial: false)
    try isReverse ? change.revert() : change.apply()
  }

  /// Whether the change and an earlier one of the key, directly before it, change nothing together.
  func reverses(_ earlier: UndoChange) -> Bool {
    let isReverse =
      switch kind {
      case .setting, .replacement: earlier.kind == kind
      case .insertion: earlier.kind == .removal
      case .removal: earlier.kind == .insertion
      }
    return isReverse && earlier.indexes == indexes && Equality.areIdentical(earlier.old, new)
      && Equality.areIdentical(earlier.new, old)
  }

  /// The change as one that a coalescing scope composes.
  var part: PendingRecord.Part {
    .init(kind: kind, indexes: indexes, old: old, new: new, isFromNil: kind == .insertion && hasOld)
  }
  /// The reverse of the change in that form.
  var reversedPart: PendingRecord.Part {
    let reverse: KVChange.Kind = kind == .insertion ? .removal : kind == .removal ? .insertion : kind
    return .init(kind: reverse, indexes: indexes, old: new, new: old)
  }
}

/// A registered edit that is not a key.
struct UndoAction {
  let target: WeakReference<AnyObject>
  let undo: (AnyObject) throws -> Void
  let redo: (AnyObject) throws -> Void

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
