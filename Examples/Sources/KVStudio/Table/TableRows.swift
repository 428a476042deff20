import KVControllers

/// The rows of the table, which all windows show: the records, sorted and filtered, below a header for each group.
///
/// A `KVArrangement` or `KVGroups` keeps them up to date. They notify by index, and their indexes become indexes of rows.
@MainActor final class TableRows {
  typealias Group = KVGroups<KVRecord>.Group

  /// A change of the rows.
  enum Change: Equatable {
    case removal([Int]), insertion([Int]), replacement([Int])
    /// All rows.
    case setting
  }

  /// What has changed since the last call.
  struct Changes {
    var rows: [Change] = []
    /// The rows that are gone, or nil if all rows were set.
    var gone: [ObjectIdentifier]? = []
  }

  /// The most groups that are shown.
  static let groupLimit = 2000
  /// The most indexes that are sent one by one.
  static let indexLimit = 1000

  let model: TableModel
  private(set) var sort: [KVSortDescriptor] = []
  private(set) var predicate: KVPredicate?
  /// The column whose values make the groups; nil for none.
  private(set) var grouping: TableColumn?
  /// The number of the last change.
  private(set) var version = 0

  private var arrangement: KVArrangement<KVRecord>?
  private var groups: KVGroups<KVRecord>?
  private var observations: [KVObservation] = []
  private var groupObservations: [ObjectIdentifier: KVObservation] = [:]
  /// The groups that the rows are made of, as far as the changes have been noted.
  private var shownGroups: [(group: Group, count: Int)] = []
  /// The groups of which only the header is shown.
  private var collapsed: Set<ObjectIdentifier> = []
  /// The indexes of the headers.
  private var starts: [Int] = []
  private var changes: [Change] = []
  private var (removed, inserted): (Set<ObjectIdentifier>, Set<ObjectIdentifier>) = ([], [])

  init(_ model: TableModel) throws {
    self.model = model
    try arrange(by: [], where: nil, grouping: nil)
  }

  // MARK: Reading

  var count: Int { grouping == nil ? arrangement?.elements.count ?? 0 : (starts.last.map { $0 + 1 } ?? 0) + lastCount }
  /// The number of rows that are no headers.
  var recordCount: Int { grouping == nil ? count : shownGroups.reduce(0) { $0 + $1.group.elements.count } }
  private var lastCount: Int { shownGroups.last?.count ?? 0 }

  /// Returns the record or the group of a row; nil if there is no such row.
  func row(at index: Int) -> KVObject? {
    guard index >= 0, index < count else { return nil }
    guard grouping != nil else { return arrangement?.elements[index] }
    let group = group(containing: index)
    return index == starts[group]
      ? shownGroups[group].group : shownGroups[group].group.elements[index - starts[group] - 1]
  }

  /// Returns the index of a row.
  ///
  /// - Complexity: O(1) where it is expected, otherwise O(*n*).
  func index(of object: KVObject, expected: Int? = nil) -> Int? {
    if let expected, row(at: expected) === object { return expected }
    guard grouping != nil else { return arrangement?.elements.firstIndex { $0 === object } }
    for (index, shown) in shownGroups.enumerated() {
      if shown.group === object { return starts[index] }
      guard shown.count > 0, let place = shown.group.elements.firstIndex(where: { $0 === object }) else { continue }
      return starts[index] + 1 + place
    }
    return nil
  }

  /// Returns which of some rows are there.
  ///
  /// - Complexity: O(*n*).
  func present(among rows: [KVObject]) -> Set<ObjectIdentifier> {
    let wanted = Set(rows.map(ObjectIdentifier.init))
    var present = Set(shownGroups.map { ObjectIdentifier($0.group) }).intersection(wanted)
    let lists = grouping == nil ? [arrangement?.elements ?? []] : shownGroups.map(\.group.elements)
    for list in lists {
      for record in list where wanted.contains(ObjectIdentifier(record)) { present.insert(ObjectIdentifier(record)) }
    }
    return present
  }

  private func group(containing index: Int) -> Int {
    var (low, high) = (0, starts.count)
    while low < high {
      let middle = (low + high) / 2
      if starts[middle] <= index { low = middle + 1 } else { high = middle }
    }
    return low - 1
  }

  // MARK: Arranging

  /// Sorts, filters and groups.
  ///
  /// - Throws: `KVError` if values cannot be compared, or the predicate fails; a ``Refusal`` of too many groups. Nothing
  ///   has changed then.
  func arrange(by sort: [KVSortDescriptor], where predicate: KVPredicate?, grouping: TableColumn?) throws {
    if let arrangement, grouping == nil {
      try arrangement.arrange(by: sort, where: predicate)
    } else if let groups, let grouping, grouping.key == self.grouping?.key {
      try groups.arrange(by: sort, where: predicate)
      do { try Self.check(groups, grouping) } catch {
        try groups.arrange(by: self.sort, where: self.predicate)
        throw error
      }
    } else if let grouping {
      let new = try KVGroups<KVRecord>(
        of: "records", in: model, by: grouping.groupDescriptor, sortedBy: sort, where: predicate)
      try Self.check(new, grouping)
      collapsed = []
      observations = [try new.observe("groups") { [weak self] change in self?.noteGroups(change) }]
      (arrangement, groups) = (nil, new)
      setAll()
    } else {
      let new = try KVArrangement<KVRecord>(of: "records", in: model, sortedBy: sort, where: predicate)
      observations = [try new.observe("elements") { [weak self] change in self?.noteElements(change) }]
      (arrangement, groups) = (new, nil)
      setAll()
    }
    (self.sort, self.predicate, self.grouping) = (sort, predicate, grouping)
  }

  private static func check(_ groups: KVGroups<KVRecord>, _ grouping: TableColumn) throws(Refusal) {
    guard groups.groups.count > groupLimit else { return }
    throw Refusal(
      422, "\(grouping.title) has \(groups.groups.count) different values, and at most \(groupLimit) groups are shown.")
  }

  func isCollapsed(_ group: Group) -> Bool { collapsed.contains(ObjectIdentifier(group)) }

  /// Shows only the header of a group, or its rows as well.
  func collapse(_ group: Group, _ isCollapsed: Bool) {
    guard isCollapsed != self.isCollapsed(group), let place = shownGroups.firstIndex(where: { $0.group === group })
    else { return }
    let rows = group.elements.indices.map { $0 + starts[place] + 1 }
    if isCollapsed { collapsed.insert(ObjectIdentifier(group)) } else { collapsed.remove(ObjectIdentifier(group)) }
    shownGroups[place].count = isCollapsed ? 0 : rows.count
    countRows()
    add(isCollapsed ? .removal : .insertion, rows, old: nil, new: nil)
    add(.replacement, [starts[place]], old: nil, new: nil)
  }

  /// Returns the group of a record whose rows are not shown; nil if there is none.
  func collapsedGroup(of record: KVRecord) -> Group? {
    shownGroups.first { isCollapsed($0.group) && $0.group.elements.contains { $0 === record } }?.group
  }

  // MARK: Noting changes

  private func noteElements(_ change: KVChange, from start: Int = 0) {
    guard change.kind != .setting, let indexes = change.indexes else { return setAll() }
    add(change.kind, indexes.map { $0 + start }, old: change.old, new: change.new)
  }

  private func noteGroups(_ change: KVChange) {
    guard let groups, let indexes = change.indexes, changes != [.setting] else { return setAll() }
    switch change.kind {
    case .removal:
      let rows = indexes.flatMap { starts[$0]...(starts[$0] + shownGroups[$0].count) }
      for index in indexes.reversed() {
        groupObservations[ObjectIdentifier(shownGroups[index].group)] = nil
        collapsed.remove(ObjectIdentifier(shownGroups[index].group))
        shownGroups.remove(at: index)
      }
      add(.removal, rows, old: change.old, new: nil)
    case .insertion:
      for index in indexes {
        shownGroups.insert((groups.groups[index], groups.groups[index].elements.count), at: index)
      }
      countRows()
      observeGroups()
      add(.insertion, indexes.flatMap { starts[$0]...(starts[$0] + shownGroups[$0].count) }, old: nil, new: change.new)
      for index in indexes { inserted.formUnion(shownGroups[index].group.elements.map(ObjectIdentifier.init)) }
      return
    default: return setAll()
    }
    countRows()
  }

  private func noteElements(_ change: KVChange, of group: Group) {
    guard change.kind != .setting, changes != [.setting], let indexes = change.indexes,
      let place = shownGroups.firstIndex(where: { $0.group === group })
    else { return setAll() }
    if isCollapsed(group) {
      note(old: change.old, new: change.new)
    } else {
      noteElements(change, from: starts[place] + 1)
      guard change.kind != .replacement else { return }
      shownGroups[place].count += change.kind == .insertion ? indexes.count : -indexes.count
      countRows()
    }
    // The header shows the number of its rows.
    add(.replacement, [starts[place]], old: nil, new: nil)
  }

  private func add(_ kind: KVChangeKind, _ indexes: [Int], old: Any?, new: Any?) {
    guard changes != [.setting] else { return }
    switch kind {
    case .removal: changes.append(.removal(indexes))
    case .insertion: changes.append(.insertion(indexes))
    default: changes.append(.replacement(indexes))
    }
    note(old: old, new: new)
    if indexes.count > Self.indexLimit { setAll() }
  }

  private func note(old: Any?, new: Any?) {
    removed.formUnion((old as? [KVObject])?.map(ObjectIdentifier.init) ?? [])
    for object in new as? [KVObject] ?? [] { inserted.insert(ObjectIdentifier(object)) }
  }

  private func setAll() { changes = [.setting] }

  private func countRows() {
    var next = 0
    starts = shownGroups.map { shown in
      defer { next += shown.count + 1 }
      return next
    }
  }

  private func observeGroups() {
    for (group, _) in shownGroups where groupObservations[ObjectIdentifier(group)] == nil {
      groupObservations[ObjectIdentifier(group)] = try? group.observe("elements") { [weak self, unowned group] change in
        self?.noteElements(change, of: group)
      }
    }
  }

  /// Returns the changes since the last call; nil if there is none.
  func takeChanges() -> Changes? {
    guard !changes.isEmpty else { return nil }
    defer { (changes, removed, inserted) = ([], [], []) }
    version += 1
    guard changes == [.setting] else { return Changes(rows: changes, gone: Array(removed.subtracting(inserted))) }
    groupObservations = [:]
    shownGroups = groups?.groups.map { ($0, isCollapsed($0) ? 0 : $0.elements.count) } ?? []
    countRows()
    observeGroups()
    return Changes(rows: changes, gone: nil)
  }
}
