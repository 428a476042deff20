import KVBinding
import KVCore
import Synchronization

/// Records the changes of models, and undoes and redoes them in steps (UND).
///
/// ```swift
/// let undo = KVUndoManager()
/// try undo.record(tree: library, relationships: ["albums", "songs"])
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
public final class KVUndoManager: KVObject, KVUndoRecording, Plumbing {
  /// The number of steps that can be undone at most; 0, the default, for any number (UND.11).
  ///
  /// A lower number removes the oldest steps.
  public var levelsOfUndo: Int {
    get { limit }
    set {
      if reportsOffExecutor("the setter of levelsOfUndo") { return }
      if newValue < 0 {
        KVDiagnostics.report(.warning, .undo, nil, self) {
          "levelsOfUndo cannot be \(newValue), and is 0 now: any number of steps can be undone."
        }
      }
      let count = max(0, newValue)
      limit = count
      update { $0.trim(to: count) }
    }
  }
  private var limit = 0

  /// Makes the name of a step without a group's name; nil for none (UND.9).
  ///
  /// Replace it to name steps in another language.
  ///
  /// Observers of the names are notified if it makes others.
  public var stepName: (Step) -> String? {
    get { makeName }
    set {
      if reportsOffExecutor("the setter of stepName") { return }
      completeDelivery()
      let previous = makeName
      makeName = newValue
      publish()
      notify(from: State(history, name: previous))
    }
  }
  private var makeName: (Step) -> String? = { $0.name }

  /// The steps.
  private(set) var history = UndoHistory()
  /// The former state while observers are notified of the next one.
  private(set) var previousState: State?
  /// The delivery of the last update of the keys, until its `prior` notifications are delivered.
  private var delivery: UpdateDelivery?
  private var keys: [UndoKey.ID: WeakReference<UndoKey>] = [:]
  /// The trees that the recording methods record, by their objects.
  var trees: [ObjectIdentifier: [UndoTree]] = [:]
  /// The types whose keys without names were recorded.
  var typesReported: Set<ObjectIdentifier> = []
  /// The steps whose changes, scopes or groups have not ended, the latest one last: each task has scopes of its own.
  var open: [WeakReference<OpenStep>] = []
  var replay: UndoReplay?
  /// The objects that have left their places in a tree while a step is undone.
  var leftInReplay: [UndoNode] = []
  /// Whether ``undo()`` rather than ``redo()`` is under way; nil if none is.
  var replaying: Bool?
  /// The numbers of calls of ``withoutRecording(_:)`` and ``group(_:_:)`` that run.
  var pauses = 0
  var groups = 0
  /// Whether keys of deallocated objects wait in ``dead``, or ``hasDeadEdits`` is set.
  let hasDead = Atomic<Bool>(false)
  /// Whether an object of edits was deallocated whose keys are not recorded.
  let hasDeadEdits = Atomic<Bool>(false)
  let dead = Locked<[UndoKey]>([])
  let executor: (any KVExecutor)?
  /// Whether there is an executor; each change asks.
  let hasExecutor: Bool
  /// The state that code reads which does not run on the executor.
  let published = Locked<State?>(nil)
  /// The selections that are saved with each step.
  var selections: [UndoSelection] = []
  var merging: (interval: Duration, now: () -> Duration)?
  /// The key, the time and the step of the setting that was recorded last, if other settings may be merged into it.
  var lastSetting: (key: UndoKey, time: Duration, step: Int)?

  /// The keys of the manager, all of them read-only.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVUndoManager.self, listedKeysOnly: true) { key in
      key("undoName", \.undoName).notifiesItself()
      key("redoName", \.redoName).notifiesItself()
      key("undoMenuTitle", \.undoMenuTitle).notifiesItself()
      key("redoMenuTitle", \.redoMenuTitle).notifiesItself()
      key("canUndo", \.canUndo).notifiesItself()
      key("canRedo", \.canRedo).notifiesItself()
      key("undoCount", \.undoCount).notifiesItself()
      key("redoCount", \.redoCount).notifiesItself()
      key("hasUnsavedChanges", \.hasUnsavedChanges).notifiesItself()
    }.hidingStorage()
  }

  /// Creates a manager that records nothing yet.
  public override init() {
    (executor, hasExecutor) = (nil, false)
    super.init()
    ChangeBoundary.retainTracking()
  }

  /// Creates a manager for models that change on one executor.
  ///
  /// Its methods are called on the executor, too: elsewhere they throw `wrongThread`, or report it and do nothing. Its
  /// keys can be read anywhere.
  ///
  /// - Parameter executor: The executor. A change elsewhere is reported through ``KVDiagnostics`` and not recorded
  ///   (UND.14).
  public init(on executor: some KVExecutor) {
    (self.executor, hasExecutor) = (executor, true)
    super.init()
    ChangeBoundary.retainTracking()
  }

  deinit {
    ChangeBoundary.releaseTracking()
    for tree in trees.values.joined() { tree.cancel() }
    for key in keys.values { key.object?.cancel() }
    for key in dead.exchange([]) { key.cancel() }
  }

  // MARK: Recorded keys

  /// Returns the one key of an object and a name.
  func key(_ name: String, of object: any KVObservable) -> UndoKey {
    let id = UndoKey.ID(object: ObjectIdentifier(object), key: InternedKey(name))
    // The identity may be that of a dead object, whose key is forgotten soon. `keys[id]?.object` would copy a weak
    // reference that does not exist, and crash (Swift 6.3.1).
    if let index = keys.index(forKey: id), let key = keys.values[index].object, key.object === object { return key }
    let key = UndoKey(name, of: object, self)
    keys[id] = WeakReference(key)
    return key
  }

  /// Returns whether the changes of a key are recorded.
  func isRecorded(_ id: UndoKey.ID) -> Bool {
    guard let index = keys.index(forKey: id), let key = keys.values[index].object else { return false }
    return key.isRecorded && key.object != nil
  }

  /// Forgets a key that is being deallocated.
  func forget(_ key: UndoKey) {
    guard let index = keys.index(forKey: key.id), keys.values[index].id == ObjectIdentifier(key) else { return }
    keys.remove(at: index)
  }

  // MARK: State

  /// Changes the steps, and notifies the observers of the keys whose values differ; no setting is merged into an
  /// earlier one from then on.
  ///
  /// - Parameters:
  ///   - setting: The setting that the change records as the last step, if others may be merged into it.
  ///   - change: Changes the steps, and returns those that it removes.
  func update(setting: (key: UndoKey, time: Duration)? = nil, _ change: (inout UndoHistory) -> [UndoStep]) {
    completeDelivery()
    let previous = hasObservers ? State(history, name: stepName) : nil
    // Released at the end: that can run any code.
    let removed = change(&history)
    defer { withExtendedLifetime(removed) {} }
    publish()
    // Before the observers, which may change the steps.
    lastSetting = setting.flatMap { setting in history.lastStepID.map { (setting.key, setting.time, $0) } }
    if let previous { notify(from: previous) }
  }

  /// Notifies of all keys that differ, as one update: what depends on several of them is notified once (UND.10).
  private func notify(from previous: State) {
    if !hasObservers { return }
    let changes = State(history, name: stepName).keys(differingFrom: previous).map { KeyChange(InternedKey($0)) }
    if changes.isEmpty { return }
    previousState = previous
    let update = KeyUpdate(changes: changes) { [unowned self] in previousState = nil }
    guard let delivery = UpdateDelivery(update, of: self) else {
      previousState = nil
      return
    }
    self.delivery = delivery
    delivery.run()
    if self.delivery === delivery { self.delivery = nil }
  }

  /// Delivers the rest of an update, of which a handler of a `prior` notification uses the manager.
  func completeDelivery() { delivery?.run() }

  /// The state of the steps, as observers are notified of it.
  var state: State {
    if let elsewhere = stateOffExecutor { return elsewhere }
    if let previousState { return previousState }
    removeDead()
    return State(history, name: stepName)
  }
}
