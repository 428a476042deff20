import GRDB
import KVControllers

/// The rows of a table of SQLite as models: the content of an array controller, both ways.
///
/// ```swift
/// let songs = try TableRows(of: "song", in: database, undo: undo) { Song() }
/// let list = KVArrayController { Song() }
/// try list.bindContent(to: "rows", of: songs)
/// ```
///
/// A column is a key of the model of the same name. There is one object for each primary key, as long as the row exists.
///
/// - A change of a key, by a field, in Swift or by undo, is written at once. An object that is inserted into or removed from `rows` is
///   inserted into the table or deleted.
/// - A change of the database, through the same `DatabaseQueue` or `DatabasePool`, changes the keys that differ. New rows come last:
///   sort by the controller. After a change through another connection, call ``reload()``.
/// - An edit or an insertion that the database refuses stays in the model. It is one of ``unsaved``, and is written with the next
///   change of its object, or by ``save(_:)``; ``revert(_:)`` gives it up. A removal that is refused is taken back. In all cases the
///   error is ``lastError``, and `onError` is called.
/// - If a column is changed in the database while the object has an unsaved edit of it, the edit stays, and is written next.
///
/// The undo manager records keys and registers insertions and removals by object. What comes from the database is no step.
///
/// Objects and rows belong to the main actor. Rows are read and written on its thread, all of them after each change: for tables of
/// some thousand rows. Change no object inside of `database.write { }`.
@KVModel(.listedKeysOnly) public final class TableRows<Element: KVObject>: KVObject {
  /// The objects, which an array controller edits.
  public var rows: [Element] = []
  /// The error of the latest write, or of reading changes; nil after a write without an error.
  public private(set) var lastError: KVError?

  /// What the database has of an object in `rows`.
  private struct Member {
    /// nil before it is inserted.
    var id: DatabaseValue?
    /// The values as the database has them, and as the model had them at that time: a setter may change a value.
    var (stored, known): (TableStorage.Values, TableStorage.Values)
  }

  /// The observation of an object, which lasts longer than its row.
  private struct Watch {
    weak var element: Element?
    var id: DatabaseValue?
    let token: KVObservation
  }

  /// Is called with each error, and the object of the row.
  @KVIgnored public var onError: (KVError, Element?) -> Void = { _, _ in }
  @KVIgnored private let storage: TableStorage
  @KVIgnored private let makeElement: () -> Element
  @KVIgnored private let undo: KVUndoManager?
  @KVIgnored private var members: [ObjectIdentifier: Member] = [:]
  @KVIgnored private var watches: [ObjectIdentifier: Watch] = [:]
  /// The elements of `rows` that the table has been told of.
  @KVIgnored private var present: [Element] = []
  /// Whether `rows` is changed to what the table has.
  @KVIgnored private var isMerging = false
  /// The key that is being set to what the table has.
  @KVIgnored private var settingKey: (element: ObjectIdentifier, key: String)?
  @KVIgnored private var observations: (rows: KVObservation?, database: AnyDatabaseCancellable?)

  /// Reads the rows, and begins to follow the table.
  ///
  /// - Parameters:
  ///   - table: The table. Its primary key is one column. If the database chooses it, the key is optional.
  ///   - database: The database.
  ///   - undo: What records the edits.
  ///   - makeElement: Creates a model.
  /// - Throws: `KVError` if the table and the model do not fit, or if a row cannot be read.
  @MainActor public init(
    of table: String, in database: any DatabaseWriter, undo: KVUndoManager? = nil,
    _ makeElement: @escaping () -> Element
  ) throws(KVError) {
    storage = try TableStorage(table, in: database, keys: KVC.keys(of: makeElement()))
    self.makeElement = makeElement
    self.undo = undo
    super.init()
    try reload()
    observations.rows = try observe("rows", options: []) { [weak self] _ in self?.rowsDidChange() }
    // What is fetched at the time of a change may be older than an edit when it arrives. It is a signal to read again.
    observations.database = ValueObservation.tracking(region: Table(table)) { _ in }.start(
      in: database, scheduling: .mainActor,
      onError: { [weak self] error in self?.report(KVError(.custom, "\(table) is not followed any more: \(error)")) },
      onChange: { [weak self] in
        guard let self else { return }
        do throws(KVError) { try self.reload() } catch { self.report(error) }
      })
  }

  // MARK: Saving

  /// The objects with changes that the database has refused, or not been told of.
  public var unsaved: [Element] { rows.filter(hasChanges) }

  /// Writes what an object has and the database has not.
  ///
  /// - Parameter element: An object of `rows`.
  /// - Throws: `KVError` of the database, or because the row does not exist any more. The object keeps its values.
  public func save(_ element: Element) throws(KVError) {
    let changes = try changes(of: element)
    guard !changes.isEmpty else { return }
    if let id = members[ObjectIdentifier(element)]?.id {
      try storage.update(id, changes)
      members[ObjectIdentifier(element)]?.stored.merge(changes) { $1 }
      members[ObjectIdentifier(element)]?.known.merge(changes) { $1 }
    } else {
      try insert([element])
    }
  }

  /// Gives up the unsaved changes of an object: it gets the values of the database, or leaves `rows` if it was never inserted.
  ///
  /// - Parameter element: An object of `rows`.
  /// - Throws: `KVError` of a setter.
  public func revert(_ element: Element) throws(KVError) {
    guard let member = members[ObjectIdentifier(element)] else { return }
    if member.id == nil { return try remove([element]) }
    for (key, value) in try storage.decoded(member.stored, unlike: storage.values(of: element)) {
      try set(value, key, of: element)
    }
    clearError()
  }

  /// The columns whose values differ from the database.
  private func changes(of element: Element) throws(KVError) -> TableStorage.Values {
    let values = try storage.values(of: element)
    guard let member = members[ObjectIdentifier(element)] else {
      throw storage.gone(watches[ObjectIdentifier(element)]?.id, storage.columnNames)
    }
    guard member.id != nil else { return values }
    return values.filter { $0.key != storage.primaryKey && member.known[$0.key] != $0.value }
  }

  private func hasChanges(_ element: Element) -> Bool { (try? changes(of: element))?.isEmpty == false }

  private func insert(_ elements: [Element]) throws(KVError) {
    var rows: [TableStorage.Values] = []
    for element in elements { rows.append(try storage.values(of: element)) }
    let ids = try storage.insert(rows)
    for (element, (var values, id)) in zip(elements, zip(rows, ids)) {
      values[storage.primaryKey] = id
      members[ObjectIdentifier(element)] = Member(id: id, stored: values, known: values)
      watches[ObjectIdentifier(element)]?.id = id
      for (key, value) in try storage.decoded([storage.primaryKey: id], unlike: [:]) {
        try element.setValue(value, forKey: key)
      }
    }
  }

  private func report(_ error: KVError, _ element: Element? = nil) {
    lastError = error
    onError(error, element)
  }

  private func clearError() {
    if lastError != nil { lastError = nil }
  }

  // MARK: Edits

  /// Observes an object, once for its life: an edit of a row that is gone is an error that is told.
  private func watch(_ element: Element, _ id: DatabaseValue?) throws(KVError) {
    if watches[ObjectIdentifier(element)]?.element != nil { return }
    let keys = storage.columnNames.filter { $0 != storage.primaryKey }
    let token = try element.observe(keys, options: []) { [weak self] change in
      if let self, let element = change.object as? Element { self.didChange(element, "\(change.keyPath)") }
    }
    watches[ObjectIdentifier(element)] = Watch(element: element, id: id, token: token)
    try undo?.record(element, keys: keys)
  }

  private func didChange(_ element: Element, _ key: String) {
    do throws(KVError) {
      let member = members[ObjectIdentifier(element)]
      if member == nil { throw storage.gone(watches[ObjectIdentifier(element)]?.id, [key]) }
      // What comes from the database is not written, nor what a setter makes of it.
      if let settingKey, settingKey == (ObjectIdentifier(element), key) { return }
      try save(element)
      clearError()
    } catch { report(error, element) }
  }

  private func rowsDidChange() {
    guard !isMerging else { return }
    let (before, after) = (present, rows)
    let (old, new) = (Set(before.map(ObjectIdentifier.init)), Set(after.map(ObjectIdentifier.init)))
    let removed = before.enumerated().filter { !new.contains(ObjectIdentifier($1)) }
    let added = after.enumerated().filter { !old.contains(ObjectIdentifier($1)) }
    present = after
    do throws(KVError) {
      try storage.delete(removed.compactMap { members[ObjectIdentifier($1)]?.id })
      for (_, element) in removed { members[ObjectIdentifier(element)] = nil }
      register(removed.map { ($1, $0) }, areInserted: false)
    } catch {
      // The rows exist, so that the objects come back.
      do throws(KVError) { try show(removed.map { ($1, $0) }) } catch { report(error) }
      report(error, removed.first?.element)
    }
    for (_, element) in added {
      members[ObjectIdentifier(element)] = Member(id: nil, stored: [:], known: [:])
      do throws(KVError) {
        try watch(element, nil)
        try insert([element])
        clearError()
      } catch { report(error, element) }
    }
    register(added.map { ($1, $0) }, areInserted: true)
  }

  // MARK: Undo

  private func register(_ elements: [(Element, Int)], areInserted: Bool) {
    guard !elements.isEmpty, let undo else { return }
    let subject = elements.count == 1 ? storage.table : "\(elements.count) rows of \(storage.table)"
    let remove = { (rows: TableRows) in try rows.remove(elements.map(\.0)) }
    let restore = { (rows: TableRows) in try rows.restore(elements) }
    undo.group("\(areInserted ? "Add" : "Remove") \(subject)") {
      undo.register(self, undo: areInserted ? remove : restore, redo: areInserted ? restore : remove)
    }
  }

  /// Deletes rows, and then removes their objects.
  private func remove(_ elements: [Element]) throws(KVError) {
    try storage.delete(elements.compactMap { members[ObjectIdentifier($0)]?.id })
    try hide(Set(elements.map(ObjectIdentifier.init)))
  }

  /// Inserts rows again, with the values of their objects, and then the objects.
  private func restore(_ elements: [(Element, Int)]) throws(KVError) {
    try insert(elements.map(\.0))
    try show(elements)
  }

  // MARK: Changes of the database

  /// Reads the rows, and changes what differs.
  ///
  /// - Throws: `KVError` if a row cannot be read. Nothing has changed then.
  public func reload() throws(KVError) {
    var known: [DatabaseValue: Element] = [:]
    for element in present { if let id = members[ObjectIdentifier(element)]?.id { known[id] = element } }
    var updates: [(Element, TableStorage.Values, [(key: String, value: Any?)])] = []
    var added: [Element] = []
    for values in try storage.fetch() {
      let id = values[storage.primaryKey] ?? .null
      if let element = known.removeValue(forKey: id) {
        let stored = members[ObjectIdentifier(element)]?.stored ?? [:]
        updates.append((element, values, try storage.decoded(values, unlike: stored)))
      } else {
        added.append(makeElement())
        updates.append((added[added.count - 1], values, try storage.decoded(values, unlike: [:])))
      }
    }
    let gone = Set(known.values.map(ObjectIdentifier.init))
    let lost = known.values.map { ($0, (try? changes(of: $0).keys.sorted()) ?? []) }.filter { !$1.isEmpty }
    for element in added { members[ObjectIdentifier(element)] = nil }
    let merge = { () throws(KVError) in try self.merge(updates, added, gone) }
    if let undo { try undo.withoutRecording(merge) } else { try merge() }
    for (element, keys) in lost { report(storage.gone(watches[ObjectIdentifier(element)]?.id, keys), element) }
  }

  private func merge(
    _ updates: [(Element, TableStorage.Values, [(key: String, value: Any?)])], _ added: [Element],
    _ gone: Set<ObjectIdentifier>
  ) throws(KVError) {
    for (element, values, differences) in updates where !differences.isEmpty {
      let own = try storage.values(of: element)
      let member = members[ObjectIdentifier(element)]
      // An unsaved edit stays.
      let taken = differences.filter { member == nil || own[$0.key] == member?.known[$0.key] }
      let known = (member?.known ?? own).merging(differences.map { ($0.key, values[$0.key] ?? .null) }) { $1 }
      members[ObjectIdentifier(element)] = Member(id: values[storage.primaryKey], stored: values, known: known)
      for (key, value) in taken {
        do throws(KVError) { try set(value, key, of: element) } catch { report(error, element) }
      }
      try watch(element, values[storage.primaryKey])
    }
    if !gone.isEmpty { try hide(gone) }
    if !added.isEmpty { try show(added.map { ($0, .max) }) }
    watches = watches.filter { $0.value.element != nil }
  }

  /// Sets a key to what the table has.
  private func set(_ value: Any?, _ key: String, of element: Element) throws(KVError) {
    let outer = settingKey
    settingKey = (ObjectIdentifier(element), key)
    defer { settingKey = outer }
    try element.setValue(value, forKey: key)
    members[ObjectIdentifier(element)]?.known[key] = try storage.values(of: element)[key]
  }

  /// Removes objects from `rows`, whose rows are deleted.
  private func hide(_ elements: Set<ObjectIdentifier>) throws(KVError) {
    for element in elements { members[element] = nil }
    let indexes = rows.indices.filter { elements.contains(ObjectIdentifier(rows[$0])) }
    if indexes.isEmpty { return }
    try edit(to: rows.filter { !elements.contains(ObjectIdentifier($0)) }) { list throws(KVError) in
      try list.remove(at: indexes)
    }
  }

  /// Inserts objects into `rows`, whose rows exist, at their indexes or as near to them as there are rows.
  private func show(_ elements: [(Element, Int)]) throws(KVError) {
    if elements.isEmpty { return }
    let indexes = elements.enumerated().map { number, each in min(each.1, rows.count + number) }
    var result = rows
    for ((element, _), index) in zip(elements, indexes) { result.insert(element, at: index) }
    try edit(to: result) { list throws(KVError) in try list.insert(elements.map(\.0), at: indexes) }
  }

  /// Makes an edit of `rows` that the table has already.
  ///
  /// What handlers change in response is an edit as others are.
  private func edit(to result: [Element], _ body: (KVMutableArray) throws(KVError) -> Void) throws(KVError) {
    let outer = isMerging
    isMerging = true
    defer {
      isMerging = outer
      present = result
      rowsDidChange()
    }
    try body(mutableArray(forKey: "rows"))
  }
}
