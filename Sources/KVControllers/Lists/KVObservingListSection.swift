import KVBinding
import KVCore

/// A section whose rows are created from the elements of a model's collection and follow its changes (LST.1).
///
/// ```swift
/// let tracks = KVObservingListSection(title: "Tracks") { (track: Track) in "\(track.number). \(track.title)" }
/// try tracks.observe("album.tracks", of: player)
/// tracks.rowCount
/// tracks.row(at: 0)            // "1. So What"
/// ```
///
/// A row is created once, when its element is inserted, and kept until the element is removed. A row and its element
/// have the same index. The source is referenced weakly: without it there are no rows. A section belongs to the
/// isolation domain of its source.
open class KVObservingListSection<Row>: KVListSection, ObservingSection, Plumbing {
  /// The delegate, which is notified of the changes of the rows.
  public weak var delegate: (any KVListSectionDelegate<Row>)?
  /// The title, which is shown above the rows.
  public var title: String?
  /// The index title, a short text that jumps to the section.
  public var indexTitle: String?
  /// The footer, which is shown below the rows.
  public var footer: String?
  /// Whether rows can be removed, unless ``canEdit(at:)`` is overridden.
  public var isEditable = false
  /// Whether rows can be moved, unless ``canMove(at:)`` is overridden.
  public var isMovable = false
  /// The observed object, or nil if nothing is observed or if the object is gone.
  public private(set) weak var source: (any KVObservable)?
  /// The key path from the source to the collection, or nil if nothing is observed.
  public private(set) var keyPath: KVKeyPath?
  /// The reason why a section with a source has no rows: the value is not a collection, or no row can be made from an
  /// element.
  ///
  /// It is reset when the collection is valid again.
  public private(set) var error: KVError?

  private let make: (Any?) throws(CoercionFailure) -> Row
  private var rows: [Row] = []
  private var order = RecordOrder()
  /// The number of changes of the collection, by which the making of rows notices those that it causes.
  private var changes = 0
  private var isMaking = false
  private var token: KVObservation?
  private var deinitToken: KVObservation?

  deinit { deinitToken?.cancel() }

  /// Creates a section without a source.
  ///
  /// - Parameters:
  ///   - title: The title, which is shown above the rows.
  ///   - indexTitle: The index title, a short text that jumps to the section.
  ///   - footer: The footer, which is shown below the rows.
  ///   - row: A closure that creates a row from an element, which is converted by the rules of CO. It may take `Any?`
  ///     for elements of any type. If it changes the collection, the rows are made again.
  public init<Element>(
    title: String? = nil, indexTitle: String? = nil, footer: String? = nil, row: @escaping (Element) -> Row
  ) {
    self.title = title
    self.indexTitle = indexTitle
    self.footer = footer
    make = { element throws(CoercionFailure) in row(try Coercion().convert(element, to: Element.self)) }
  }

  /// Creates a section whose rows are the elements themselves.
  ///
  /// - Parameters:
  ///   - title: The title, which is shown above the rows.
  ///   - indexTitle: The index title, a short text that jumps to the section.
  ///   - footer: The footer, which is shown below the rows.
  public convenience init(title: String? = nil, indexTitle: String? = nil, footer: String? = nil) {
    self.init(title: title, indexTitle: indexTitle, footer: footer) { (element: Row) in element }
  }

  /// The number of rows; zero without a source.
  public final var rowCount: Int { source == nil ? 0 : rows.count }

  /// Returns the row at an index.
  ///
  /// - Parameter index: The index of the row. An index out of range is a programming error, which ends the program.
  /// - Returns: The row.
  /// - Complexity: O(1).
  public final func row(at index: Int) -> Row {
    precondition(rows.indices.contains(index), "row \(index) is out of range: there are \(rows.count) rows")
    return rows[index]
  }

  /// Returns whether a row can be removed; override it to decide per row.
  ///
  /// - Parameter index: The index of the row.
  /// - Returns: ``isEditable``.
  open func canEdit(at index: Int) -> Bool { isEditable }

  /// Returns whether a row can be moved; override it to decide per row.
  ///
  /// - Parameter index: The index of the row.
  /// - Returns: ``isMovable``.
  open func canMove(at index: Int) -> Bool { isMovable }

  /// Observes a collection of an object, whose elements become the rows; the previous observation ends first.
  ///
  /// The delegate is notified to reload the rows.
  ///
  /// - Parameters:
  ///   - path: The key path of an array or a set, whose order is unspecified.
  ///   - source: The object to observe, which is referenced weakly. The delegate is notified when a ``KVObject`` is
  ///     deallocated; the death of another object is found at the next access.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe(_:options:handler:)` of the source; `unsupported` if the value is
  ///   not an array or a set; `typeMismatch`, `nilValue` or `numberOutOfRange` if an element cannot be converted for
  ///   the closure. Nothing is observed then.
  /// - Complexity: O(*n*) in the number of elements.
  public final func observe(
    _ path: some KVKeyPathConvertible, of source: some KVObservable, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    cancel()
    let path = try path.keyPath()
    let order = RecordOrder()
    let token = try source.observe(path, options: [.prior, .new], file: file, line: line) { [weak self] change in
      guard let self else { return }
      if self.order === order { self.take(change) } else if !change.isPrior { self.changes += 1 }
    }
    let rows = try rows(of: source, path)
    self.order = order
    self.token = token
    self.source = source
    keyPath = path
    self.rows = rows
    deinitToken = (source as? KVObject)?.onDeinit { [weak self] in self?.sourceDidDeallocate() }
    delegate?.section(self, did: .reload)
  }

  /// Ends the observation, which removes all rows; the delegate is notified if there was a source.
  public final func cancel() {
    let hadSource = token != nil
    order = RecordOrder()
    token?.cancel()
    deinitToken?.cancel()
    (token, deinitToken) = (nil, nil)
    source = nil
    keyPath = nil
    error = nil
    rows = []
    if hadSource { delegate?.section(self, did: .reload) }
  }

  /// Removes the element of a row from the source.
  ///
  /// - Parameter index: The index of the row.
  /// - Throws: ``KVError``: `unsupported` if ``canEdit(at:)`` does not permit it or if there is no source; the errors
  ///   of ``KVMutableArray``.
  open func removeRow(at index: Int) throws(KVError) {
    let (source, path) = try editable()
    guard canEdit(at: index) else { throw ListFailure.notPermitted("removed", index, in: self) }
    try source.mutableArray(forKeyPath: path).remove(at: index)
  }

  /// Moves the element of a row in the source; the delegate is notified of a removal and an insertion.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - newIndex: The index of the row after the move.
  /// - Throws: ``KVError``: `unsupported` if ``canMove(at:)`` does not permit it or if there is no source; the errors
  ///   of ``KVMutableArray``. Nothing has changed then.
  open func moveRow(at index: Int, to newIndex: Int) throws(KVError) {
    let (source, path) = try editable()
    guard canMove(at: index) else { throw ListFailure.notPermitted("moved", index, in: self) }
    let elements = try source.mutableArray(forKeyPath: path)
    // Throws now for an index that would be refused after the removal of the element.
    _ = try elements.element(at: newIndex)
    let element = try elements.element(at: index)
    if index == newIndex { return }
    try elements.remove(at: index)
    do throws(KVError) { try elements.insert(asAny(element), at: newIndex) } catch {
      // An observer of the removal has removed further elements; this element must not be lost.
      guard error.code == .indexOutOfRange else { throw error }
      try elements.append(asAny(element))
    }
  }

  private func sourceDidDeallocate() {
    // The section may observe another source by now.
    if token != nil, source == nil { cancel() }
  }

  private func editable() throws(KVError) -> (any KVObservable, KVKeyPath) {
    guard let source, let keyPath else { throw ListFailure.noSource(self) }
    return (source, keyPath)
  }
}

// Following the records of the source.
extension KVObservingListSection {
  private func take(_ change: KVChange) {
    if change.isPrior { return order.willChange() }
    let isInOrder = order.didChange()
    changes += 1
    // The rows that are being made are made again.
    guard !isMaking, let source, let keyPath else { return }
    do throws(KVError) {
      let rowChange = isInOrder && error == nil ? try apply(change, keyPath) : nil
      if rowChange == nil {
        rows = try rows(of: source, keyPath)
        error = nil
      }
      delegate?.section(self, did: rowChange ?? .reload)
    } catch {
      rows = []
      self.error = error
      KVDiagnostics.report(.error, .faultyValue, keyPath, source, nil) { "\(error)" }
      delegate?.section(self, did: .reload)
    }
  }

  /// Applies a record to the rows; returns `nil` if that is impossible, so that the rows must be created anew.
  private func apply(_ change: KVChange, _ path: KVKeyPath) throws(KVError) -> KVListRowChange? {
    guard change.kind != .setting, let indexes = change.indexes else { return nil }
    let elements = try change.new.flatMap { new throws(KVError) in try Elements.all(of: new) } ?? []
    let count = rows.count + (change.kind == .insertion ? indexes.count : 0)
    let changes = self.changes
    guard change.kind == .removal || elements.count == indexes.count, (indexes.last ?? -1) < count else { return nil }
    let new = change.kind.adds ? try made(elements, at: indexes, path, of: change.object) : nil
    let edit = IndexedEdit(change.kind, at: indexes, added: new)
    edit.apply(to: &rows)
    return isComplete(change, since: changes) ? KVListRowChange(edit) : nil
  }

  /// Returns whether there are as many rows as elements; not if a handler has edited the collection during its change.
  private func isComplete(_ change: KVChange, since changes: Int) -> Bool {
    guard changes == self.changes else { return false }
    let current = (try? Reader(change.keyPath).value(of: change.object)) ?? nil
    return Elements.count(of: current) == rows.count
  }

  private func rows(of source: any KVObservable, _ path: KVKeyPath) throws(KVError) -> [Row] {
    for _ in 0..<5 {
      let changes = self.changes
      let rows = try currentRows(of: source, path)
      if changes == self.changes { return rows }
    }
    throw ListFailure.doesNotSettle(path, of: source)
  }

  private func currentRows(of source: any KVObservable, _ path: KVKeyPath) throws(KVError) -> [Row] {
    guard let collection = try source.value(forKeyPath: path) else { return [] }
    guard Elements.canBeMapped(collection), let elements = try Elements.all(of: collection) else {
      throw ListFailure.noCollection(path, collection, of: source)
    }
    return try made(elements, at: Array(elements.indices), path, of: source)
  }

  private func made(
    _ elements: [Any?], at indexes: [Int], _ path: KVKeyPath, of root: Any
  ) throws(KVError) -> [Row] {
    isMaking = true
    defer { isMaking = false }
    var rows: [Row] = []
    rows.reserveCapacity(elements.count)
    for (index, element) in zip(indexes, elements) {
      do throws(CoercionFailure) { rows.append(try make(element.flatMap(unwrappingOptionals))) } catch {
        throw ListFailure.noRow(index, path, error, of: root)
      }
    }
    return rows
  }
}
