import Foundation
import KVCore

/// The model of an editor of binding definitions: a list of editable definitions, with undo, faults and a file.
///
/// ```swift
/// let document = try KVBindingDocument(contentsOf: url)
/// document.definitions[0].direction = .oneWay
/// try document.undo()
/// try document.save(to: url)
/// ```
///
/// Every key can be observed and bound. `definitions` is a to-many key, which is edited through
/// `mutableArray(forKey: "definitions")`, or by setting it. Each field of each definition is a key
/// (``KVEditableBindingDefinition``). Every edit can be undone, whichever way it was made. The keys
/// `hasUnsavedChanges`, `canUndo`, `canRedo`, `undoName`, `redoName` and `faults` are updated after each edit.
///
/// A document belongs to one isolation domain, as any model does.
public final class KVBindingDocument: KVObject {
  /// The definitions, in the order of the file; a to-many key.
  @KVProperty public var definitions: [KVEditableBindingDefinition] = []
  /// Whether the document differs from its file: whether it was edited since it was loaded or saved.
  @KVProperty public private(set) var hasUnsavedChanges = false
  /// Whether there is an edit to undo.
  @KVProperty public private(set) var canUndo = false
  /// Whether there is an edit to redo.
  @KVProperty public private(set) var canRedo = false
  /// The name of the edit that ``undo()`` would undo, such as `Change direction`; nil if there is none.
  @KVProperty public private(set) var undoName: String?
  /// The name of the edit that ``redo()`` would redo; nil if there is none.
  @KVProperty public private(set) var redoName: String?
  /// The faults of all definitions, including equal keys, in the order of the definitions.
  @KVProperty public private(set) var faults: [KVBindingFault] = []

  /// The format in which the document is written: that of the file that it was read from.
  @KVProperty package var format = KVDocument.Format.json

  /// The keys of the document.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVBindingDocument.self) { key in
      key("definitions", \.definitions)
      key("hasUnsavedChanges", \.hasUnsavedChanges).readOnly()
      key("canUndo", \.canUndo).readOnly()
      key("canRedo", \.canRedo).readOnly()
      key("undoName", \.undoName).readOnly()
      key("redoName", \.redoName).readOnly()
      key("faults", \.faults).readOnly()
      key("format", \.format)
    }
  }

  /// The faults of the file when it was read, with lines if it is JSON.
  ///
  /// Edits do not change them.
  public private(set) var faultsInFile: [KVBindingFault] = []

  private var history = EditHistory()
  /// Whether edits are undone, redone or loaded, so that they are not recorded.
  private var isReplaying = false

  /// Creates a document with definitions; none of them counts as an edit.
  package init(_ drafts: [KVBindingDraft] = []) {
    super.init()
    do throws(KVError) {
      try observe("definitions", owner: self) { document, change in document.listChanged(change) }
      for key in KVEditableBindingDefinition.allObservableKeys {
        try observeElements(of: "definitions", key, options: [.old, .new, .distinct], owner: self) { document, change in
          document.edited(.field(change), "Change \(change.keyPath)")
        }
      }
    } catch {
      preconditionFailure("the document cannot observe its own list: \(error)")
    }
    load(drafts)
  }

  /// Opens a file, which may contain unfinished definitions.
  ///
  /// - Parameter url: The file: JSON or a property list. It is saved in the same format.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or is no document of definitions.
  public convenience init(contentsOf url: URL) throws(KVBindingFaults) {
    self.init()
    try revert(to: url)
  }

  /// Reads a document, which may contain unfinished definitions.
  ///
  /// - Parameter data: JSON or a property list. It is saved in the same format.
  /// - Throws: ``KVBindingFaults`` if it is malformed, or is no document of definitions.
  public convenience init(data: Data) throws(KVBindingFaults) {
    self.init()
    try revert(to: data)
  }

  /// Creates a document with one blank definition, as the editor of Bindings for iOS does.
  ///
  /// - Returns: The document; it counts as saved.
  public static func blank() -> KVBindingDocument { KVBindingDocument([KVBindingDraft()]) }

  /// All definitions as values.
  package var drafts: [KVBindingDraft] { definitions.map(\.draft) }

  /// Replaces all definitions by those of a file.
  ///
  /// Earlier edits cannot be undone any more.
  ///
  /// Faults of the file that are not faults of a definition, such as unknown entries, are gone after saving.
  ///
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or is no document of definitions. Nothing has changed then.
  package func revert(to url: URL) throws(KVBindingFaults) {
    let data = try KVBindingDrafts.contents(of: url)
    do throws(KVBindingFaults) { try revert(to: data) } catch { throw error.of(url.lastPathComponent) }
  }

  private func revert(to data: Data) throws(KVBindingFaults) {
    let drafts = try KVBindingDrafts(data: data)
    format = KVDocument.Format(of: data)
    load(drafts.drafts)
    faultsInFile = drafts.faults
  }

  /// Writes the document to a file atomically, finished or not.
  ///
  /// It has no unsaved changes afterwards.
  ///
  /// - Parameter url: The file, written in the format in which the document was read; a new document is JSON.
  /// - Throws: ``KVError``: `unsupported` if a text holds a control character, and the format is XML; `custom` with
  ///   Foundation's error as the cause if the file cannot be written.
  public func save(to url: URL) throws(KVError) {
    try KVBindingDrafts(drafts).write(to: url, format: format)
    markSaved()
  }

  /// Replaces all definitions.
  ///
  /// Earlier edits cannot be undone any more.
  func load(_ drafts: [KVBindingDraft]) {
    isReplaying = true
    definitions = drafts.map { KVEditableBindingDefinition($0) }
    isReplaying = false
    history.removeAll()
    refresh()
  }

  /// Returns the faults of a definition of the document; none if it is not in the document.
  package func faults(of definition: KVEditableBindingDefinition) -> [KVBindingFault] {
    guard let index = definitions.firstIndex(where: { $0 === definition }) else { return [] }
    return faults.filter { $0.index == index }
  }

  // MARK: Undo

  /// Undoes the last edit, or the last group of edits.
  ///
  /// Edits that observers make in response belong to it, and are not undone on their own.
  ///
  /// - Throws: ``KVError`` if a value cannot be restored, which no key of the package refuses.
  public func undo() throws(KVError) {
    guard let group = history.takeUndo() else { return }
    try replay(group.edits.reversed(), isReverse: true)
  }

  /// Redoes the edits that were undone last.
  ///
  /// - Throws: ``KVError`` if a value cannot be restored, which no key of the package refuses.
  public func redo() throws(KVError) {
    guard let group = history.takeRedo() else { return }
    try replay(group.edits, isReverse: false)
  }

  /// Makes one undoable step of all edits in a function.
  ///
  /// Groups nest, and the outermost one counts.
  ///
  /// - Parameters:
  ///   - name: The name of the step.
  ///   - body: A function that makes the edits. The edits before an error are a step, too.
  /// - Returns: The result of the function.
  /// - Throws: The error of the function.
  public func group<Result, Failure: Error>(
    _ name: String, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    history.beginGroup(name)
    refreshHistory()
    defer {
      history.endGroup()
      refreshHistory()
    }
    return try body()
  }

  /// Marks the document as equal to its file.
  package func markSaved() {
    history.markSaved()
    refreshHistory()
  }

  private func replay(_ edits: [EditHistory.Edit], isReverse: Bool) throws(KVError) {
    isReplaying = true
    defer {
      isReplaying = false
      refresh()
    }
    for edit in edits {
      let change = edit.change(of: self)
      try isReverse ? change.revert() : change.apply()
    }
  }

  // MARK: Observing edits

  private func listChanged(_ change: KVChange) {
    let growth = Elements.list(change.new).count - Elements.list(change.old).count
    edited(
      .list(change.kind, old: change.old, new: change.new, at: change.indexes),
      growth > 0 ? "Add binding" : growth < 0 ? "Remove binding" : "Arrange bindings")
  }

  private func edited(_ edit: EditHistory.Edit, _ name: String) {
    if isReplaying { return }
    history.add(edit, named: name)
    refresh()
  }

  private func refresh() {
    var all = definitions.enumerated().flatMap { $1.faults(index: $0) }
    all += DefinitionChecks.duplicateKeys(definitions.map(\.key))
    all.sort { ($0.index ?? 0) < ($1.index ?? 0) }
    if all != faults { faults = all }
    refreshHistory()
  }

  private func refreshHistory() {
    func set<Value: Equatable>(_ key: ReferenceWritableKeyPath<KVBindingDocument, Value>, _ value: Value) {
      if self[keyPath: key] != value { self[keyPath: key] = value }
    }
    set(\.hasUnsavedChanges, history.hasUnsavedChanges)
    set(\.canUndo, history.canUndo)
    set(\.canRedo, history.canRedo)
    set(\.undoName, history.canUndo ? history.done.last?.name : nil)
    set(\.redoName, history.canRedo ? history.undone.last?.name : nil)
  }
}
