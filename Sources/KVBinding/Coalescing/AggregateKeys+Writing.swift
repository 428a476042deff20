import KVCore

extension AggregateKeys {
  /// Writes several objects through a key of another one, which stands for theirs.
  ///
  /// The observers of the key are notified once, after all writes; if one fails, all are undone.
  package static func writeAll(
    _ key: InternedKey, of object: some KVObservable & UpdateJoining, _ body: () throws(KVError) -> Void
  ) throws(KVError) {
    let change = object.joinUpdate([key]) ? nil : ChangeRun.beginAggregate([key], of: object)
    var isWritten = false
    defer { change?.finishAggregate { _ in isWritten } }
    // An object whose setter throws may refuse the value after others have been set.
    try KVTransaction.run { () throws(KVError) in
      try body()
      ChangeBoundary.didChangeAggregate(key, of: object)
    }
    isWritten = true
  }
}
