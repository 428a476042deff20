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
open class KVObservingListSection<Row>: KVListSection, Plumbing {
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
  public var source: (any KVObservable)? { arranged?.object }
  /// The key path from the source to the collection, or nil if nothing is observed.
  public var keyPath: KVKeyPath? { arranged?.path }
  /// The reason why a section with a source has no rows: the value is not a collection, or no row can be made from an
  /// element.
  ///
  /// It is reset when the collection is valid again.
  public var error: KVError? { arranged?.error }

  private let make: (Any?) throws(CoercionFailure) -> Row
  /// The rows, in the order of the source; nil if nothing is observed.
  private var arranged: ArrangedSource<Row>?

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
  public final var rowCount: Int { source == nil ? 0 : arranged?.content.elements.count ?? 0 }

  /// Returns the row at an index.
  ///
  /// - Parameter index: The index of the row. An index out of range is a programming error, which ends the program.
  /// - Returns: The row.
  /// - Complexity: O(1).
  public final func row(at index: Int) -> Row {
    let rows = arranged?.content.elements ?? []
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
    let (path, root) = (try path.keyPath(), type(of: source))
    let arranged = ArrangedSource(path, Site(file, line)) { [make] collection, indexes throws(KVError) in
      guard DynamicCollection.canBeMapped(collection), let elements = try DynamicCollection.all(of: collection) else {
        throw ListFailure.noCollection(path, collection, of: root)
      }
      var rows: [Row] = []
      rows.reserveCapacity(elements.count)
      for (index, element) in zip(indexes ?? Array(elements.indices), elements) {
        do throws(CoercionFailure) { rows.append(try make(element.flatMap(unwrappingOptionals))) } catch {
          throw ListFailure.noRow(index, path, error, of: root)
        }
      }
      return rows
    }
    arranged.content.isAutomatic = false
    arranged.makeNotifications = { [weak self, unowned arranged] change in
      if change.kind == .none { return [] }
      return [
        {
          arranged.content.apply(change)
          self?.arrangementDidChange(arranged, by: change)
        }
      ]
    }
    try arranged.begin(at: source, [], nil)
    self.arranged = arranged
    delegate?.section(self, did: .reload)
  }

  /// Ends the observation, which removes all rows; the delegate is notified if there was a source.
  public final func cancel() {
    if arranged == nil { return }
    arranged = nil
    delegate?.section(self, did: .reload)
  }

  /// Notifies the delegate, unless the section observes something else by now.
  private func arrangementDidChange(_ changed: ArrangedSource<Row>, by change: ArrangementChange<Row>) {
    guard arranged === changed else { return }
    if changed.object == nil { arranged = nil }
    delegate?.section(self, did: change.edit.map { KVListRowChange($0) } ?? .reload)
  }

  /// Removes the element of a row from the source.
  ///
  /// - Parameter index: The index of the row.
  /// - Throws: ``KVError``: `unsupported` if ``canEdit(at:)`` does not permit it or if there is no source; the errors
  ///   of ``KVMutableArray``.
  open func removeRow(at index: Int) throws(KVError) {
    let (source, path) = try editable()
    guard canEdit(at: index) else {
      throw ListFailure.notPermitted(
        "removed", index, in: self, "Set isEditable of the section, or override canEdit(at:).")
    }
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
    guard canMove(at: index) else {
      throw ListFailure.notPermitted(
        "moved", index, in: self, "Set isMovable of the section, or override canMove(at:).")
    }
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

  private func editable() throws(KVError) -> (any KVObservable, KVKeyPath) {
    guard let source, let keyPath else { throw ListFailure.noSource(self) }
    return (source, keyPath)
  }
}
