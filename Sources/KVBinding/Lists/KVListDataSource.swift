import KVCore

/// A list made of sections, for whatever shows it: a window, a terminal, a page (LST.1, LST.2).
///
/// ```swift
/// let list = KVListDataSource<String>([albums, tracks])
/// list.delegate = screen
/// list.row(at: KVListIndex(section: 1, row: 0))
/// list.remove(at: 0)                        // screen hears .sectionRemoval(0)
/// try player.mutableArray(forKey: "tracks").remove(at: 3)   // .rows(.removal([3]), section: 0)
/// ```
///
/// The list keeps its sections, and is the delegate of each. What they tell it passes on, with the index that the section has
/// then. It belongs to the isolation domain of its sections.
public final class KVListDataSource<Row> {
  /// Who is told of changes.
  public weak var delegate: (any KVListDataSourceDelegate<Row>)?
  /// The sections, in order; ``insert(_:at:)`` and the like change them.
  public private(set) var sections: [any KVListSection<Row>] = []

  /// Makes a list.
  ///
  /// - Parameter sections: The sections, in order, each once.
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

  private func tell(_ change: KVListChange) { delegate?.list(self, did: change) }
}

// Changing the sections, while everything is live.
extension KVListDataSource {
  /// Inserts a section.
  ///
  /// - Parameters:
  ///   - section: A section that stands in no list.
  ///   - index: The index that it has then.
  public func insert(_ section: any KVListSection<Row>, at index: Int) {
    check(index, below: sections.count + 1)
    adopt(section)
    sections.insert(section, at: index)
    tell(.sectionInsertion(index))
  }

  /// Adds a section at the end.
  ///
  /// - Parameter section: A section that stands in no list.
  public func append(_ section: any KVListSection<Row>) { insert(section, at: sections.count) }

  /// Removes a section, which goes on observing but is heard no longer.
  ///
  /// - Parameter index: Its index.
  /// - Returns: The section; it may be inserted again.
  @discardableResult
  public func remove(at index: Int) -> any KVListSection<Row> {
    check(index, below: sections.count)
    let section = sections.remove(at: index)
    release(section)
    tell(.sectionRemoval(index))
    return section
  }

  /// Puts another section in the place of one.
  ///
  /// - Parameters:
  ///   - index: The index of both.
  ///   - section: A section that stands in no list.
  /// - Returns: The section that stood there.
  @discardableResult
  public func replace(at index: Int, with section: any KVListSection<Row>) -> any KVListSection<Row> {
    check(index, below: sections.count)
    let old = sections[index]
    if old === section { return old }
    adopt(section)
    release(old)
    sections[index] = section
    tell(.sectionReplacement(index))
    return old
  }

  /// Moves a section.
  ///
  /// - Parameters:
  ///   - index: Its index.
  ///   - newIndex: Its index afterwards.
  public func move(from index: Int, to newIndex: Int) {
    check(index, below: sections.count)
    check(newIndex, below: sections.count)
    if index == newIndex { return }
    sections.insert(sections.remove(at: index), at: newIndex)
    tell(.sectionMove(from: index, to: newIndex))
  }

  /// Replaces all sections; the delegate is told to look at everything anew.
  ///
  /// - Parameter newSections: The sections, in order, each once; some may stand in the list already.
  public func setSections(_ newSections: [any KVListSection<Row>]) {
    for section in sections { release(section) }
    for section in newSections { adopt(section) }
    sections = newSections
    tell(.reload)
  }
}

extension KVListDataSource: KVListSectionDelegate {
  /// Passes a change of a section on.
  ///
  /// - Parameters:
  ///   - section: The section. One that stands in this list no longer is ignored.
  ///   - change: What has changed.
  /// - Complexity: O(*s*) in the number of sections.
  public func section(_ section: any KVListSection<Row>, did change: KVListRowChange) {
    if let index = sections.firstIndex(where: { $0 === section }) { tell(.rows(change, section: index)) }
  }
}

/// Who is told of changes of a list: whatever shows it.
public protocol KVListDataSourceDelegate<Row>: AnyObject {
  /// What a row is.
  associatedtype Row

  /// Is told of a change; the list is up to date already.
  ///
  /// It may change the list or the sources of its sections, and is told of that before this returns.
  ///
  /// - Parameters:
  ///   - list: The list.
  ///   - change: What has changed.
  func list(_ list: KVListDataSource<Row>, did change: KVListChange)
}
