import KVBinding
import KVCore

/// The content of an array controller, its arrangement, its selection and its options (CTR).
///
/// ```swift
/// let model = ArrayModel<Song>()
/// let update = model.insertion(of: [song], at: [0])   // computes everything, and changes nothing that observers see
/// ```
///
/// It has no keys, observers, bindings or editors. Each edit is a function that returns a `KeyUpdate`: what notifies of
/// the edit, and how the next state is made. The controller lets observers see that state (``KVController/perform(_:)``).
/// An update of several edits is one as well; see ``combined(_:since:)``.
final class ArrayModel<Element> {
  typealias Keys = KVController.Keys

  let arrangement = ArrangedContent<Element>()
  var content: [Element] = []
  /// The state after all changes.
  var state = ArrayState()
  /// The state that observers see instead: that before an update, or in the middle of one.
  var presented: ArraySnapshot<Element>?
  /// The combined changes of the edits of the present update.
  var summary = UpdateSummary()
  /// Called with the elements that an edit by index adds to the content and removes from it; nil if nobody observes them.
  var didEdit: ((_ added: [Element], _ removed: [Element]) -> Void)?
  /// The controller; nil if there is none, so that all keys are observed.
  unowned var host: (any ArrayModelHost)?

  // MARK: What observers see

  var presentedState: ArrayState { presented?.state ?? state }
  var presentedContent: [Element] { presented?.content ?? content }
  var presentedSelection: ArraySelection { presented?.state.selection ?? state.selection }
  var presentedElements: [Element] { presented?.arranged ?? arrangement.elements }
  /// The selected elements, in arranged order.
  var presentedSelectedElements: [Element] { presentedElements[at: presentedSelection.indexes] }

  /// The state after all changes, also while observers see another one.
  var snapshot: ArraySnapshot<Element> { ArraySnapshot(state, content, arranged: arrangement.elements) }

  func present(_ snapshot: ArraySnapshot<Element>) {
    presented = snapshot.state.version == state.version ? nil : snapshot
  }

  // MARK: The controller

  var isUpdating: Bool { host?.isUpdating ?? false }
  func isObserved(_ key: InternedKey) -> Bool { host?.isObserved(key) ?? true }

  // MARK: Options

  /// Returns the update that sets an option, which arranges and selects nothing.
  func setting(_ key: InternedKey, _ change: @escaping (inout ArrayState) -> Void) -> KeyUpdate {
    KeyUpdate(changes: [KeyChange(key)]) { [self] in
      change(&state)
      state.version += 1
    }
  }

  /// Returns the change to the error that the arrangement has now; nil if observers see it already.
  ///
  /// A change by index has its errors before it is applied.
  func changeOfError(_ update: KeyUpdate?) -> KeyUpdate? {
    let error = arrangement.error
    if Self.isSame(state.arrangementError, error) { return update }
    var update = update ?? KeyUpdate {}
    if isObserved(Keys.arrangementError) { update.changes.append(KeyChange(Keys.arrangementError)) }
    let apply = update.apply
    update.apply = { [self] in
      state.arrangementError = error
      state.version += 1
      apply()
    }
    return update
  }

  // MARK: Comparing

  /// Returns whether two errors say the same.
  static func isSame(_ left: KVError?, _ right: KVError?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return left.description == right.description
  }

  static func isSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && left.indices.allSatisfy { isSame(left[$0], right[$0]) }
  }

  /// Returns whether objects are identical, or values equal (CO.7).
  private static func isSame(_ left: Element, _ right: Element) -> Bool {
    if let id = ArrangedContent<Element>.identity(of: left) { return id == ArrangedContent.identity(of: right) }
    return Equality.areEqual(left, right)
  }
}

/// The controller of an ``ArrayModel``.
protocol ArrayModelHost: AnyObject {
  /// Whether several edits are one update, which notifies at its end (CTR.6).
  var isUpdating: Bool { get }
  /// Whether objects can be added (CTR.5).
  var canAdd: Bool { get }
  /// Whether a binding of the content makes the edit: the model that the content is bound to has made it before.
  var isSetByModel: Bool { get }
  /// Returns whether somebody may be notified of a change of a key.
  func isObserved(_ key: InternedKey) -> Bool
}
