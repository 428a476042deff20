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
/// ``swift
/// var selectionIndex: Int? {
///   get { state.selectionIndex }
///   set {
///     perform {
///       KeyUpdate(changes: [KeyChange(Keys.selectionIndex)]) { self.state.selectionIndex = newValue }
///     }
///   }
/// }
/// ``
///
/// The closure of `perform` computes, and changes nothing. It is called when no other update of the controller is
/// half delivered: an update whose `prior` records are being delivered is completed first. It returns the keys that
/// change, and a closure that changes the state. The latter is called once, between the `prior` records and the others,
/// or at once if nobody observes the keys. The getters of the keys show the former state until then.
///
/// A subclass that can be changed in `update(_:)` overrides `snapshot()`, `restore(_:)` and
/// `combined(_:since:)`.
open class KVController: KVObject {
  /// The interned keys of a controller.
  enum Keys {
    static let isEditable = KVKey("isEditable")
    static let isEditing = KVKey("isEditing")
    static let content = KVKey("content")
    static let selectedObjects = KVKey("selectedObjects")
    static let selection = KVKey("selection")
    static let canAdd = KVKey("canAdd")
    static let canInsert = KVKey("canInsert")
    static let canRemove = KVKey("canRemove")
    static let alwaysUsesMultipleValuesMarker = KVKey("alwaysUsesMultipleValuesMarker")
  }

  /// The delivery of the last update, until all `prior` records and first changes are delivered.
  private var delivery: UpdateDelivery?
  /// The number of calls of ``update(_:)`` that run.
  private var depth = 0
  /// The state before the outermost call of ``update(_:)``, and the changes since then.
  private var before: Any?
  private var recorded: [KeyChange] = []

  /// Creates a controller without content.
  public override init() { super.init() }

  // MARK: Updates

  /// Whether ``update(_:)`` runs, so that nothing is delivered before it ends.
  final var isUpdating: Bool { depth > 0 }

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
  /// - Throws: The error of the closure. What it has changed is delivered nevertheless.
  public final func update<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if depth == 0 {
      delivery?.run()
      before = snapshot()
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
    let changes = recorded
    recorded = []
    guard let before else { return }
    self.before = nil
    if changes.isEmpty { return }
    let after = snapshot()
    var update = combined(changes, since: before)
    if update.changes.isEmpty { return }
    restore(before)
    let apply = update.apply
    update.apply = { [unowned self] in
      restore(after)
      apply()
    }
    deliver(update)
  }

  /// Makes one update (CTR.6): computes it, changes the state, and notifies.
  ///
  /// Within ``update(_:)`` the state is changed at once, and the changes are delivered at its end.
  ///
  /// - Parameter compute: Returns the changes of keys and how to make them, and changes nothing; nil for no update.
  /// - Throws: The error of the closure. Nothing has changed then.
  final func perform<Failure: Error>(_ compute: () throws(Failure) -> KeyUpdate?) throws(Failure) {
    // A handler of a `prior` record changes the controller after the update that the record announces.
    if depth == 0 { delivery?.run() }
    guard let update = try compute() else { return }
    guard depth > 0 else { return deliver(update) }
    if !update.first.isEmpty { update.applyFirst() }
    update.apply()
    recorded += update.first + update.changes
  }

  private func deliver(_ update: KeyUpdate) {
    guard let registrar = ObserverRegistrar.existing(of: self),
      let delivery = UpdateDelivery(update, of: self, registrar)
    else {
      if !update.first.isEmpty { update.applyFirst() }
      return update.apply()
    }
    self.delivery = delivery
    delivery.run()
    if self.delivery === delivery { self.delivery = nil }
  }

  // MARK: For subclasses

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
