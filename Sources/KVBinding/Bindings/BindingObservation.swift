import KVCore

/// Tells a binding of the changes of one of its ends: one more style of observation.
final class BindingObservation: Observation, @unchecked Sendable {  // guard: immutable
  let core: BindingCore
  let side: BindingSide

  init(_ path: KVKeyPath, _ core: BindingCore, _ side: BindingSide) {
    self.core = core
    self.side = side
    // The binding reads the values itself, when it needs them: what a record carries may be out of date (KVO.8).
    super.init(path, [], core.site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    core.hear(side, nil, notice.kind == .setting ? nil : ToManyEdit(notice))
  }

  /// The short way of most deliveries.
  override func did(_ notice: borrowing KVChangeNotice) {
    guard isUnhindered, notice.kind == .setting else { return super.did(notice) }
    core.hear(side, notice.reference, nil)
  }

  override func didEnd() { core.end() }

  override var summary: String { "binding of \(core.summary)" }
}

/// What was inserted, removed or replaced, as it was told.
final class ToManyEdit {
  let kind: KVChange.Kind
  /// Nil for sets.
  let indexes: [Int]?
  let old: [Any]
  let new: [Any]

  init(_ notice: borrowing KVChangeNotice) {
    kind = notice.kind
    indexes = notice.indexes
    old = Elements.list(notice.oldValue)
    new = Elements.list(notice.newValue)
  }
}
