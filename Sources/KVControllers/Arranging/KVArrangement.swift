import KVBinding
import KVCore
import KVQuery

/// The elements of a to-many key path that pass a predicate, in the order of descriptors, kept up to date (SRT.9, SRT.10).
///
/// ```swift
/// let recent = try KVArrangement<Song>(of: "songs", in: library, sortedBy: [.natural("title")], where: "year > 2020")
/// try section.observe("elements", of: recent)
/// ```
///
/// It observes the path, and on each element the key paths that the descriptors and the predicate read. Its key `elements`
/// can be observed and bound. It notifies by index: an element that is inserted, removed, shown, hidden or moved is one
/// removal, one insertion, or both. A setting of the source, or of ``descriptors``, is one setting.
///
/// An element that does not notify of a change keeps its index. The source is referenced weakly; after its death there are
/// no elements. An arrangement belongs to the isolation domain of its source.
public final class KVArrangement<Element>: KVObject, Plumbing {
  private let arranged: ArrangedSource<Element>

  /// The keys: `elements`, which is read-only, `descriptors` and `predicate`.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVArrangement<Element>.self, listedKeysOnly: true) { key in
      key("elements", { $0.elements }).notifiesManually()
      key("descriptors", { $0.descriptors }, set: { try $0.arrange(by: $1, where: $0.predicate) }).notifiesManually()
      key("predicate", { $0.predicate }, set: { try $0.arrange(by: $0.descriptors, where: $1) }).notifiesManually()
    }.hidingStorage()
  }

  /// Creates an arrangement, and arranges the present elements.
  ///
  /// - Parameters:
  ///   - path: The key path of an array or a set, whose members have an unspecified order.
  ///   - source: The object that the path begins at, which is referenced weakly.
  ///   - descriptors: The descriptors, the most important one first; none for the order of the source.
  ///   - predicate: The predicate that elements must pass, or nil for all.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe(_:options:handler:)` of the source; `typeMismatch` if the value is no
  ///   collection of such elements; the errors of `sorted(by:)` and `filter(_:)` for the first element that fails.
  /// - Complexity: *n* evaluations and O(*n* log *n*) comparisons; each sort key is read once (SRT.12).
  public init(
    of path: some KVKeyPathConvertible, in source: some KVObservable, sortedBy descriptors: [KVSortDescriptor] = [],
    where predicate: KVPredicate? = nil, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    arranged = ArrangedSource(try path.keyPath(), Site(file, line))
    super.init()
    arranged.makeNotifications = { [weak self] in self?.notifications(for: $0) ?? [] }
    try arranged.begin(at: source, descriptors, predicate)
  }

  /// Sets no descriptors for nil.
  ///
  /// - Parameter key: The key that is set to nil.
  /// - Throws: ``KVError``: that of a key that cannot be nil, or of the first element that fails.
  public override func setNilValue(forKey key: String) throws(KVError) {
    if key == "descriptors" { try arrange(by: [], where: predicate) } else { try super.setNilValue(forKey: key) }
  }

  // MARK: Reading

  /// The arranged elements.
  public var elements: [Element] { arranged.object == nil ? [] : arranged.content.elements }

  /// The source; nil after its death.
  public var source: (any KVObservable)? { arranged.object }

  /// The key path of the source.
  public var keyPath: KVKeyPath { arranged.path }

  /// The error of the first element that the predicate or a descriptor fails on, or why there are no elements; nil
  /// otherwise (SRT.9).
  ///
  /// A predicate hides such an element, a descriptor sorts it last. All errors are reported through ``KVDiagnostics``.
  public var arrangementError: KVError? { arranged.error }

  /// Returns the index in the source of an element (SRT.10).
  ///
  /// - Parameter index: An index of ``elements``.
  /// - Returns: The index; nil if there is no such element.
  /// - Complexity: O(log *n*).
  public func sourceIndex(of index: Int) -> Int? { arranged.content.sourceIndex(of: index) }

  /// Returns the index in ``elements`` of an element of the source (SRT.10).
  ///
  /// - Parameter index: An index in the source.
  /// - Returns: The index; nil if the predicate hides the element, or there is none.
  /// - Complexity: O(log *n*).
  public func index(ofSource index: Int) -> Int? { arranged.content.index(ofSource: index) }

  // MARK: Arranging

  /// The descriptors, the most important one first.
  ///
  /// Assigning them notifies of one setting of `elements`. An element that a descriptor fails on comes last, and is
  /// reported (SRT.9); ``arrange(by:where:)`` throws instead, as does writing by key.
  public var descriptors: [KVSortDescriptor] {
    get { arranged.descriptors }
    set { arranged.assign(newValue, predicate, of: self) }
  }

  /// The predicate that elements must pass; nil for all.
  ///
  /// Assigning it notifies of `elements` by index, or of one setting if no element stays. An element that the predicate
  /// fails on is hidden, and is reported (SRT.9); ``arrange(by:where:)`` throws instead, as does writing by key.
  public var predicate: KVPredicate? {
    get { arranged.predicate }
    set { arranged.assign(descriptors, newValue, of: self) }
  }

  /// Assigns descriptors and predicate.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors, the most important one first.
  ///   - predicate: The predicate, or nil for all elements.
  /// - Throws: ``KVError``: the errors of `sorted(by:)` and `filter(_:)` for the first element that fails, with its index;
  ///   `unsupported` in a handler that runs before a change of the arrangement. Nothing has changed then.
  /// - Complexity: *n* evaluations and O(*n* log *n*) comparisons; each sort key is read once (SRT.12).
  public func arrange(by descriptors: [KVSortDescriptor], where predicate: KVPredicate? = nil) throws(KVError) {
    try arranged.set(descriptors, predicate, of: self)
  }

  // MARK: Notifying

  private func notifications(for change: ArrangementChange<Element>) -> [() -> Void] {
    change.steps { [self] kind, indexes in
      arranged.notify(
        .elements, of: self, kind, at: indexes, from: kind == .insertion ? [] : shown(indexes),
        to: kind == .removal ? [] : shown(indexes)
      ) { arranged.content.apply(kind, of: change) }
    }
  }

  private func shown(_ indexes: [Int]?) -> [Element] {
    let elements = arranged.content.elements
    return indexes.map { elements[at: $0] } ?? elements
  }
}
