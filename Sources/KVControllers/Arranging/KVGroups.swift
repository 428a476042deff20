import KVBinding
import KVCore
import KVQuery

/// The elements of a to-many key path in groups of equal values, kept up to date (SRT.11).
///
/// ```swift
/// let shelves = try KVGroups<Song>(of: "songs", in: library, by: "artist.name", sortedBy: [.natural("title")])
/// for group in shelves.groups { print(group.key ?? "unknown", group.elements.count) }
/// ```
///
/// The groups are sorted by the value. Their keys can be observed and bound: `groups`, and `elements` of each group. Both
/// notify by index. An element whose value changes moves to another group. A group without elements is removed, and a
/// group that comes again is a new object.
///
/// The path and the elements are observed as those of a ``KVArrangement``. The source is referenced weakly; after its death
/// there are no groups.
public final class KVGroups<Element>: KVObject, Plumbing {
  let arranged: ArrangedSource<Element>
  var present: [Group] = []
  /// The numbers of elements of the groups, after the step that is being made.
  var counts: [Int] = []

  /// The keys: `groups`, which is read-only, `descriptors` and `predicate`.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVGroups<Element>.self, listedKeysOnly: true) { key in
      key("groups", { $0.groups }).notifiesManually()
      key("descriptors", { $0.descriptors }, set: { try $0.arrange(by: $1, where: $0.predicate) }).notifiesManually()
      key("predicate", { $0.predicate }, set: { try $0.arrange(by: $0.descriptors, where: $1) }).notifiesManually()
    }.hidingStorage()
  }

  /// Creates groups of the present elements.
  ///
  /// - Parameters:
  ///   - path: The key path of an array or a set.
  ///   - source: The object that the path begins at, which is referenced weakly.
  ///   - grouping: The key path of the elements whose equal values make a group, as the descriptor that sorts the groups.
  ///   - descriptors: The descriptors of the elements of a group; none for the order of the source.
  ///   - predicate: The predicate that elements must pass, or nil for all.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: as ``KVArrangement/init(of:in:sortedBy:where:file:line:)``.
  /// - Complexity: As there.
  public init(
    of path: some KVKeyPathConvertible, in source: some KVObservable, by grouping: KVSortDescriptor,
    sortedBy descriptors: [KVSortDescriptor] = [], where predicate: KVPredicate? = nil, file: StaticString = #fileID,
    line: UInt = #line
  ) throws(KVError) {
    arranged = ArrangedSource(try path.keyPath(), Site(file, line), by: grouping)
    super.init()
    arranged.makeNotifications = { [weak self] in self?.notifications(for: $0) ?? [] }
    try arranged.begin(at: source, descriptors, predicate)
    present = arrangedGroups().map { Group($0.key, $0.elements) }
    counts = present.map(\.elements.count)
  }

  /// Sets no descriptors for nil.
  ///
  /// - Parameter key: The key that is set to nil.
  /// - Throws: ``KVError``: that of a key that cannot be nil, or of the first element that fails.
  public override func setNilValue(forKey key: String) throws(KVError) {
    if key == "descriptors" { try arrange(by: [], where: predicate) } else { try super.setNilValue(forKey: key) }
  }

  // MARK: Reading

  /// The groups.
  public var groups: [Group] { arranged.object == nil ? [] : present }

  /// The source; nil after its death.
  public var source: (any KVObservable)? { arranged.object }

  /// The key path of the source.
  public var keyPath: KVKeyPath { arranged.path }

  /// The error of the first element that the predicate or a descriptor fails on, or why there are no elements; nil
  /// otherwise (SRT.9).
  ///
  /// The elements whose group cannot be found are the last group, with the key nil.
  public var arrangementError: KVError? { arranged.error }

  // MARK: Arranging

  /// The descriptors of the elements of a group; see ``KVArrangement/descriptors``.
  public var descriptors: [KVSortDescriptor] {
    get { arranged.descriptors }
    set { arranged.assign(newValue, predicate, of: self) }
  }

  /// The predicate that elements must pass, or nil for all; see ``KVArrangement/predicate``.
  public var predicate: KVPredicate? {
    get { arranged.predicate }
    set { arranged.assign(descriptors, newValue, of: self) }
  }

  /// Assigns descriptors and predicate; see ``KVArrangement/arrange(by:where:)``.
  ///
  /// - Parameters:
  ///   - descriptors: The descriptors of the elements of a group, the most important one first.
  ///   - predicate: The predicate, or nil for all elements.
  /// - Throws: ``KVError``: as there.
  public func arrange(by descriptors: [KVSortDescriptor], where predicate: KVPredicate? = nil) throws(KVError) {
    try arranged.set(descriptors, predicate, of: self)
  }
}
