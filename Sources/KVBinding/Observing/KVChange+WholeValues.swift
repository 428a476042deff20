import KVCore

extension KVChange {
  /// The value of the path as it is now.
  var currentValue: Any? { (try? Reader(keyPath).value(of: object)) ?? nil }

  /// The old and the new value; of a collection that is changed in part, the whole collections.
  var wholeValues: (old: Any?, new: Any?) {
    if isInitial { return (new, new) }
    guard kind != .setting else { return (old, new) }
    let part = PendingRecord.Part(kind: kind, indexes: indexes, old: old, new: new)
    let current = currentValue
    return (ToManyParts.undone([part], from: current), current)
  }
}
