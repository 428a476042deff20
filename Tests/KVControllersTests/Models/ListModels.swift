import KVControllers

/// Shows a list as a screen would: it keeps a copy, and changes it by what it is told alone.
final class ListScreen: KVListDataSourceDelegate {
  private(set) var copy: [[String]] = []
  private(set) var changes: [KVListChange] = []
  /// Called with each change when the copy is up to date.
  var onChange: ((KVListDataSource<String>, KVListChange) -> Void)?

  init() {}

  func show(_ list: KVListDataSource<String>) {
    list.delegate = self
    copy = contents(of: list)
  }

  /// The changes so far, which begin anew.
  func take() -> [KVListChange] {
    defer { changes = [] }
    return changes
  }

  func list(_ list: KVListDataSource<String>, did change: KVListChange) {
    changes.append(change)
    switch change {
    case .rows(let rows, let section): replay(rows, section, list)
    case .sectionInsertion(let index): copy.insert(rows(of: list.sections[index]), at: index)
    case .sectionRemoval(let index): copy.remove(at: index)
    case .sectionReplacement(let index): copy[index] = rows(of: list.sections[index])
    case .sectionMove(let from, let to): copy.insert(copy.remove(at: from), at: to)
    case .reload: copy = contents(of: list)
    }
    onChange?(list, change)
  }

  private func replay(_ change: KVListRowChange, _ section: Int, _ list: KVListDataSource<String>) {
    func row(_ index: Int) -> String { list.sections[section].row(at: index) }
    switch change {
    case .insertion(let indexes): for index in indexes { copy[section].insert(row(index), at: index) }
    case .removal(let indexes): for index in indexes.reversed() { copy[section].remove(at: index) }
    case .replacement(let indexes): for index in indexes { copy[section][index] = row(index) }
    case .reload: copy[section] = rows(of: list.sections[section])
    }
  }
}

/// Writes down what a section tells.
final class SectionLog<Row>: KVListSectionDelegate {
  private(set) var changes: [KVListRowChange] = []

  init() {}

  func take() -> [KVListRowChange] {
    defer { changes = [] }
    return changes
  }

  func section(_ section: any KVListSection<Row>, did change: KVListRowChange) { changes.append(change) }
}

/// A section with rows of its own.
final class FixedSection: KVListSection {
  weak var delegate: (any KVListSectionDelegate<String>)?
  let rows: [String]
  let title: String?
  let indexTitle: String?

  init(_ rows: [String], title: String? = nil, indexTitle: String? = nil) {
    self.rows = rows
    self.title = title
    self.indexTitle = indexTitle
  }

  var rowCount: Int { rows.count }
  func row(at index: Int) -> String { rows[index] }
}

/// The rows of a section.
func rows(of section: any KVListSection<String>) -> [String] {
  (0..<section.rowCount).map { section.row(at: $0) }
}

/// The rows of all sections.
func contents(of list: KVListDataSource<String>) -> [[String]] { list.sections.map { rows(of: $0) } }
