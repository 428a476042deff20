import KVBinding
import KVCore

/// A list of sections, independent of its presentation in a window, a terminal or a page (LST.1, LST.2).
///
/// ```swift
/// let list = KVListDataSource<String>([albums, tracks])
/// list.delegate = screen
/// list.sections[1].row(at: 0)
/// list.remove(at: 0)                        // the screen is notified of .sectionRemoval(0)
/// try player.mutableArray(forKey: "tracks").remove(at: 3)   // .rows(.removal([3]), section: 0)
/// ```
///
/// The list retains its sections and is the delegate of each. It passes their changes on to its delegate, with the
/// current index of the section. The list belongs to the isolation domain of its sections.
public final class KVListDataSource<Row>: Plumbing, LinkedWithBinding {
  /// The delegate, which is notified of the changes of the list.
  public weak var delegate: (any KVListDataSourceDelegate<Row>)?
  /// The sections, in order; ``insert(_:at:)`` and similar methods change them.
  public private(set) var sections: [any KVListSection<Row>] = []

  /// Creates a list.
  ///
  /// - Parameter sections: The sections, in order. No section may occur twice.
  public init(_ sections: [any KVListSection<Row>] = []) {
    for section in sections { adopt(section) }
    self.sections = sections
  }

  private func adopt(_ section: any KVListSection<Row>) {
    precondition(section.delegate == nil, "a section stands in one list, once; remove it there first")
    section.delegate = self
  }

  private func release(_ section: any KVListSection<Row>) {
    if section.delegate === self { section.delegate = nil }
  }

  private func check(_ index: Int, below count: Int) {
    precondition(index >= 0 && index < count, "section \(index) is out of range: there are \(sections.count) sections")
  }

  private func notify(_ change: KVListChange) { delegate?.list(self, did: change) }

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
}

// Changes of the sections, which notify the delegate.
extension KVListDataSource {
  /// Inserts a section.
  ///
  /// - Parameters:
  ///   - section: A section that is not in a list.
  ///   - index: The index of the section after the insertion.
  public func insert(_ section: any KVListSection<Row>, at index: Int) {
    check(index, below: sections.count + 1)
    adopt(section)
    sections.insert(section, at: index)
    notify(.sectionInsertion(index))
  }

  /// Appends a section.
  ///
  /// - Parameter section: A section that is not in a list.
  public func append(_ section: any KVListSection<Row>) { insert(section, at: sections.count) }

  /// Removes a section, which keeps observing its source but no longer notifies the list.
  ///
  /// - Parameter index: The index of the section.
  /// - Returns: The section, which can be inserted again.
  @discardableResult
  public func remove(at index: Int) -> any KVListSection<Row> {
    check(index, below: sections.count)
    let section = sections.remove(at: index)
    release(section)
    notify(.sectionRemoval(index))
    return section
  }

  /// Replaces a section.
  ///
  /// - Parameters:
  ///   - index: The index of both sections.
  ///   - section: A section that is not in a list.
  /// - Returns: The section that was at the index.
  @discardableResult
  public func replace(at index: Int, with section: any KVListSection<Row>) -> any KVListSection<Row> {
    check(index, below: sections.count)
    let old = sections[index]
    if old === section { return old }
    adopt(section)
    release(old)
    sections[index] = section
    notify(.sectionReplacement(index))
    return old
  }

  /// Moves a section.
  ///
  /// - Parameters:
  ///   - index: The index of the section.
  ///   - newIndex: The index of the section after the move.
  public func move(from index: Int, to newIndex: Int) {
    check(index, below: sections.count)
    check(newIndex, below: sections.count)
    if index == newIndex { return }
    sections.insert(sections.remove(at: index), at: newIndex)
    notify(.sectionMove(from: index, to: newIndex))
  }

  /// Replaces all sections; the delegate is notified to reload the list.
  ///
  /// - Parameter newSections: The sections, in order. No section may occur twice; sections of the list may be among
  ///   them.
  public func setSections(_ newSections: [any KVListSection<Row>]) {
    for section in sections { release(section) }
    for section in newSections { adopt(section) }
    sections = newSections
    notify(.reload)
  }
}

extension KVListDataSource: KVListSectionDelegate {
  /// Passes a change of a section on to the delegate.
  ///
  /// - Parameters:
  ///   - section: The section. A section that is no longer in the list is ignored.
  ///   - change: The change of its rows.
  /// - Complexity: O(*s*) in the number of sections.
  public func section(_ section: any KVListSection<Row>, did change: KVListRowChange) {
    if let index = sections.firstIndex(where: { $0 === section }) { notify(.rows(change, section: index)) }
  }
}
