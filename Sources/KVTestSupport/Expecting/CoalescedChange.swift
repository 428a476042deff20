import KVCore

/// The records of a path, from two observations: one for each change, and one for the coalesced changes of a scope.
final class CoalescedChange<Object: KVObservable> {
  private let path: KVKeyPath
  private let expected: KVExpectedChange
  private let each: Recording<Object>
  private let merged: Recording<Object>
  /// Whether a change was made outside of any scope.
  private let isOutside = Locked(false)
  private var witness: KVObservation?

  init(_ object: Object, _ expected: KVExpectedChange, _ location: KVTestLocation) {
    path = expected.keyPath
    self.expected = expected
    merged = Recording(of: object, [.old, .new, .coalesced], at: location) { [expected.keyPath] }
    each = Recording(of: object, [.old, .new], at: location) { [expected.keyPath] }
    witness = try? object.observe(path, options: []) { [weak self] _ in
      if !KVCoalescing.isCoalescing { self?.isOutside.withLock { $0 = true } }
    }
  }

  /// Compares the records with the expected values: by default those of the path before and now.
  func check() {
    let old = expected.old.value ?? merged.valueBefore(path)
    let new = expected.new.value ?? pathValue(of: merged.object, at: path)
    guard let merged = merged.finish()?.take(), let each = each.recorder?.take() else { return }
    let name = "\(type(of: self.merged.object)).\(path)"
    let head: String
    switch (each.count, merged.count) {
    case (0, _): head = "\(name) did not change, so nothing was coalesced."
    case (_, 0): head = "The changes of \(name) were not delivered: their scope has not ended, or was rolled back."
    case (1, 1) where isOutside.withLock { $0 }:
      head = "The change of \(name) was told at once: it was made outside of any scope, so nothing was coalesced."
    case (_, 1):
      if goes(merged[0], from: old, to: new) { return }
      let reported = "\(merged[0].kindText) \(merged[0].values)"
      head = "\(name) was to go from \(shown(old)) to \(shown(new)), but was notified as \(reported)."
    default:
      head =
        "The changes of \(name) were delivered \(merged.count) times instead of once: they were not made in one scope."
    }
    fail(
      each.isEmpty ? head : "\(head) The changes, as they were made:\n\(each.table(last: 10))", at: self.merged.location
    )
  }

  /// Returns whether a record goes from one value to another.
  ///
  /// A record of elements does not have the old value of the path, which was read before.
  private func goes(_ change: KVChange, from old: Any?, to new: Any?) -> Bool {
    Equality.areSame(change.kind == .setting ? change.old : merged.valueBefore(path), old)
      && Equality.areSame(change.wholeNew, new)
  }
}
