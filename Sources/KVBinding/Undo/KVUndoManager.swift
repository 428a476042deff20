import KVCore

/// Records the changes of models, and undoes and redoes them in steps (UND).
///
/// ```swift
/// let undo = KVUndoManager()
/// try undo.record(library)
/// try undo.recordElements(of: "songs", in: library)
/// library.title = "Jazz"
/// try undo.undo()
/// ```
///
/// It observes the keys, so that no edit registers its own reversal: what it records are the changes that observers are
/// notified of, in their order. A change and all that handlers and bindings change in response are one step.
///
/// The keys `undoName`, `redoName`, `undoMenuTitle`, `redoMenuTitle`, `canUndo`, `canRedo`, `undoCount`, `redoCount` and
/// `hasUnsavedChanges` can be observed and bound; each notifies if its value differs (UND.10).
///
/// It references objects weakly, and belongs to the isolation domain of its models, as a model does.
public final class KVUndoManager: KVObject {
  /// The number of steps that can be undone at most; 0, the default, for any number (UND.11).
  ///
  /// A lower number removes the oldest steps.
  public var levelsOfUndo = 0 {
    didSet { update { $0.trim(to: levelsOfUndo) } }
  }
  /// Makes the name of a step without a group's name; nil for none (UND.9).
  ///
  /// Replace it to name steps in another language.
  public var stepName: (Step) -> String? = { $0.name }

  /// The steps.
  private(set) var history = UndoHistory()
  /// The former state while observers are notified of the next one.
  private(set) var formerState: State?
  private var keys: [UndoKey.ID: WeakReference<UndoKey>] = [:]
  /// The keys that were recorded by name, by object.
  var recorded: [ObjectIdentifier: [UndoKey]] = [:]
  /// The step whose change, scope or group has not ended.
  private(set) var open: OpenStep?
  var replay: UndoReplay?
  /// The numbers of calls of ``withoutRecording(_:)`` and ``group(_:_:)`` that run.
  var pauses = 0
  var groups = 0
  private var hasDead = false
  private let executor: (any KVExecutor)?
  private var merging: (interval: Duration, now: () -> Duration)?
  /// The key and the time of the setting that was recorded last.
  private var lastSetting: (key: UndoKey, time: Duration)?

  /// The keys of the manager, all of them read-only.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVUndoManager.self) { key in
      key("undoName", \.undoName).notifiesManually()
      key("redoName", \.redoName).notifiesManually()
      key("undoMenuTitle", \.undoMenuTitle).notifiesManually()
      key("redoMenuTitle", \.redoMenuTitle).notifiesManually()
      key("canUndo", \.canUndo).notifiesManually()
      key("canRedo", \.canRedo).notifiesManually()
      key("undoCount", \.undoCount).notifiesManually()
      key("redoCount", \.redoCount).notifiesManually()
      key("hasUnsavedChanges", \.hasUnsavedChanges).notifiesManually()
    }
  }

  /// Creates a manager that records nothing yet.
  public override init() {
    executor = nil
    super.init()
    ChangeBoundary.addInterest()
  }

  /// Creates a manager for models that change on one executor.
  ///
  /// - Parameter executor: The executor. A change elsewhere is reported through ``KVDiagnostics`` and not recorded
  ///   (UND.14).
  public init(on executor: some KVExecutor) {
    self.executor = executor
    super.init()
    ChangeBoundary.addInterest()
  }

  deinit {
    ChangeBoundary.removeInterest()
    for key in keys.values { key.object?.cancel() }
  }

  // MARK: Recorded keys

  /// Returns the one key of an object and a name.
  func key(_ name: String, of object: some KVObservable) -> UndoKey {
    let id = UndoKey.ID(object: ObjectIdentifier(object), key: KVKey(name))
    if let key = keys[id]?.object { return key }
    let key = UndoKey(name, of: object, self)
    keys[id] = WeakReference(key)
    return key
  }

  /// Forgets a key that is being deallocated.
  func forget(_ key: UndoKey) {
    if keys[key.id]?.id == ObjectIdentifier(key) { keys[key.id] = nil }
  }

  func objectDidDeallocate(of key: UndoKey) {
    let ended = recorded.removeValue(forKey: key.id.object)
    withExtendedLifetime(ended) {}
    if !key.hasEdits { return }
    hasDead = true
    removeDead()
  }

  /// Removes the edits of deallocated objects, except while a step is undone.
  func removeDead() {
    if !hasDead || replay != nil { return }
    hasDead = false
    update { $0.removeDead() }
  }

  // MARK: Changes

  var isRecording: Bool { replay == nil && pauses == 0 }

  /// Called for each change of a recorded key, before any handler of the key.
  func didChange(_ key: UndoKey, _ notice: borrowing _KVChangeNotice) {
    if let executor, !executor.isCurrent { return reportThread(key, notice.object) }
    key.elements?.follow(notice, key)
    if let replay { return replay.didChange(key, notice) }
    guard pauses == 0, !isDeinitializing(notice.object), let change = UndoChange(notice, key) else { return }
    key.hasEdits = true
    append(.change(change))
  }

  /// Adds an edit to the step of the outermost change.
  @inline(__always)
  func append(_ edit: consuming UndoEdit) {
    let boundary = ChangeBoundary.current
    let isOutermost = boundary.depth == 0
    if isOutermost { _ = boundary.begun() }
    openStep(boundary).append(edit)
    if isOutermost { ChangeBoundary.end(boundary) }
  }

  private func reportThread(_ key: UndoKey, _ object: AnyObject) {
    KVDiagnostics.report(.error, .undo, key.path, object) {
      let error = KVError(
        .wrongThread,
        """
        a change of "\(key.path)" of \(type(of: object)) was made off the executor of its undo manager, and is not recorded. \
        Make it there.
        """, keyPath: key.path.description, rootType: "\(type(of: object))")
      return "\(error)"
    }
  }

  /// Returns the open step of an outermost change.
  func openStep(_ boundary: ChangeBoundary) -> OpenStep {
    if let open, open.boundary === boundary { return open }
    if let open = boundary.participant(of: self) as? OpenStep { return open }
    let step = OpenStep(self, boundary)
    boundary.add(step)
    open = step
    return step
  }

  /// Whether the changes of an outermost change that has not ended were recorded.
  var hasOpenEdits: Bool { open.map { $0.count > 0 } ?? false }

  /// Adds a step whose outermost change has ended.
  func finish(_ step: OpenStep) {
    if open === step { open = nil }
    let edits = step.takeEdits()
    guard !edits.isEmpty else { return }
    let setting = step.hasGroup ? nil : edits[0].change.flatMap { $0.kind == .setting ? $0.key : nil }
    let time = merging?.now()
    if let merging, let time, let setting, let lastSetting, lastSetting.key === setting,
      time - lastSetting.time <= merging.interval, history.undone.isEmpty
    {
      update {
        $0.merge(edits)
        return []
      }
    } else {
      update { $0.add(UndoStep(name: step.name, edits: edits), limit: levelsOfUndo) }
    }
    lastSetting = setting.flatMap { key in time.map { (key, $0) } }
  }

  /// Makes one step of successive settings of one key (UND.6).
  ///
  /// - Parameters:
  ///   - interval: The longest time from one setting to the next one; nil, as at first, for none.
  ///   - clock: The clock that measures it.
  public func mergesSettings(within interval: Duration?, clock: some Clock<Duration> = ContinuousClock()) {
    let start = clock.now
    merging = interval.map { ($0, { start.duration(to: clock.now) }) }
    lastSetting = nil
  }

  // MARK: State

  /// Changes the steps, and notifies the observers of the keys whose values differ; no setting is merged into an
  /// earlier one from then on.
  ///
  /// - Parameter change: Changes the steps, and returns those that it removes.
  func update(_ change: (inout UndoHistory) -> [UndoStep]) {
    lastSetting = nil
    let former = ObserverRegistrar.existing(of: self) == nil ? nil : state
    // Released at the end: that can run any code.
    let removed = change(&history)
    defer { withExtendedLifetime(removed) {} }
    guard let former else { return }
    let keys = state.keys(differingFrom: former)
    formerState = former
    for key in keys { willChangeValue(forKey: key) }
    formerState = nil
    for key in keys { didChangeValue(forKey: key) }
  }

  /// The state of the steps, as observers are notified of it.
  var state: State { formerState ?? State(history, name: stepName) }
}
