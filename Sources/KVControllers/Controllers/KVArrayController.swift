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
open class KVArrayController<Element>: KVController {
  /// The state that observers see.
  var current = ArrayState()
  var currentContent: [Element] = []
  /// The former or an intermediate state, while observers see that of an update with several changes.
  var shown: FormerArrays<Element>?
  let arrangement = ArrangedContent<Element>()
  /// The changes by index of the current call of `update(_:)`.
  var composite = Composite()
  /// The observations of the elements, while the controller rearranges automatically.
  var observers: ElementObservers?
  /// The observation that chooses the path of the binding of the content.
  var contentPathObservation: KVObservation?
  /// Whether all objects are selected when the content is set as a whole (CTR.15).
  var selectsAllOfContent = false
  /// The observed paths through arrays of the controller.
  var mappedKeys: [MappedKey.Reference] = []
  private let makeObject: (() -> Element)?

  /// Creates a controller without content.
  ///
  /// - Parameter newObject: Creates an element for ``add()`` and ``insert()``, which throw without it (CTR.4).
  public init(_ newObject: (() -> Element)? = nil) {
    makeObject = newObject
    super.init()
    arrangement.onFailure = { [unowned self] error in reportFailure(error) }
  }

  /// The keys of the controller.
  open override class var keyTable: KVTable {
    // Closures: a key path of a generic class is made anew at each access.
    super.keyTable.extended(for: KVArrayController<Element>.self) { key in
      key("content", { $0.content }, set: { try $0.setKeyedContent($1) })
        .alias("contentArray", "contentSet", "contentObject").notifiesItself().converted(from: Element.self) { [$0] }
        .editedByMethods(
          insert: { list, elements, indexes throws(KVError) in try list.insertInContent(elements, at: indexes) },
          remove: { list, indexes throws(KVError) in try list.removeFromContent(at: indexes) },
          replace: { list, indexes, elements throws(KVError) in try list.replaceInContent(at: indexes, with: elements) }
        )
      key("arrangedObjects") { $0.arrangedObjects }.notifiesItself()
      key("sortDescriptors", { $0.sortDescriptors }, set: { try $0.setKeyedDescriptors($1) }).notifiesItself()
      key("filterPredicate", { $0.filterPredicate }, set: { try $0.setKeyedPredicate($1) }).notifiesItself()
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
  open func newObject() throws -> Element {
    if let makeObject { return makeObject() }
    throw KVError(
      .unsupported,
      """
      \(type(of: self)) cannot create a \(Element.self): create the controller with a closure, as in \
      KVArrayController { \(Element.self)() }, or override newObject().
      """, rootType: "\(type(of: self))")
  }

  /// Sets no content, no descriptors, or no selection for nil (CTR.13, CTR.17, CTR.25).
  ///
  /// - Throws: ``KVError``: the error of a commit, as any write of `content` or `sortDescriptors` by key; nothing has
  ///   changed then (CTR.43).
  open override func setNilValue(forKey key: String) throws(KVError) {
    switch key {
    case "content", "contentArray", "contentSet", "contentObject": try setKeyedContent([])
    case "sortDescriptors": try setKeyedDescriptors([])
    case "selectionIndexes": selectionIndexes = []
    case "selectedObjects": selectedObjects = []
    default: try super.setNilValue(forKey: key)
    }
  }

  /// The key paths that are observed on each element for automatic rearrangement: by default those that the descriptors
  /// and the filter read (CTR.18).
  open var automaticRearrangementKeyPaths: Set<KVKeyPath> { arrangement.keyPaths }

  // MARK: For subclasses

  /// Returns the content index of each object that is added, after the insertion (CTR.20).
  func contentIndexes(adding objects: [Element]) throws(KVError) -> [Int] {
    Array(currentContent.count..<(currentContent.count + objects.count))
  }

  /// Returns the content index of each object that is inserted at an arranged index (CTR.21).
  func contentIndexes(inserting objects: [Element], at arranged: [Int]) throws(KVError) -> [Int] {
    try arrangement.contentIndexes(insertingAt: arranged)
  }

  // MARK: Overridden

  override func isObserved(_ key: KVKey) -> Bool {
    super.isObserved(key) || !mappedKeys.isEmpty && mappedKeys.contains { $0.key?.collection == key }
  }

  override var hasSelection: Bool { !visibleSelection.isEmpty }

  override var selectedItems: [Any] {
    let (arranged, indexes) = (arrangedObjects, visibleSelection.indexes)
    var items: [Any] = []
    items.reserveCapacity(indexes.count)
    for index in indexes { items.append(arranged[index]) }
    return items
  }

  override var selectedPlaces: [ElementPlace?] { placesOfSelection }

  override func items(at places: [ElementPlace?]) -> [Any] { elements(at: places) }

  override func replace(_ former: [Any], at places: [ElementPlace?], by items: [Any]) throws(KVError) {
    let changed = items.compactMap { $0 as? Element }
    if changed.count == items.count { try replaceElements(at: places, by: changed) }
  }

  override var elementType: Any.Type { Element.self }

  override func contentBindingDidEnd() {
    contentPathObservation?.cancel()
    contentPathObservation = nil
    super.contentBindingDidEnd()
  }

  override func completed(_ update: KeyUpdate?) -> KeyUpdate? { changeOfError(update) }

  override func snapshot() -> Any {
    FormerArrays(current, currentContent, arranged: arrangement.elements)
  }

  override func restore(_ snapshot: Any) {
    guard let snapshot = snapshot as? FormerArrays<Element> else { return }
    shown = snapshot.state.version == current.version ? nil : snapshot
  }

  override func combined(_ changes: [KeyChange], since snapshot: Any) -> KeyUpdate {
    guard let before = snapshot as? FormerArrays<Element> else { return KeyUpdate(changes: changes) {} }
    return combined(changes, since: before)
  }
}
