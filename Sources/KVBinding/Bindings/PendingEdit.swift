import KVCore

/// A change of a binding's target that has not been committed yet, with the objects that it belongs to (BND.13).
struct PendingEdit {
  /// The endpoint at the object that had the last key of the source's path; nil if a value before it was nil.
  private let source: BindingEndpoint?
  private let target: BindingEndpoint?

  init(_ core: BindingCore) {
    source = core.source.resolved
    target = core.target.resolved
  }

  /// Returns whether another object has the last key of one of the paths now.
  func isOffExecutor(_ core: BindingCore) -> Bool {
    !Self.areSame(source, core.source.resolved) || !Self.areSame(target, core.target.resolved)
  }

  private static func areSame(_ left: BindingEndpoint?, _ right: BindingEndpoint?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.isSame(as: right)
  }

  /// Returns a function that sets the edited value at the object for which it was typed.
  ///
  /// - Throws: ``KVError``: `unresolvedPath` if one of the two objects is gone; the errors of a reverse transformer.
  func commitment(_ core: BindingCore) throws(KVError) -> () throws(KVError) -> Void {
    guard let source, source.object != nil, let target,
      let outgoing = try core.outgoing(back: target.read(), isPresent: false)
    else {
      throw lost(core)
    }
    return { () throws(KVError) in
      try core.checkOwners((source as? OwnersEndpoint)?.count)
      do throws(KVError) { try self.set(outgoing.value, at: source, core) } catch {
        // The source takes no nil, so that the placeholder stands for itself (BND.10).
        guard error.code == .nilValue, outgoing.isNullPlaceholder else { throw error }
        try self.set(try core.transformed(core.options.nullPlaceholder, from: .target), at: source, core)
      }
    }
  }

  private func set(_ value: Any?, at source: BindingEndpoint, _ core: BindingCore) throws(KVError) {
    let fitted = try source.fitted(value)
    let value = core.options.validates ? try source.validated(fitted) : fitted
    if core.options.skipsEqual, try core.hasValue(source, value) { return }
    guard try source.set(value) else { throw lost(core) }
  }

  private func lost(_ core: BindingCore) -> KVError {
    KVError(
      .unresolvedPath,
      """
      the binding of \(core.summary) discarded a change of its target that was not committed: the object for which it \
      was made is gone. Commit before the path leads elsewhere, or keep the object until then.
      """, keyPath: core.source.path.description, rootType: core.source.typeName)
  }
}

extension BindingCore {
  /// Records that a change of the target waits for its commit.
  func recordEdit() {
    if hasEdit { return }
    let edit = PendingEdit(self)
    status.withLock { $0.edit = $0.edit ?? edit }
    reportEditing()
  }

  /// Removes and returns the pending edit if one of the paths leads to another object now; nil off the binding's
  /// executor, where the edit goes on waiting.
  func removeMovedEdit() -> PendingEdit? {
    guard let edit = status.withLock({ $0.edit }), edit.isOffExecutor(self) else { return nil }
    if case .only(let executor) = options.concurrency, !executor.isCurrent { return nil }
    // A transaction that is rolled back puts the path and the edited value back.
    if let target = target.object {
      WriteLog.logState("edit of binding \(number)", of: target) { [weak self] () throws(KVError) in
        self?.status.withLock { status in if status.state != .ended { status.edit = edit } }
        self?.reportEditing()
      }
    }
    return status.withLock { status in
      defer { (status.edit, status.limited) = (nil, nil) }
      return status.edit
    }
  }

  /// Commits an edit to the object for which it was made, and synchronizes the objects to which the paths lead now.
  ///
  /// - Parameter isThrown: Whether the caller throws the error, which is not reported then.
  /// - Returns: The error if it could not be committed. It is the error of the binding then, and the edit is discarded.
  @discardableResult
  func finish(_ edit: PendingEdit, isThrown: Bool = false) -> KVError? {
    defer { reportEditing() }
    trace { "an edit is committed to the object for which it was made" }
    var failure: KVError?
    do throws(KVError) {
      let commit = try edit.commitment(self)
      if let executor = options.concurrency.otherExecutor {
        let work = EditWork(self, commit)
        executor.enqueue { work.run() }
      } else {
        try commit()
      }
    } catch {
      failure = error
    }
    if options.direction == .toSource {
      if limiter != nil, options.trigger == .onChange { propagateLater(from: .target) } else { recordEdit() }
    } else {
      do throws(KVError) { try synchronizeTarget() } catch { fail(error) }
    }
    if let failure { fail(failure, isThrown: isThrown) }
    return failure
  }

  private func synchronizeTarget() throws(KVError) {
    if let executor = options.concurrency.otherExecutor { return try queue(.source, executor) }
    beginWave(.source) { propagate(from: .source, nil, nil) }
    status.withLock { $0.edit = nil }
  }
}

/// The commit of an edit that a binding enqueues on its executor.
private final class EditWork: @unchecked Sendable {  // guard: run once, by the executor
  private let core: BindingCore
  private let commit: () throws(KVError) -> Void

  init(_ core: BindingCore, _ commit: @escaping () throws(KVError) -> Void) {
    self.core = core
    self.commit = commit
  }

  func run() {
    do throws(KVError) { try commit() } catch { core.fail(error) }
  }
}
