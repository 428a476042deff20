import KVBinding
import KVCore

/// A controller of an array: it filters and sorts its content, and has a selection (CTR).
///
/// ```swift
/// let list = KVArrayController { Song() }
/// try list.bindContent(to: "songs", of: library)
/// list.sortDescriptors = [.natural("title")]
/// list.filterPredicate = "year >= 2000"
/// let token = try list.observe("arrangedObjects") { page.patch($0.kind, at: $0.indexes) }
/// try label.bind("text", to: "selection.title", of: list)
/// ```
///
/// The elements are objects, records, dictionaries or values. ``arrangedObjects`` are those of the ``content`` that pass
/// ``filterPredicate``, in the order of ``sortDescriptors``; the selection consists of indexes of ``arrangedObjects``.
///
/// All public properties are keys, which can be observed and bound. `contentArray`, `contentSet` and `contentObject` are
/// other names of `content`. A write of any of them by key accepts an array, a set, a single element or nil (CTR.13).
///
/// One call, one assignment and one observed change of the model is one update: every handler reads the final state of
/// all keys (CTR.6). `arrangedObjects` notifies by index. If an update removes elements and inserts others, it notifies
/// of the removal first; meanwhile `arrangedObjects` and the selection have the state between both (CTR.11).
///
/// An element costs a reference, its place in the content and in the arrangement, and its sort keys (CTR.40).
open class KVArrayController<Element>: KVController {
  let model: ArrayModel<Element>
  /// The observed paths through arrays of the controller.
  let mappedKeys: MappedKeys<Element>
  /// The observations of the elements, while the controller rearranges automatically.
  var observers: ElementObservers?
  /// The observation that chooses the path of the binding of the content.
  var contentPathObservation: KVObservation?
  /// Whether all objects are selected when the content is set as a whole (CTR.15).
  var selectsAllOfContent = false
  private let makeObject: (() -> Element)?

  /// Creates a controller without content.
  ///
  /// - Parameter newObject: Creates an element for ``add()`` and ``insert()``, which throw without it (CTR.4).
  public init(_ newObject: (() -> Element)? = nil) {
    makeObject = newObject
    model = ArrayModel()
    mappedKeys = MappedKeys(model)
    super.init()
    model.host = self
    model.arrangement.onFailure = { [unowned self] error in reportFailure(error) }
  }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    // Closures: a key path of a generic class is made anew at each access.
    super.keyTable.extended(for: KVArrayController<Element>.self) { key in
      key("content", { $0.content }, set: { try $0.setKeyedContent($1) })
        .alias("contentArray", "contentSet", "contentObject").notifiesItself().converted(from: Element.self) { [$0] }
        .editedByMethod { list, edit throws(KVError) in try list.editContent(edit) }
      key("arrangedObjects") { $0.arrangedObjects }.notifiesItself()
      key("sortDescriptors", { $0.sortDescriptors }, set: { try $0.setDescriptors($1, isStrict: true) })
        .notifiesItself()
      key("filterPredicate", { $0.filterPredicate }, set: { try $0.setPredicate($1, isStrict: true) }).notifiesItself()
      key(
        "automaticallyRearrangesObjects", { $0.automaticallyRearrangesObjects },
        set: { $0.automaticallyRearrangesObjects = $1 }
      ).notifiesItself()
      key("selectionIndexes", { $0.selectionIndexes }, set: { $0.selectionIndexes = $1 }).notifiesItself()
      key("selectionIndex", { $0.selectionIndex }, set: { $0.selectionIndex = $1 }).notifiesItself()
      key("selectedObjects", { $0.selectedObjects }, set: { $0.selectedObjects = $1 }).notifiesItself()
      key("canSelectNext") { $0.canSelectNext }.notifiesItself()
      key("canSelectPrevious") { $0.canSelectPrevious }.notifiesItself()
      key("arrangementError") { $0.arrangementError }.notifiesItself()
      key("avoidsEmptySelection", { $0.avoidsEmptySelection }, set: { $0.avoidsEmptySelection = $1 }).notifiesItself()
      key("preservesSelection", { $0.preservesSelection }, set: { $0.preservesSelection = $1 }).notifiesItself()
      key("selectsInsertedObjects", { $0.selectsInsertedObjects }, set: { $0.selectsInsertedObjects = $1 })
        .notifiesItself()
      key(
        "clearsFilterPredicateOnInsertion", { $0.clearsFilterPredicateOnInsertion },
        set: { $0.clearsFilterPredicateOnInsertion = $1 }
      ).notifiesItself()
    }.hidingStorage()
  }

  /// Creates an element for ``add()`` and ``insert()``: by the closure given at init; an override may do otherwise.
  ///
  /// - Returns: The element.
  /// - Throws: ``KVError`` (`unsupported`) if there is no closure.
  open func newObject() throws -> Element { try newObject(by: makeObject, "KVArrayController") }

  /// Sets no content, no descriptors, or no selection for nil (CTR.13, CTR.17, CTR.25).
  ///
  /// - Throws: ``KVError``: the error of a commit, as any write of `content` or `sortDescriptors` by key; nothing has
  ///   changed then (EDT.4).
  open override func setNilValue(forKey key: String) throws(KVError) {
    switch key {
    case "content", "contentArray", "contentSet", "contentObject": try setKeyedContent([])
    case "sortDescriptors": try setDescriptors([], isStrict: true)
    case "selectionIndexes": selectionIndexes = []
    case "selectedObjects": selectedObjects = []
    default: try super.setNilValue(forKey: key)
    }
  }

  /// The key paths that are observed on each element for automatic rearrangement: by default those that the descriptors
  /// and the filter read (CTR.18).
  open var automaticRearrangementKeyPaths: Set<KVKeyPath> { model.arrangement.keyPaths }

  // MARK: For subclasses

  /// Returns the content index of each object that is added, after the insertion (CTR.20).
  func contentIndexes(adding objects: [Element]) throws(KVError) -> [Int] {
    Array(model.content.count..<(model.content.count + objects.count))
  }

  /// Returns the content index of each object that is inserted at an arranged index (CTR.21).
  func contentIndexes(inserting objects: [Element], at arranged: [Int]) throws(KVError) -> [Int] {
    try model.arrangement.contentIndexes(insertingAt: arranged)
  }

  // MARK: Updates

  /// Makes an edit of the model as one update, which the observed paths through arrays join.
  func make<Failure: Error>(_ edit: () throws(Failure) -> KeyUpdate?) throws(Failure) {
    try perform { () throws(Failure) -> KeyUpdate? in joined(try edit()) }
  }

  /// Returns an update which the observed paths through arrays have joined; several edits are joined at their end.
  func joined(_ update: KeyUpdate?) -> KeyUpdate? {
    guard !isUpdating, var update else { return update }
    mappedKeys.join(&update)
    return update
  }

  override func completed(_ update: KeyUpdate?) -> KeyUpdate? { model.changeOfError(update) }

  override func snapshot() -> Any { model.snapshot }

  override func restore(_ snapshot: Any) {
    if let snapshot = snapshot as? ArraySnapshot<Element> { model.present(snapshot) }
  }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    guard let before = snapshot as? ArraySnapshot<Element> else { return KeyUpdate(changes: changes) {} }
    return model.combined(changes, since: before) { update, changed in
      mappedKeys.join(&update, changed: changed, since: before.state.version)
    }
  }

  func reportFailure(_ error: KVError) {
    KVDiagnostics.report(.error, .faultyValue, "arrangedObjects", self, nil) { "\(error)" }
  }

  // MARK: Overridden

  override func isObserved(_ key: InternedKey) -> Bool { super.isObserved(key) || mappedKeys.lead(through: key) }

  override var hasSelection: Bool { !model.presentedSelection.isEmpty }

  override var selectedItems: [Any] {
    let (arranged, indexes) = (arrangedObjects, selectionIndexes)
    var items: [Any] = []
    items.reserveCapacity(indexes.count)
    for index in indexes { items.append(arranged[index]) }
    return items
  }

  override var selectedStableIndexes: [StableIndex?] { model.stableIndexesOfSelection }

  override func items(at stableIndexes: [StableIndex?]) -> [Any] {
    model.contentIndexes(of: stableIndexes).compactMap { $0.map { model.arrangement.contentElement(at: $0) } }
  }

  /// Replaces values in the content by changed ones, which stay selected where they stay arranged (CTR.28).
  override func replace(_ previous: [Any], at stableIndexes: [StableIndex?], by items: [Any]) throws(KVError) {
    let objects = items.compactMap { $0 as? Element }
    if objects.count != items.count { return }
    try make { () throws(KVError) in
      let indexes = model.contentIndexes(of: stableIndexes)
      if indexes.allSatisfy({ $0 == nil }) { throw goneValue }
      return model.replacement(at: indexes, with: objects, keepsSelected: true)
    }
  }

  override var elementType: Any.Type { Element.self }

  override func contentBindingDidEnd() {
    contentPathObservation?.cancel()
    contentPathObservation = nil
    super.contentBindingDidEnd()
  }
}

extension KVController: ArrayModelHost {}
