import KVCore

// What there is to show, and editing it.
extension KVListDataSource {
  /// How many sections there are.
  public var sectionCount: Int { sections.count }

  /// Returns how many rows a section has.
  ///
  /// - Parameter section: Its index.
  /// - Returns: The number of rows.
  public func rowCount(in section: Int) -> Int { self[section: section].rowCount }

  /// Returns a row.
  ///
  /// - Parameter index: Its section and its index there, both in range.
  /// - Returns: The row.
  public func row(at index: KVListIndex) -> Row { self[section: index.section].row(at: index.row) }

  /// Returns the text above a section.
  ///
  /// - Parameter section: Its index.
  /// - Returns: The text; nil for none.
  public func title(of section: Int) -> String? { self[section: section].title }

  /// Returns the text below a section.
  ///
  /// - Parameter section: Its index.
  /// - Returns: The text; nil for none.
  public func footer(of section: Int) -> String? { self[section: section].footer }

  /// The short texts that lead to sections, of those that have one.
  ///
  /// - Complexity: O(*s*) in the number of sections.
  public var sectionIndexTitles: [String] { sections.compactMap(\.indexTitle) }

  /// Returns the section that a short text leads to.
  ///
  /// - Parameter index: The index of the text in ``sectionIndexTitles``.
  /// - Returns: The index of the section; nil if there is no such text.
  /// - Complexity: O(*s*) in the number of sections.
  public func section(forSectionIndexTitleAt index: Int) -> Int? {
    let titled = sections.indices.filter { sections[$0].indexTitle != nil }
    return titled.indices.contains(index) ? titled[index] : nil
  }

  /// Returns whether a row may be removed.
  ///
  /// - Parameter index: Its section and its index there.
  /// - Returns: Whether its section permits it.
  public func canEdit(at index: KVListIndex) -> Bool { self[section: index.section].canEdit(at: index.row) }

  /// Returns whether a row may be moved, inside of its section.
  ///
  /// - Parameter index: Its section and its index there.
  /// - Returns: Whether its section permits it.
  public func canMove(at index: KVListIndex) -> Bool { self[section: index.section].canMove(at: index.row) }

  /// Removes a row where it comes from; the list follows.
  ///
  /// - Parameter index: Its section and its index there.
  /// - Throws: ``KVError``: `unsupported` if its section does not permit it, and as the section does.
  public func removeRow(at index: KVListIndex) throws(KVError) {
    try self[section: index.section].removeRow(at: index.row)
  }

  /// Moves a row where it comes from, inside of its section; the list follows.
  ///
  /// - Parameters:
  ///   - index: Its section and its index there.
  ///   - newIndex: The same section, and its index there afterwards.
  /// - Throws: ``KVError``: `unsupported` if its section does not permit it, or if the sections are two; and as the
  ///   section does.
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

/// The place of a row in a list.
public struct KVListIndex: Hashable, Sendable {
  /// The index of the section.
  public var section: Int
  /// The index of the row in its section.
  public var row: Int

  /// Makes a place.
  ///
  /// - Parameters:
  ///   - section: The index of the section.
  ///   - row: The index of the row in it.
  public init(section: Int, row: Int) {
    self.section = section
    self.row = row
  }
}

extension KVListIndex: Comparable {
  /// Orders places as they follow each other in the list.
  ///
  /// - Parameters:
  ///   - left: A place.
  ///   - right: Another one.
  /// - Returns: Whether the first one comes before the second.
  public static func < (left: KVListIndex, right: KVListIndex) -> Bool {
    (left.section, left.row) < (right.section, right.row)
  }
}
