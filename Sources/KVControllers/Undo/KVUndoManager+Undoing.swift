import KVBinding
import KVCore

extension KVUndoManager {
  /// Undoes the last step (UND.3).
  ///
  /// Observers and bindings are notified of each change. Afterwards each recorded key has its value from before the step,
  /// whatever handlers have done meanwhile (UND.5).
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: ``KVError``: `wrongThread` off the executor; `unsupported` in a group or transaction, in a change or scope that has recorded changes, and
  ///   while a step is undone; the error of a value that cannot be restored; `doesNotSettle` if handlers change the
  ///   values without end. All is then as before, and the step remains (UND.7).
  /// - Complexity: O(*n*) in the number of edits.
  @discardableResult
  public func undo() throws(KVError) -> Bool { try replayStep(isReverse: true) }

  /// Makes the step again that was undone last (UND.3).
  ///
  /// - Returns: Whether there was a step.
  /// - Throws: ``KVError``: the errors of ``undo()``.
  /// - Complexity: O(*n*) in the number of edits.
  @discardableResult
  public func redo() throws(KVError) -> Bool { try replayStep(isReverse: false) }

  /// Whether ``undo()`` makes changes now, of which handlers may want to know.
  public var isUndoing: Bool { !isOffExecutor && replaying == true }
  /// Whether ``redo()`` makes changes now, of which handlers may want to know.
  public var isRedoing: Bool { !isOffExecutor && replaying == false }

  /// Undoes or redoes steps until the recorded state is that of ``markSaved()``, or the first one (UND.11).
  ///
  /// The undone steps can be redone.
  ///
  /// - Returns: Whether the state is the saved one now; false, without any change, if no step leads there: load the
  ///   document then.
  /// - Throws: ``KVError``: the errors of ``undo()``. All is then as before.
  /// - Complexity: O(*n*) in the number of edits.
  @discardableResult
  public func revertToSaved() throws(KVError) -> Bool {
    try checkReplay("revertToSaved()", "reverted")
    guard let isReverse = history.isSavedBefore else { return !history.hasUnsavedChanges }
    var count = 0
    do throws(KVError) {
      while history.hasUnsavedChanges, try replayStep(isReverse: isReverse, trims: false) { count += 1 }
    } catch {
      for _ in 0..<count { _ = try replayStep(isReverse: !isReverse, trims: false) }
      throw error
    }
    update { $0.trim(to: levelsOfUndo) }
    return !history.hasUnsavedChanges
  }

  /// Throws if no step can be undone or redone now.
  private func checkReplay(_ call: String, _ verb: String) throws(KVError) {
    try checkExecutor(call)
    completeDelivery()
    removeDead()
    guard replay == nil, groups == 0, !hasOpenEdits, !WriteLog.isCurrent else {
      let change = "in a group, a transaction, or a change that is being recorded"
      let moment = replay == nil ? change : "while a step is undone or redone"
      throw KVError(.unsupported, "nothing can be \(verb) \(moment). Call \(call) after that.")
    }
  }

  /// Undoes or redoes a step.
  ///
  /// - Parameter trims: Whether the steps beyond ``levelsOfUndo`` are removed then; not while the step may be made again.
  private func replayStep(isReverse: Bool, trims: Bool = true) throws(KVError) -> Bool {
    try checkReplay(isReverse ? "undo()" : "redo()", isReverse ? "undone" : "redone")
    while let step = isReverse ? history.done.last : history.undone.last {
      guard step.isAlive else {
        update { $0.removeDead() }
        continue
      }
      defer { removeDead() }
      // Deferred handlers answer in here, not at the end of a scope in which the step is undone.
      try ChangeBoundary.changeLeavingScopes { () throws(KVError) in
        try replay(step, isReverse)
        update {
          $0.moveLast(isReverse: isReverse)
          return trims ? $0.trim(to: levelsOfUndo) : []
        }
      }
      return true
    }
    return false
  }

  /// Makes all edits of a step, or none.
  private func replay(_ step: UndoStep, _ isReverse: Bool) throws(KVError) {
    let replay = UndoReplay(isReverse: isReverse)
    let aggregateKeys = step.joinedKeys
    let selected = selections.map { ($0, $0.saved()) }
    (self.replay, replaying) = (replay, isReverse)
    let recordedAgain = recordAgain(step)
    defer {
      (self.replay, replaying) = (nil, nil)
      for key in recordedAgain { key.endUse() }
      let left = leftInReplay
      leftInReplay = []
      endRecording(left)
    }
    do throws(KVError) {
      try KVCoalescing.coalesce { () throws(KVError) in
        try replay.make(step.edits, aggregateKeys)
      }
      for change in step.selections { change.selection.restore(isReverse ? change.before : change.after) }
      // Handlers of deferred changes have answered as well.
      try replay.revertSideEffects()
    } catch {
      do throws(KVError) { try UndoReplay.restore(replay, aggregateKeys) { self.replay = $0 } } catch {
        KVDiagnostics.report(.error, .failedRollback, nil, self) { "a step could not be restored: \(error)" }
      }
      for (selection, saved) in selected { selection.restore(saved) }
      throw error
    }
  }

  /// Records the keys of a step that are not recorded, and returns them for the caller to end their uses.
  ///
  /// Handlers may change a removed element before it is a member again.
  private func recordAgain(_ step: UndoStep) -> [UndoKey] {
    var keys: [UndoKey] = []
    for index in step.edits.indices {
      guard let key = step.edits[index].key, !key.isRecorded else { continue }
      if let object = key.object as? any KVObservable, (try? key.use(object, .unknown)) != nil { keys.append(key) }
    }
    return keys
  }

  /// Makes one step of all changes in a body (UND.4).
  ///
  /// Groups nest, and the outermost one counts. Other managers make one step of the changes, too.
  ///
  /// There is no asynchronous form, since changes that other code makes between two turns of the body would belong to it.
  /// A body of `KVCoalescing.coalesce` is one step in asynchronous code, too; a group in it names the step.
  ///
  /// ```swift
  /// try undo.group("Import") { try importer.run(into: library) }
  /// ```
  ///
  /// - Parameters:
  ///   - name: The name of the step; nil for the one that ``stepName`` makes.
  ///   - body: A closure that makes changes. If it throws, they are a step, too.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public func group<Result, Failure: Error>(
    _ name: String? = nil, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if reportsOffExecutor("group") { return try body() }
    let boundary = ChangeBoundary.current
    return try boundary.change { () throws(Failure) in
      if isRecording { openStep(boundary).beginGroup(name) }
      groups += 1
      defer { groups -= 1 }
      return try body()
    }
  }

  /// Runs a body whose changes are not recorded, such as loading a document; calls nest (UND.8).
  ///
  /// - Parameter body: A closure that makes changes.
  /// - Returns: The result of the body.
  /// - Throws: The error of the body.
  public func withoutRecording<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if reportsOffExecutor("withoutRecording") { return try body() }
    pauses += 1
    defer { pauses -= 1 }
    return try body()
  }

  /// Adds an edit that is not a change of a key, in order with the changes (UND.13).
  ///
  /// ```swift
  /// canvas.rotate(by: 90)
  /// undo.register(canvas, undo: { $0.rotate(by: -90) }, redo: { $0.rotate(by: 90) })
  /// ```
  ///
  /// Without a group the edit is a step of its own, or belongs to the change in which it is registered.
  ///
  /// - Parameters:
  ///   - target: The object that the edit changes, which is referenced weakly.
  ///   - undo: Reverses the edit.
  ///   - redo: Makes the edit again.
  public func register<Target: AnyObject>(
    _ target: Target, undo: @escaping (Target) throws -> Void, redo: @escaping (Target) throws -> Void
  ) {
    guard !reportsOffExecutor("register"), isRecording else { return }
    func call(_ body: @escaping (Target) throws -> Void) -> (AnyObject) throws -> Void {
      { if let target = $0 as? Target { try body(target) } }
    }
    append(
      UndoEdit(
        UndoAction(target: WeakReference(target), undo: call(undo), redo: call(redo), watching: watch(target))))
  }

  /// Records that the models have been saved: ``hasUnsavedChanges`` is false until the recorded state is another one
  /// (UND.11).
  ///
  /// The changes of a scope or group count that have been made before.
  public func markSaved() {
    if reportsOffExecutor("markSaved()") { return }
    for step in openSteps where step.hasEdits { step.markSaved() }
    update {
      $0.markSaved()
      return []
    }
  }

  /// Removes all steps, as after loading a document; ``hasUnsavedChanges`` keeps its value (UND.11).
  public func removeAll() {
    if reportsOffExecutor("removeAll()") { return }
    let edits = openSteps.map { $0.removeEdits() }
    update { $0.removeAll() }
    withExtendedLifetime(edits) {}
  }
}
