import KVCore

// The contents of the list, and editing them.
extension KVListDataSource {
  /// The number of sections.
  package var sectionCount: Int { sections.count }

  /// Returns the number of rows in a section.
  ///
  /// - Parameter section: The index of the section.
  /// - Returns: The number of rows.
  public func rowCount(in section: Int) -> Int { self[section: section].rowCount }

  /// Returns the row at an index.
  ///
  /// - Parameter index: The index of the section, and of the row in it; both must be in range.
  /// - Returns: The row.
  public func row(at index: KVListIndex) -> Row { self[section: index.section].row(at: index.row) }

  /// Returns the title of a section, which is shown above its rows.
  ///
  /// - Parameter section: The index of the section.
  /// - Returns: The title, or nil if there is none.
  public func title(of section: Int) -> String? { self[section: section].title }

  /// Returns the footer of a section, which is shown below its rows.
  ///
  /// - Parameter section: The index of the section.
  /// - Returns: The footer, or nil if there is none.
  public func footer(of section: Int) -> String? { self[section: section].footer }

  /// The index titles of the sections that have one.
  ///
  /// - Complexity: O(*s*) in the number of sections.
  public var sectionIndexTitles: [String] { sections.compactMap(\.indexTitle) }

  /// Returns the section of an index title.
  ///
  /// - Parameter index: The index of the title in ``sectionIndexTitles``.
  /// - Returns: The index of the section, or nil if the title does not exist.
  /// - Complexity: O(*s*) in the number of sections.
  public func section(forSectionIndexTitleAt index: Int) -> Int? {
    let titled = sections.indices.filter { sections[$0].indexTitle != nil }
    return titled.indices.contains(index) ? titled[index] : nil
  }

  /// Returns whether a row can be removed.
  ///
  /// - Parameter index: The index of the section, and of the row in it.
  /// - Returns: Whether the section permits it.
  public func canEdit(at index: KVListIndex) -> Bool { self[section: index.section].canEdit(at: index.row) }

  /// Returns whether a row can be moved within its section.
  ///
  /// - Parameter index: The index of the section, and of the row in it.
  /// - Returns: Whether the section permits it.
  public func canMove(at index: KVListIndex) -> Bool { self[section: index.section].canMove(at: index.row) }

  /// Removes a row from the source of its section; the list follows (LST.2).
  ///
  /// - Parameter index: The index of the section, and of the row in it.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it; the errors of the section.
  public func removeRow(at index: KVListIndex) throws(KVError) {
    try self[section: index.section].removeRow(at: index.row)
  }

  /// Moves a row within the source of its section; the list follows (LST.2).
  ///
  /// - Parameters:
  ///   - index: The index of the section, and of the row in it.
  ///   - newIndex: The same section, and the index of the row after the move.
  /// - Throws: ``KVError``: `unsupported` if the section does not permit it, or if the sections differ; the errors of
  ///   the section.
  public func moveRow(at index: KVListIndex, to newIndex: KVListIndex) throws(KVError) {
    guard index.section == newIndex.section else {
      throw KVError(
        .unsupported,
        "a row cannot be moved from section \(index.section) to section \(newIndex.section); edit their sources.")
    }
    try self[section: index.section].moveRow(at: index.row, to: newIndex.row)
  }

  private subscript(section index: Int) -> any KVListSection<Row> {
    precondition(
      sections.indices.contains(index), "section \(index) is out of range: there are \(sections.count) sections")
    return sections[index]
  }
}

/// The position of a row in a list.
public struct KVListIndex: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the row in its section.
  public var row: Int

  /// Creates a position.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - row: The index of the row in the section.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension KVListIndex: Comparable {
  /// Returns whether a position precedes another one in the list.
  ///
  /// - Parameters:
  ///   - left: A position.
  ///   - right: Another position.
  /// - Returns: Whether the left position comes first.
  public static func < (left: KVListIndex, right: KVListIndex) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}
