import KVBinding
import KVCore

extension UndoReplay {
  /// Restores the values from before a replay that failed.
  ///
  /// Handlers are notified of the restored values. If they change them without end, as a step that does not settle has
  /// shown, the values that they have changed are restored without notifying (UND.7).
  ///
  /// - Parameters:
  ///   - failed: The replay that failed.
  ///   - aggregateKeys: The keys whose observers are notified once of all that is restored.
  ///   - begin: Called with the replay that restores, before it does so.
  /// - Throws: ``KVError``: the error of a value that cannot be restored.
  static func restore(
    _ failed: UndoReplay, _ aggregateKeys: AggregateKeys, _ begin: (UndoReplay) -> Void
  ) throws(KVError) {
    let previous = failed.previousValues
    let restoring = UndoReplay(isReverse: true)
    begin(restoring)
    do throws(KVError) {
      try KVCoalescing.coalesce { () throws(KVError) in try restoring.make(failed.log, aggregateKeys) }
      try restoring.revertSideEffects()
    } catch {
      if error.code != .doesNotSettle { throw error }
      // Last what the failed replay had changed: setters of the other keys may change it.
      let restored = restoring.previousValues.filter { previous[$0.key] == nil }
      for (key, value) in restored.values { try key.restore(value) }
      for (key, value) in previous.values { try key.restore(value) }
    }
  }

  /// The values of all changed keys from before the replay.
  private var previousValues: [ObjectIdentifier: (key: UndoKey, value: Any?)] {
    UndoEdit.byKey(log[...]).compactMapValues { changes in
      guard let key = changes.first?.key, let object = key.object else { return nil }
      return (key, ToManyParts.undone(changes.map { $0.change(of: key) }, from: key.value(of: object)))
    }
  }
}
