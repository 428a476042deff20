import KVBinding
import KVCore

/// The base class of controllers: objects between models and a user interface, without any user interface (CTR).
///
/// A controller has a content, a selection and editors. Its complete state is keys that can be read, observed and bound.
/// `KVObjectController` has one object as its content, `KVArrayController` an array. A controller retains its content
/// only. It belongs to the isolation domain of its models, as a model does.
///
/// One call, one assignment and one observed change of the model is one *update*: the controller first computes
/// everything, and then notifies of all keys that differ (CTR.6).
///
/// ## Subclasses in this module
///
/// A subclass keeps what its keys show in a state that it replaces as a whole or in parts, and changes it in
/// `perform(_:)` only:
///
/// ```swift
/// var selectionIndex: Int? {
///   get { state.selectionIndex }
///   set {
///     perform {
///       KeyUpdate(changes: [KeyChange(Keys.selectionIndex)]) { self.state.selectionIndex = newValue }
///     }
///   }
/// }
/// ```
///
/// The closure of `perform` computes, and changes nothing. It is called when no other update of the controller is
/// half delivered: an update whose `prior` records are being delivered is completed first. It returns the keys that
/// change, and a closure that changes the state. The latter is called once, between the `prior` records and the others,
/// or at once if nobody observes the keys. The getters of the keys show the former state until then.
///
/// A subclass that can be changed in `update(_:)` overrides `snapshot()`, `restore(_:)` and
/// `combined(_:since:)`.
open class KVController: KVObject, Plumbing, Updating {
  /// The delivery of the last update, until all `prior` records and first changes are delivered.
  private var delivery: UpdateDelivery?
  /// Whether observers of the selection were notified of the state between two records.
  private var hasNotifiedBetween = false
  /// Whether edits are being committed or discarded.
  final var isEndingEdits = false
  /// The controller whose selection the receiver edits, while it is an editor of that.
  final weak var editedController: KVController?
  /// The number of calls of ``update(_:)`` that run.
  private var depth = 0
  /// The state before the outermost call of ``update(_:)``, and the changes since then.
  private var before: (state: State, own: Any, abilities: Abilities)?
  private var recorded: [KeyChange] = []
  /// The keys that bindings have set meanwhile.
  private var keysOfBindings: Set<InternedKey> = []
  /// The number of updates that are computed inside of each other: getters that a computation calls make them.
  private var computing = 0
  /// Whether they are made without end, and none is computed until the outermost one is.
  private var isEndless = false
  /// Changes of elements collected during `update(_:)`.
  private var changeOfElements: ChangeOfElements?

  /// The state of the keys that all controllers have.
  private var state = State()
  /// The selection as one object, whose keys are those of the selected objects (CTR.32).
  ///
  /// It is the same object for the lifetime of the controller.
  public final var selection: KVSelection { ownSelection }
  private lazy var ownSelection = KVSelection(of: self)
  /// The binding of the content that `bindContent` has made.
  final var contentBinding: KVPathBinding?
  /// The key paths of elements that ``checkKeys(of:)`` has checked.
  final var checkedPaths: Set<KVKeyPath> = []

  /// The keys that all controllers have.
  open override class var keyTable: KVTable {
    super.keyTable.extended(for: KVController.self) { key in
      key("selection", \.selection).notifiesItself()
      key("isEditable", \.isEditable).notifiesItself()
      key("isEditing", \.isEditing).notifiesItself()
      key("canAdd", \.canAdd).notifiesItself()
      key("canInsert", \.canInsert).notifiesItself()
      key("canRemove", \.canRemove).notifiesItself()
      key("alwaysUsesMultipleValuesMarker", \.alwaysUsesMultipleValuesMarker).notifiesItself()
    }.hidingStorage()
  }

  /// Creates a controller without content.
  public override init() { super.init() }

  // MARK: Updates

  /// Whether ``update(_:)`` runs, so that nothing is delivered before it ends.
  final var isUpdating: Bool { depth > 0 }

  /// Whether an update is half delivered: a handler of a `prior` record, or of the first of two, runs (CTR.7).
  final var isHalfDelivered: Bool { depth == 0 && delivery?.isComplete == false }

  /// Delivers the rest of an update that is half delivered.
  final func completeDelivery() { if depth == 0 { delivery?.run() } }

  /// Calls a function when the changes of the half-delivered update are made.
  final func afterChanges(_ function: @escaping () -> Void) { delivery?.didApply.append(function) }

  /// Combines all changes of the controller in a closure into one update, also if the closure throws (CTR.6).
  ///
  /// ```swift
  /// songs.update {
  ///   songs.sortDescriptors = [.natural("title")]
  ///   songs.filterPredicate = wanted
  /// }
  /// ```
  ///
  /// - Parameter body: A closure that changes the controller. Calls nest; the outermost one ends the update.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure. Its changes are delivered nevertheless.
  public final func update<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if depth == 0 {
      delivery?.run()
      before = (state, snapshot(), abilities)
      changeOfElements = ChangeOfElements(of: self) { [unowned self] in showingPreviousState($0) }
    }
    depth += 1
    defer {
      depth -= 1
      if depth == 0 { endUpdate() }
    }
    return try body()
  }

  /// Delivers what a closure of ``update(_:)`` has changed: the getters show the former state once more before that.
  private func endUpdate() {
    let elements = changeOfElements.flatMap { $0.end() ? $0 : nil }
    let (changes, bound) = (recorded, keysOfBindings)
    (recorded, keysOfBindings) = ([], [])
    changeOfElements = nil
    guard let before else { return }
    self.before = nil
    if changes.isEmpty, elements == nil { return }
    let after = (state: state, own: snapshot())
    var update = combined(changes, since: before.own)
    let same = after.state.keys(equalTo: before.state) + before.abilities.keys(equalTo: abilities)
    update.changes.removeAll { same.contains($0.key) }
    // A binding whose edit is taken back has another value than the other endpoint.
    for key in bound
    where changes.contains(where: { $0.key == key }) && !update.changes.contains(where: { $0.key == key }) {
      update.changes.append(KeyChange(key))
    }
    if update.changes.isEmpty, elements == nil { return }
    state = before.state
    restore(before.own)
    let apply = update.apply
    update.apply = { [unowned self] in
      state = after.state
      restore(after.own)
      apply()
    }
    deliver(update, joining: elements)
  }

  /// Calls a function while the getters show the state before ``update(_:)``.
  private func showingPreviousState(_ body: () -> Void) {
    guard let before else { return body() }
    let now = (state: state, own: snapshot())
    state = before.state
    restore(before.own)
    defer {
      state = now.state
      restore(now.own)
    }
    body()
  }

  /// Lets a key of the selection join the update that runs.
  final func joinUpdate(_ key: InternedKey, of selection: KVSelection) { changeOfElements?.join(key, of: selection) }

  /// Makes one update (CTR.6): computes it, changes the state, and notifies.
  ///
  /// Within ``update(_:)`` the state is changed at once, and the changes are delivered at its end.
  ///
  /// - Parameter compute: Returns the changes of keys and how to make them, and changes nothing; nil for no update.
  /// - Throws: The error of the closure. Nothing has changed then.
  final func perform<Failure: Error>(_ compute: () throws(Failure) -> KeyUpdate?) throws(Failure) {
    // A handler of a `prior` record changes the controller after the update that the record announces.
    if depth == 0 { delivery?.run() }
    guard beginComputing() else { return }
    let update: KeyUpdate?
    do throws(Failure) { update = try compute() } catch {
      computing -= 1
      throw error
    }
    computing -= 1
    guard depth > 0 else {
      if let update = completed(update) { deliver(update) }
      return
    }
    if let update { make(update) }
    if let update = completed(nil) { make(update) }
  }

  /// Begins to compute an update; false if getters that the computations call change the controller without end.
  private func beginComputing() -> Bool {
    if computing == 0 {
      (computing, isEndless) = (1, false)
      return true
    }
    if !isEndless, computing < 100, DeliveryStack.isLeft {
      computing += 1
      return true
    }
    if isEndless { return false }
    isEndless = true
    KVDiagnostics.report(.error, .endlessChange, nil, self) {
      let error = KVError(
        .doesNotSettle,
        """
        a getter of an element changes \(type(of: self)) each time that it is read to arrange the elements; the last of \
        these changes is not made. Let the getter only return a value.
        """, rootType: "\(type(of: self))")
      return "\(error)"
    }
    return false
  }

  /// Makes the changes of an update, of which the end of ``update(_:)`` notifies.
  private func make(_ update: KeyUpdate) {
    if !update.first.isEmpty { update.applyFirst() }
    update.apply()
    recorded += update.first + update.changes
    if let key = keyOfBinding { keysOfBindings.insert(key) }
  }

  /// The key that a binding sets now; nil if none does, or if the edits of the content are compared.
  private var keyOfBinding: InternedKey? {
    guard let name = BindingCore.endpointBeingSet(of: self)?.endpoint.path.first.observedName else { return nil }
    let key = (try? TypeInfo.of(self).accessor(name))?.key
    return key == Keys.content ? nil : key
  }

  private func deliver(_ update: KeyUpdate, joining elements: ChangeOfElements? = nil) {
    guard let delivery = UpdateDelivery(update, of: self, joining: elements) else {
      if !update.first.isEmpty { update.applyFirst() }
      return update.apply()
    }
    self.delivery = delivery
    delivery.run()
    if self.delivery === delivery { self.delivery = nil }
    guard hasNotifiedBetween, !isHalfDelivered else { return }
    hasNotifiedBetween = false
    deliver(KeyUpdate(changes: [KeyChange(Keys.selectedObjects), KeyChange(Keys.selection)]) {})
  }

  /// Records that observers of the selection are notified of the state between two records, which is not that of the end
  /// of the update (CTR.11): they are notified again.
  final func selectionWillNotify() { if isHalfDelivered { hasNotifiedBetween = true } }

  // MARK: Keys

  /// Whether objects can be added and removed (CTR.5); true by default.
  public final var isEditable: Bool {
    get { state.isEditable }
    set {
      perform {
        var next = state
        next.isEditable = newValue
        let changes = abilities.changes(to: next.abilities(hasSelection: hasSelection))
        return KeyUpdate(changes: [KeyChange(Keys.isEditable)] + changes) { self.state.isEditable = newValue }
      }
    }
  }

  /// Whether a path through the selection of several objects always yields ``KVSelectionMarker/multipleValues``, so that
  /// no value is read (CTR.33); false by default.
  public final var alwaysUsesMultipleValuesMarker: Bool {
    get { state.alwaysUsesMultipleValuesMarker }
    set {
      perform {
        KeyUpdate(changes: [KeyChange(Keys.alwaysUsesMultipleValuesMarker)]) {
          self.state.alwaysUsesMultipleValuesMarker = newValue
        }
      }
    }
  }

  /// Whether objects can be added (CTR.5).
  public final var canAdd: Bool { state.canAdd }
  /// Whether objects can be inserted (CTR.5).
  public final var canInsert: Bool { state.canAdd }
  /// Whether selected objects can be removed (CTR.5).
  public final var canRemove: Bool { abilities.canRemove }
  /// Whether an edit has not been committed (EDT.1).
  public final var isEditing: Bool { state.editors.contains { $0.editor != nil } }

  /// The editors in the order of their registration, those included that have been deallocated.
  final var editors: [Editor] {
    get { state.editors }
    set { state.editors = newValue }
  }

  // MARK: For subclasses

  final var abilities: Abilities { state.abilities(hasSelection: hasSelection) }

  /// Returns what `canAdd`, `canInsert` and `canRemove` show if something is selected, or if nothing is.
  final func abilities(hasSelection: Bool) -> Abilities { state.abilities(hasSelection: hasSelection) }

  /// Whether the content is bound one-way, or through an operator (CTR.5).
  final var isContentReadOnly: Bool { state.isContentReadOnly }

  /// Lets no objects be inserted, whatever the content is; it is called by the initialiser.
  final func forbidInsertion() { state.allowsInsertion = false }

  /// Sets whether the content is bound one-way, or through an operator.
  final func setContentReadOnly(_ isReadOnly: Bool) {
    perform { () -> KeyUpdate? in
      var next = state
      next.isContentReadOnly = isReadOnly
      let changes = abilities.changes(to: next.abilities(hasSelection: hasSelection))
      return KeyUpdate(changes: changes) { self.state.isContentReadOnly = isReadOnly }
    }
    // The content is bound to another source, or to none.
    reportEditing()
  }

  /// Called when the binding of the content has ended, and no other one has replaced it.
  func contentBindingDidEnd() { setContentReadOnly(false) }

  /// The reason why nothing can be removed, for messages.
  var absence: String { "nothing is selected" }

  /// Whether somebody may be notified of a change of a key, or ``update(_:)`` runs.
  func isObserved(_ key: InternedKey) -> Bool {
    isUpdating || mayNotify(of: key)
  }

  /// Whether something is selected.
  var hasSelection: Bool { !selectedItems.isEmpty }

  /// The selected objects and values, in their order.
  var selectedItems: [Any] { [] }

  /// The stable indexes of the selected values in the content: these stay when others are inserted or removed.
  ///
  /// It is nil for a value that leaves the content with the update that is being delivered. There are none if the content
  /// is the only place.
  var selectedStableIndexes: [StableIndex?] { [] }

  /// Returns the values at stable indexes, without those that have left the content.
  func items(at stableIndexes: [StableIndex?]) -> [Any] { [] }

  /// Replaces values, of which some are changed copies, in the content; edits are not committed before.
  ///
  /// - Parameters:
  ///   - previous: The values that were selected.
  ///   - stableIndexes: The stable indexes that they had.
  ///   - items: The values that replace them.
  /// - Throws: ``KVError`` (`unresolvedPath`) if all of them have left the content.
  func replace(_ previous: [Any], at stableIndexes: [StableIndex?], by items: [Any]) throws(KVError) {}

  /// The type of the selected objects and values.
  var elementType: Any.Type { Any.self }

  /// Returns an update with what follows from the changes that were computed; nil for nothing.
  ///
  /// Within ``update(_:)`` it is called after the changes are made, with nil.
  func completed(_ update: KeyUpdate?) -> KeyUpdate? { update }

  /// Returns the state that ``update(_:)`` can change; copies of arrays share their elements.
  func snapshot() -> Any { () }

  /// Shows a former state again, or the present one, while ``update(_:)`` ends; notifies nobody.
  func restore(_ snapshot: Any) {}

  /// Returns the update that stands for all changes in ``update(_:)``, each key once.
  ///
  /// The getters show the final state, which the returned update need not apply. An override leaves out keys whose
  /// values do not differ, and can let a key notify by index.
  ///
  /// - Parameters:
  ///   - changes: The changes in their order.
  ///   - snapshot: The state before them.
  /// - Returns: The update. Here a key that has changed several times notifies of one setting.
  func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    var combined: [KeyChange] = []
    for change in changes {
      if let index = combined.firstIndex(where: { $0.key == change.key }) {
        combined[index] = KeyChange(change.key)
      } else {
        combined.append(change)
      }
    }
    return KeyUpdate(changes: combined) {}
  }
}
