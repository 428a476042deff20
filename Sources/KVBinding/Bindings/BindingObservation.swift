import KVCore

/// The observation of an endpoint, which notifies the binding.
class BindingObservation: Observation, @unchecked Sendable {  // guard: immutable but for `hasBegun`, set once
  final let core: BindingCore
  final let side: BindingSide
  @exclusivity(unchecked) private var hasBegun = false

  init(_ path: KVKeyPath, _ core: BindingCore, _ side: BindingSide, _ options: KVObservingOptions = []) {
    self.core = core
    self.side = side
    // The binding reads the values itself when it needs them, since those of a record can be stale (KVO.8).
    super.init(path, options, core.site)
  }

  override func deliver(_ notice: borrowing KVChangeNotice, _ phase: Phase) {
    core.endpointDidChange(side, nil, notice.kind == .setting ? nil : ToManyEdit(notice))
  }

  /// Notifies the binding directly of most changes.
  override func didChange(_ notice: borrowing KVChangeNotice) {
    guard isUnhindered, notice.kind == .setting else { return super.didChange(notice) }
    core.endpointDidChange(side, notice.reference, nil)
  }

  override func didBegin() { hasBegun = true }

  override func didEnd() {
    // If the observation could not begin, the binding decides whether it ends.
    if hasBegun { core.cancel() }
  }

  override var summary: String { "binding of \(core.summary)" }
}
