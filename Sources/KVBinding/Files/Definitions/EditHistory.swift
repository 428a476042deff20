import KVCore

/// The edits of a document, in groups that are undone together.
struct EditHistory {
  /// One edit.
  enum Edit {
    /// A change of a definition.
    case field(KVChange)
    /// A change of the list of the document, which a `KVChange` would retain.
    case list(KVChange.Kind, old: Any?, new: Any?, at: [Int]?)

    /// Returns the change, which can be reverted and made again.
    func change(of document: KVBindingDocument) -> KVChange {
      switch self {
      case .field(let change): change
      case .list(let kind, let old, let new, let indexes):
        KVChange(object: document, keyPath: "definitions", kind: kind, old: old, new: new, indexes: indexes)
      }
    }
  }

  /// Edits that are undone together.
  struct Group {
    let number: Int
    var name: String
    var edits: [Edit]
  }

  private(set) var undone: [Group] = []
  private(set) var done: [Group] = []
  /// The groups that are open, by name, the outermost first.
  private var open: [String] = []
  private var gathered: [Edit] = []
  private var number = 0
  private var savedNumber = 0

  /// Adds an edit.
  ///
  /// Outside of a group, it is a group of its own.
  mutating func add(_ edit: Edit, named name: @autoclosure () -> String) {
    if open.isEmpty { close([edit], name()) } else { gathered.append(edit) }
  }

  mutating func beginGroup(_ name: String) { open.append(name) }

  /// Ends a group.
  ///
  /// The outermost one is added to the history.
  mutating func endGroup() {
    guard let name = open.popLast(), open.isEmpty, !gathered.isEmpty else { return }
    close(gathered, name)
    gathered = []
  }

  private mutating func close(_ edits: [Edit], _ name: String) {
    number += 1
    done.append(Group(number: number, name: name, edits: edits))
    undone = []
  }

  /// Removes and returns the group to undo next; nil if there is none, or while one is open.
  mutating func takeUndo() -> Group? {
    guard open.isEmpty, let group = done.popLast() else { return nil }
    undone.append(group)
    return group
  }

  /// Removes and returns the group to redo next.
  mutating func takeRedo() -> Group? {
    guard open.isEmpty, let group = undone.popLast() else { return nil }
    done.append(group)
    return group
  }

  mutating func markSaved() { savedNumber = done.last?.number ?? 0 }

  /// Whether the edits differ from those when the document was saved.
  var hasUnsavedChanges: Bool { (done.last?.number ?? 0) != savedNumber || !gathered.isEmpty }
  var canUndo: Bool { open.isEmpty && !done.isEmpty }
  var canRedo: Bool { open.isEmpty && !undone.isEmpty }

  mutating func removeAll() { self = EditHistory() }
}
