import KVCore

/// A section whose rows are made from the elements of a collection of a model, and follow it (LST.1).
///
/// ```swift
/// let tracks = KVObservingListSection(title: "Tracks") { (track: Track) in "\(track.number). \(track.title)" }
/// try tracks.observe("album.tracks", of: player)
/// tracks.rowCount
/// tracks.row(at: 0)            // "1. So What"
/// ```
///
/// A row is made once, when its element comes, and kept until it goes; row and element have the same index. The source is
/// held weakly: when it is gone there are no rows. A section belongs to the isolation domain of its source.
open class KVObservingListSection<Row>: KVListSection, ObservingSection {
  /// Who is told of changes.
  public weak var delegate: (any KVListSectionDelegate<Row>)?
  /// The text above the rows.
  public var title: String?
  /// The short text that leads to the section.
  public var indexTitle: String?
  /// The text below the rows.
  public var footer: String?
  /// Whether rows may be removed, unless ``canEdit(at:)`` is overridden.
  public var isEditable = false
  /// Whether rows may be moved, unless ``canMove(at:)`` is overridden.
  public var isMovable = false
  /// What is observed; nil if nothing is, or if it is gone.
  public private(set) weak var source: (any KVObservable)?
  /// The path from the source to the collection; nil if nothing is observed.
  public private(set) var keyPath: KVKeyPath?
  /// Why there are no rows although there is a source: no collection is there, or an element that no row can be made of.
  ///
  /// It ends when the collection is in order again.
  public private(set) var error: KVError?

  private let make: (Any?) throws(CoercionFailure) -> Row
  private var rows: [Row] = []
  private var order = RecordOrder()
  private var token: KVObservation?

  /// Makes a section without a source.
  ///
  /// - Parameters:
  ///   - title: The text above the rows.
  ///   - indexTitle: The short text that leads to the section.
  ///   - footer: The text below the rows.
  ///   - row: Makes a row from an element, which is made to fit by the rules of CO; let it take `Any?` for elements of any
  ///     kind. It must not change the source.
  public init<Element>(
    title: String? = nil, indexTitle: String? = nil, footer: String? = nil, row: @escaping (Element) -> Row
  ) {
    self.title = title
    self.indexTitle = indexTitle
    self.footer = footer
    make = { element throws(CoercionFailure) in row(try Coercion().convert(element, to: Element.self)) }
  }

  /// Makes a section whose rows are the elements themselves.
  ///
  /// - Parameters:
  ///   - title: The text above the rows.
  ///   - indexTitle: The short text that leads to the section.
  ///   - footer: The text below the rows.
  public convenience init(title: String? = nil, indexTitle: String? = nil, footer: String? = nil) {
    self.init(title: title, indexTitle: indexTitle, footer: footer) { (element: Row) in element }
  }

  /// How many rows there are; none if there is no source any more.
  public final var rowCount: Int { source == nil ? 0 : rows.count }

  /// Returns a row.
  ///
  /// - Parameter index: Its index. One that is out of range is an error of the program, which ends it.
  /// - Returns: The row.
  /// - Complexity: O(1).
  public final func row(at index: Int) -> Row {
    precondition(rows.indices.contains(index), "row \(index) is out of range: there are \(rows.count) rows")
    return rows[index]
  }

  /// Returns whether a row may be removed; override it to decide row by row.
  ///
  /// - Parameter index: Its index.
  /// - Returns: ``isEditable``.
  open func canEdit(at index: Int) -> Bool { isEditable }

  /// Returns whether a row may be moved; override it to decide row by row.
  ///
  /// - Parameter index: Its index.
  /// - Returns: ``isMovable``.
  open func canMove(at index: Int) -> Bool { isMovable }

  /// Follows a collection of an object; what was followed before is ended first.
  ///
  /// The delegate is told to look at the rows anew.
  ///
  /// - Parameters:
  ///   - path: The path of an array or a set; sets have no order, and are shown in any.
  ///   - source: The object, held weakly. When a ``KVObject`` dies the delegate is told; of another class it is found out
  ///     at the next look.
  ///   - file: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe(_:options:handler:)` of the source; `unsupported` if something else than a
  ///   collection is there; `typeMismatch`, `nilValue` or `numberOutOfRange` for an element that does not fit the closure.
  ///   Nothing is followed then.
  /// - Complexity: O(*n*) in the elements.
  public final func observe(
    _ path: some KVKeyPathConvertible, of source: some KVObservable, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    endObserving()
    let path = try path.keyPath()
    let order = RecordOrder()
    let token = try source.observe(path, options: [.prior, .new], file: file, line: line) { [weak self] change in
      if let self, self.order === order { self.take(change) }
    }
    let rows = try rows(of: source, path)
    self.order = order
    self.token = token
    self.source = source
    keyPath = path
    self.rows = rows
    Farewells.tell(self, of: source)
    delegate?.section(self, did: .reload)
  }

  /// Ends the observation; there are no rows then, and the delegate is told if there were any.
  public final func endObserving() {
    let hadSource = token != nil
    order = RecordOrder()
    token?.cancel()
    token = nil
    source = nil
    keyPath = nil
    error = nil
    rows = []
    if hadSource { delegate?.section(self, did: .reload) }
  }

  /// Removes the element of a row from the source.
  ///
  /// - Parameter index: The index of the row.
  /// - Throws: ``KVError``: `unsupported` if ``canEdit(at:)`` does not permit it or there is no source, and as
  ///   ``KVMutableArray`` does.
  open func removeRow(at index: Int) throws(KVError) {
    let (source, path) = try editable()
    guard canEdit(at: index) else { throw ListFailure.notPermitted("removed", index, in: self) }
    try source.mutableArray(forKeyPath: path).remove(at: index)
  }

  /// Moves the element of a row in the source; the delegate is told of a removal and an insertion.
  ///
  /// - Parameters:
  ///   - index: The index of the row.
  ///   - newIndex: Its index afterwards.
  /// - Throws: ``KVError``: `unsupported` if ``canMove(at:)`` does not permit it or there is no source, and as
  ///   ``KVMutableArray`` does. Nothing has changed then.
  open func moveRow(at index: Int, to newIndex: Int) throws(KVError) {
    let (source, path) = try editable()
    guard canMove(at: index) else { throw ListFailure.notPermitted("moved", index, in: self) }
    let elements = try source.mutableArray(forKeyPath: path)
    // Asked for what it would be refused later, when the element was gone from its old place.
    _ = try elements.element(at: newIndex)
    let element = try elements.element(at: index)
    if index == newIndex { return }
    try elements.remove(at: index)
    do throws(KVError) { try elements.insert(boxed(element), at: newIndex) } catch {
      // Somebody who heard of the removal has removed more: the element is not to be lost.
      guard error.code == .indexOutOfRange else { throw error }
      try elements.append(boxed(element))
    }
  }

  private func editable() throws(KVError) -> (any KVObservable, KVKeyPath) {
    guard let source, let keyPath else { throw ListFailure.noSource(self) }
    return (source, keyPath)
  }
}

// Following the records.
extension KVObservingListSection {
  private func take(_ change: KVChange) {
    if change.isPrior { return order.willChange() }
    let isInOrder = order.didChange()
    guard let source, let keyPath else { return }
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

  /// Applies a record to the rows; nil if that is not possible, so that they must be made anew.
  private func apply(_ change: KVChange, _ path: KVKeyPath) throws(KVError) -> KVListRowChange? {
    guard change.kind != .setting, let indexes = change.indexes else { return nil }
    let elements = change.new.flatMap(Elements.all(of:)) ?? []
    let count = rows.count
    switch change.kind {
    case .insertion:
      guard elements.count == indexes.count, (indexes.last ?? -1) < count + indexes.count else { return nil }
      rows.insert(try made(elements, at: indexes, path, of: change.object), at: indexes)
      return isComplete(change) ? .insertion(indexes) : nil
    case .removal:
      guard (indexes.last ?? -1) < count else { return nil }
      rows.remove(at: indexes)
      return isComplete(change) ? .removal(indexes) : nil
    case .replacement:
      guard elements.count == indexes.count, (indexes.last ?? -1) < count else { return nil }
      let new = try made(elements, at: indexes, path, of: change.object)
      for (index, row) in zip(indexes, new) { rows[index] = row }
      return isComplete(change) ? .replacement(indexes) : nil
    case .setting:
      return nil
    }
  }

  /// Whether there are as many rows as elements; not so if somebody has edited what was being edited.
  private func isComplete(_ change: KVChange) -> Bool {
    let current = (try? Reader(change.keyPath).value(of: change.object)) ?? nil
    return Elements.count(of: current) == rows.count
  }

  private func rows(of source: any KVObservable, _ path: KVKeyPath) throws(KVError) -> [Row] {
    guard let collection = try source.value(forKeyPath: path) else { return [] }
    guard Elements.canBeMapped(collection), let elements = Elements.all(of: collection) else {
      throw ListFailure.noCollection(path, collection, of: source)
    }
    return try made(elements, at: Array(elements.indices), path, of: source)
  }

  private func made(
    _ elements: [Any?], at indexes: [Int], _ path: KVKeyPath, of root: Any
  ) throws(KVError) -> [Row] {
    var rows: [Row] = []
    rows.reserveCapacity(elements.count)
    for (index, element) in zip(indexes, elements) {
      do throws(CoercionFailure) { rows.append(try make(element.flatMap(flattened))) } catch {
        throw ListFailure.noRow(index, path, error, of: root)
      }
    }
    return rows
  }
}

extension KVObservingListSection: Farewell {
  func sourceDied() {
    // Whoever observes something else by now does not mind.
    if token != nil, source == nil { endObserving() }
  }
}
