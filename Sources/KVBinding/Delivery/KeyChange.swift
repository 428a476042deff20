import KVCore

/// A change of one key in an update, which changes several keys of an object together (CTR.8).
struct KeyChange {
  let key: KVKey
  /// The kind of the change.
  ///
  /// The values of a setting are read from the object: the old one before the change, unless ``old`` is known, the new
  /// one after it, each only if an observer wants it.
  var kind = KVChange.Kind.setting
  /// The ascending indexes of the elements: before a removal, after an insertion; nil for settings and for sets.
  var indexes: [Int]?
  /// An array of the removed or replaced elements; of a setting, the old value if its getter cannot tell it any more.
  var old: Any?
  /// An array of the inserted or replacing elements.
  var new: Any?

  init(_ key: KVKey, _ kind: KVChange.Kind = .setting, at indexes: [Int]? = nil, old: Any? = nil, new: Any? = nil) {
    self.key = key
    self.kind = kind
    self.indexes = indexes
    self.old = old
    self.new = new
  }

  /// Calls a function with the notice of the change.
  func withNotice(of object: AnyObject, _ phase: _KVChangeNotice.Phase, _ body: (borrowing _KVChangeNotice) -> Void) {
    _KVChangeNotice.with(
      key, of: object, kind, at: indexes, from: old, to: new, hasOld: kind == .removal || kind == .replacement,
      hasNew: kind == .insertion || kind == .replacement, phase: phase, body)
  }
}
