import KVCore

/// A change of one key that is notified later: one of those of an update, which changes several keys of an object together
/// (CTR.8), or one that a coalescing scope defers.
package struct KeyChange {
  package let key: InternedKey
  /// The kind of the change.
  ///
  /// The values of a setting are read from the object: the old one before the change, unless ``old`` is known, the new
  /// one after it, each only if an observer wants it.
  package var kind = KVChange.Kind.setting
  /// The ascending indexes of the elements: before a removal, after an insertion; nil for settings and for sets.
  package var indexes: [Int]?
  /// An array of the removed or replaced elements; of a setting, the old value if its getter cannot tell it any more.
  package var old: Any?
  /// An array of the inserted or replacing elements.
  package var new: Any?
  /// Returns the new value of a setting after it, if the object has it without its getter.
  package var readNew: (() -> Any?)?
  /// Whether the notice carries ``old``; that of an insertion does if it is known to be nil (KVO.24).
  package var hasOld: Bool
  /// Whether the notice carries ``new``.
  package var hasNew: Bool

  package init(
    _ key: InternedKey, _ kind: KVChange.Kind = .setting, at indexes: [Int]? = nil, old: Any? = nil, new: Any? = nil
  ) {
    self.init(key, kind, at: indexes, old: old, new: new, hasOld: kind.removes, hasNew: kind.adds)
  }

  package init(
    _ key: InternedKey, _ kind: KVChange.Kind, at indexes: [Int]?, old: Any?, new: Any?, hasOld: Bool, hasNew: Bool
  ) {
    self.key = key
    self.kind = kind
    self.indexes = indexes
    self.old = old
    self.new = new
    self.hasOld = hasOld
    self.hasNew = hasNew
  }

  /// Creates the change of a notice, which is copied.
  init(_ notice: borrowing _KVChangeNotice) {
    self.init(
      notice.key, notice.kind, at: notice.indexes, old: notice.oldValue, new: notice.newValue,
      hasOld: notice.hasOldValue || notice.kind.removes, hasNew: true)
  }

  /// Creates a setting whose values are known.
  static func setting(_ key: InternedKey, from old: Any?, to new: Any?, hasOld: Bool = true) -> KeyChange {
    KeyChange(key, .setting, at: nil, old: old, new: new, hasOld: hasOld, hasNew: true)
  }

  /// Whether the change is an insertion that found nil.
  var isFromNil: Bool { kind == .insertion && hasOld }
  /// Whether the value before the change follows from the change and the value after it.
  var isReversible: Bool { kind != .setting || hasOld }

  /// Calls a function with the notice of the change.
  func withNotice(of object: AnyObject, _ phase: _KVChangeNotice.Phase, _ body: (borrowing _KVChangeNotice) -> Void) {
    _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: new, hasOld: hasOld, hasNew: hasNew, phase: phase, body)
  }
}
