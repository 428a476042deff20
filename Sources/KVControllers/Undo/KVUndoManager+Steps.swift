import KVBinding
import KVCore

extension KVUndoManager {
  var isRecording: Bool { replay == nil && pauses == 0 }

  /// Called for each change of a recorded key, before any handler of the key.
  func didChange(_ key: UndoKey, _ notice: borrowing _KVChangeNotice) {
    if isOffExecutor { return reportThread(key.path, notice.object) }
    if hasDead.load(ordering: .relaxed) {
      removeDead()
      // It may have been recorded as the key of an object to which a dead one led.
      if !key.isRecorded { return }
    }
    if key.isFollowed { for relation in key.relations { relation.follow(notice) } }
    if let replay { return replay.didChange(key, notice) }
    let isPaused = pauses > 0
    guard !isPaused || WriteLog.isCurrent, !isDeinitializing(notice.object), key.isChanged(by: notice) else { return }
    // If the transaction fails, it makes the reverse of the change, which is not to be recorded either.
    if isPaused { return openStep(ChangeBoundary.current).appendUnrecorded(UndoEdit(notice, key)) }
    key.hasEdits = true
    append(UndoEdit(notice, key))
  }

  /// Adds an edit to the step of the outermost change.
  @inline(__always)
  func append(_ edit: consuming UndoEdit) {
    let boundary = ChangeBoundary.current
    let isOutermost = boundary.depth == 0
    if isOutermost { _ = boundary.begun() }
    openStep(boundary).append(edit)
    if isOutermost { boundary.end() }
  }

  func reportThread(_ path: KVKeyPath, _ object: AnyObject) {
    KVDiagnostics.report(.error, .undo, path, object) {
      let error = KVError(
        .wrongThread,
        """
        a change of "\(path)" of \(type(of: object)) was made off the executor of its undo manager, and is not recorded. \
        Make it there.
        """, keyPath: path.description, rootType: "\(type(of: object))")
      return "\(error)"
    }
  }

  /// Ends the recording of an object that has left its place in a tree, at the end of the step in which it has.
  func endWithStep(_ node: UndoNode) {
    let boundary = ChangeBoundary.current
    if replay != nil {
      leftInReplay.append(node)
    } else if boundary.depth > 0 {
      openStep(boundary).didRemove(node)
    } else {
      // A manual change that is a step without the answers of handlers.
      endRecording([node])
    }
  }

  /// Ends the recording of those of some objects to which nothing in their trees leads any more.
  func endRecording(_ left: [UndoNode]) {
    if left.isEmpty { return }
    for nodes in Dictionary(grouping: left, by: { ObjectIdentifier($0.tree) }).values {
      nodes[0].tree.removeUnreachable(among: nodes)
    }
  }

  // MARK: Open steps

  /// Returns the open step of an outermost change.
  func openStep(_ boundary: ChangeBoundary) -> OpenStep {
    if let step = boundary.participant(of: self) as? OpenStep { return step }
    // A boundary that ends has given its participants away.
    if let last = open.last?.object, last.boundary === boundary { return last }
    let step = OpenStep(self, boundary)
    boundary.add(step)
    open.append(WeakReference(step))
    return step
  }

  /// The steps whose outermost changes have not ended.
  var openSteps: [OpenStep] { open.compactMap(\.object) }

  /// Whether the changes of an outermost change that has not ended were recorded.
  var hasOpenEdits: Bool { !open.isEmpty && openSteps.contains(where: \.hasEdits) }

  /// Adds a step whose outermost change has ended.
  func finish(_ step: OpenStep) {
    completeDelivery()
    removeDead()
    open.removeAll { $0.id == ObjectIdentifier(step) || $0.object == nil }
    // Before observers of the steps, whose changes belong to other steps.
    endRecording(step.takeLeft())
    let isSaved = step.isSaved
    var edits = step.removeAllEdits()
    let all = edits
    defer { withExtendedLifetime(all) {} }
    if step.mayHaveDead { edits.removeAll { !$0.isAlive } }
    guard !edits.isEmpty else {
      if isSaved == false { update { $0.marked(isSaved) } }
      return
    }
    let selections = selectionChanges(of: step)
    let setting = step.hasGroup || step.isScope ? nil : setting(of: edits)
    if let merging, let setting, let lastSetting, lastSetting.key === setting.key,
      lastSetting.step == history.lastStepID, setting.time - lastSetting.time <= merging.interval,
      history.undone.isEmpty
    {
      update(setting: setting) {
        $0.merge(edits, selections, step.aggregateKeys)
        return []
      }
    } else {
      update(setting: isSaved == nil ? setting : nil) {
        let made = UndoStep(name: step.name, edits: edits, selections: selections, aggregateKeys: step.aggregateKeys)
        let removed = $0.add(made, limit: levelsOfUndo)
        return removed + $0.marked(isSaved)
      }
    }
  }

  /// Called when the selection of a controller changes that is saved with each step.
  func selectionDidChange(_ selection: UndoSelection, from old: [Any]) {
    let boundary = ChangeBoundary.current
    guard !isOffExecutor, replay == nil, boundary.depth > 0 else { return }
    openStep(boundary).note(selection, old)
  }

  /// Returns what was selected before a step that ends, and what is selected now.
  private func selectionChanges(of step: OpenStep) -> [UndoSelection.Change] {
    if selections.isEmpty { return [] }
    selections.removeAll { $0.isDead }
    return selections.map { selection in
      let after = selection.saved()
      return UndoSelection.Change(selection: selection, before: step.selection(of: selection) ?? after, after: after)
    }
  }

  /// Returns the key that edits set first, and the time, if settings are merged, and all edits are changes.
  private func setting(of edits: ContiguousArray<UndoEdit>) -> (key: UndoKey, time: Duration)? {
    guard let merging, let key = edits[0].key, edits[0].kind == .setting, edits.allSatisfy({ $0.key != nil })
    else { return nil }
    return (key, merging.now())
  }

  /// Makes one step of successive settings of one key (UND.6).
  ///
  /// The settings of a scope, a transaction or a group are not merged.
  ///
  /// - Parameters:
  ///   - interval: The longest time from one setting to the next one; nil, as at first, for none.
  ///   - clock: The clock that measures it.
  public func mergesSettings(within interval: Duration?, clock: some Clock<Duration> = ContinuousClock()) {
    if reportsOffExecutor("mergesSettings") { return }
    let start = clock.now
    merging = interval.map { ($0, { start.duration(to: clock.now) }) }
    lastSetting = nil
  }

  // MARK: Deallocated objects

  /// Called on the thread on which the object of a recorded key is deallocated.
  ///
  /// The manager may be in use on another one: the key is removed at the next use, or on the manager's executor.
  func objectDidDeallocate(of key: UndoKey) {
    dead.withLock { $0.append(key) }
    removeDeadLater()
  }

  /// Lets the edits of an object be removed when it is deallocated, though its keys are not recorded.
  ///
  /// - Returns: The token, which has to be cancelled; nil if the class of the object notifies nobody of its deallocation.
  func watch(_ object: AnyObject) -> KVObservation? {
    let manager = WeakReference(self)
    return (object as? KVObject)?.onDeinit { manager.object?.editedObjectDidDeallocate() }
  }

  /// Called on the thread on which the object is deallocated.
  private func editedObjectDidDeallocate() {
    hasDeadEdits.store(true, ordering: .sequentiallyConsistent)
    removeDeadLater()
  }

  private func removeDeadLater() {
    let isFirst = !hasDead.exchange(true, ordering: .acquiringAndReleasing)
    guard let executor else { return }
    if executor.isCurrent { return removeDead() }
    if !isFirst { return }
    let manager = WeakReference(self)
    executor.enqueue { manager.object?.removeDead() }
  }

  /// Ends the recording of deallocated objects, and removes their edits, except while a step is undone.
  func removeDead() {
    guard replay == nil, hasDead.load(ordering: .relaxed) else { return }
    hasDead.store(false, ordering: .sequentiallyConsistent)
    let keys = dead.exchange([])
    let hasDeadEdits = hasDeadEdits.exchange(false, ordering: .sequentiallyConsistent)
    for key in keys {
      // The identity may be that of a new object already.
      for tree in trees[key.id.object] ?? [] where tree.rootObject == nil { remove(tree, of: key.id.object) }
      for relation in key.relations { relation.node.tree.removeDead(relation.node) }
      key.cancel()
    }
    guard hasDeadEdits || keys.contains(where: \.hasEdits) else { return }
    for step in openSteps { step.mayHaveDead = true }
    update { $0.removeDead() }
  }
}

extension UndoHistory {
  /// Marks the last state as saved, or none; nil for no mark.
  ///
  /// - Returns: No steps, as none is removed.
  fileprivate mutating func marked(_ isSaved: Bool?) -> [UndoStep] {
    if let isSaved { markSaved(isSaved) }
    return []
  }
}
