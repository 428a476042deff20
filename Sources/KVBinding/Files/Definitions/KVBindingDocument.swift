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
/// All of it can be observed and bound: `definitions` is a to-many key, edited through ``add(_:)`` and its neighbours,
/// through `mutableArray(forKey: "definitions")` or by setting it; each field of each definition is a key
/// (``KVEditableBindingDefinition``). However an edit is made, it can be undone. The keys `hasUnsavedChanges`,
/// `canUndo`, `canRedo`, `undoName`, `redoName` and `faults` follow each edit.
///
/// A document belongs to one isolation domain, as any model does.
public final class KVBindingDocument: KVObject {
  /// The definitions, in the order of the file; a to-many key.
  @KVProperty public var definitions: [KVEditableBindingDefinition] = []
  /// Whether something was edited since the document was loaded or saved; undoing that counts.
  @KVProperty public private(set) var hasUnsavedChanges = false
  /// Whether there is something to undo.
  @KVProperty public private(set) var canUndo = false
  /// Whether there is something to do again.
  @KVProperty public private(set) var canRedo = false
  /// What ``undo()`` would undo, such as `Change direction`; nil if there is nothing.
  @KVProperty public private(set) var undoName: String?
  /// What ``redo()`` would do again.
  @KVProperty public private(set) var redoName: String?
  /// All that is wrong with any definition now, equal keys among it, in the order of the definitions.
  @KVProperty public private(set) var faults: [KVBindingFault] = []

  /// The format in which the document is written: that of the file that it was read from.
  @KVProperty package var format = KVDocument.Format.json

  /// The list, and what is known about it.
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

  /// What was wrong with the file when it was read, with lines if it is JSON; editing does not change it.
  public private(set) var faultsInFile: [KVBindingFault] = []

  private var history = EditHistory()
  /// The list as it was after the last edit.
  private var known: [KVEditableBindingDefinition] = []
  private var fields: [ObjectIdentifier: KVObservation] = [:]
  private var list: KVObservation?
  /// Whether edits are undone, done again or loaded, and are not to be noted.
  private var isReplaying = false

  /// Makes a document with definitions; none of them counts as an edit.
  package init(_ drafts: [KVBindingDraft] = []) {
    super.init()
    do throws(KVError) {
      list = try observe("definitions", options: [], owner: self) { document, _ in document.listChanged() }
    } catch {
      preconditionFailure("the document cannot observe its own list: \(error)")
    }
    load(drafts)
  }

  /// Opens a file; what is not finished in it can be finished here.
  ///
  /// - Parameter url: The file: JSON or a property list. It is saved in the same format.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or holds no definitions at all.
  public convenience init(contentsOf url: URL) throws(KVBindingFaults) {
    self.init()
    try revert(to: url)
  }

  /// Reads a document; what is not finished in it can be finished here.
  ///
  /// - Parameter data: JSON or a property list. It is saved in the same format.
  /// - Throws: ``KVBindingFaults`` if it is malformed, or holds no definitions at all.
  public convenience init(data: Data) throws(KVBindingFaults) {
    self.init()
    try revert(to: data)
  }

  /// Makes a document with one blank definition, as a new one of the original editor has.
  ///
  /// - Returns: The document; it counts as saved.
  public static func blank() -> KVBindingDocument { KVBindingDocument([KVBindingDraft()]) }

  /// All definitions as values.
  package var drafts: [KVBindingDraft] { definitions.map(\.draft) }

  /// Replaces everything by what a file holds; what was edited before cannot be undone any more.
  ///
  /// What is wrong with the file beyond what is wrong with its definitions, such as entries that nobody knows, is not
  /// kept: saving mends it.
  ///
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or holds no definitions at all; nothing has changed then.
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

  /// Writes the document to a file, atomically, finished or not; it has no unsaved changes then.
  ///
  /// - Parameter url: The file, written in the format in which the document was read; a new document is JSON.
  /// - Throws: ``KVError``: `unsupported` if a text holds a control character, and the format is XML; `custom` with
  ///   Foundation's error as the cause if the file cannot be written.
  public func save(to url: URL) throws(KVError) {
    try KVBindingDrafts(drafts).write(to: url, format: format)
    markSaved()
  }

  /// Replaces everything; what was edited before cannot be undone any more.
  func load(_ drafts: [KVBindingDraft]) {
    isReplaying = true
    definitions = drafts.map { KVEditableBindingDefinition($0) }
    isReplaying = false
    history.removeAll()
    refresh()
  }

  /// Returns what is wrong with a definition of the document now; nothing if it is not in the document.
  package func faults(of definition: KVEditableBindingDefinition) -> [KVBindingFault] {
    guard let index = definitions.firstIndex(where: { $0 === definition }) else { return [] }
    return faults.filter { $0.index == index }
  }

  // MARK: Undo

  /// Undoes the last edit, or the last group of edits.
  ///
  /// What observers edit in answer to it belongs to it, and is not undone on its own.
  ///
  /// - Throws: ``KVError`` if a value cannot be put back, which no key of ours refuses.
  public func undo() throws(KVError) {
    guard let group = history.takeUndo() else { return }
    try replay(group.edits.reversed().map(\.inverted))
  }

  /// Does again what was undone last.
  ///
  /// - Throws: ``KVError`` if a value cannot be put back, which no key of ours refuses.
  public func redo() throws(KVError) {
    guard let group = history.takeRedo() else { return }
    try replay(group.edits)
  }

  /// Makes one step of undoing of all edits that a function makes; groups nest, and the outermost one counts.
  ///
  /// - Parameters:
  ///   - name: What the step is called.
  ///   - body: Makes the edits. What it has edited before it throws is a step, too.
  /// - Returns: What the function returns.
  /// - Throws: What the function throws.
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

  /// Says that the document is as its file now.
  package func markSaved() {
    history.markSaved()
    refreshHistory()
  }

  private func replay(_ edits: [EditHistory.Edit]) throws(KVError) {
    isReplaying = true
    defer {
      isReplaying = false
      refresh()
    }
    for edit in edits {
      switch edit {
      case .field(let definition, let key, _, let new): try definition.setValue(new, forKey: key)
      case .list(_, let new): try arrange(new)
      }
    }
  }

  /// Brings the list into another order, so that its observers hear what comes or goes, where only one of both is so.
  private func arrange(_ wanted: [KVEditableBindingDefinition]) throws(KVError) {
    let now = definitions
    let wantedIDs = Set(wanted.map { ObjectIdentifier($0) })
    let nowIDs = Set(now.map { ObjectIdentifier($0) })
    let going = now.indices.filter { !wantedIDs.contains(ObjectIdentifier(now[$0])) }
    let coming = wanted.indices.filter { !nowIDs.contains(ObjectIdentifier(wanted[$0])) }
    let staying = now.filter { wantedIDs.contains(ObjectIdentifier($0)) }
    let stayingLater = wanted.filter { nowIDs.contains(ObjectIdentifier($0)) }
    guard staying.elementsEqual(stayingLater, by: { $0 === $1 }), going.isEmpty || coming.isEmpty else {
      definitions = wanted
      return
    }
    let array = mutableArray(forKey: "definitions")
    if !going.isEmpty { try array.remove(at: going) }
    if !coming.isEmpty { try array.insert(coming.map { wanted[$0] }, at: coming) }
  }

  // MARK: Observing edits

  private func listChanged() {
    let old = known
    known = definitions
    follow()
    if !isReplaying {
      let name =
        known.count > old.count ? "Add binding" : known.count < old.count ? "Remove binding" : "Arrange bindings"
      history.add(.list(old: old, new: known), named: name)
      refresh()
    }
  }

  /// Observes the fields of those definitions that are in the list, and of no others.
  private func follow() {
    var fields: [ObjectIdentifier: KVObservation] = [:]
    for definition in known where fields[ObjectIdentifier(definition)] == nil {
      fields[ObjectIdentifier(definition)] = self.fields[ObjectIdentifier(definition)] ?? observation(of: definition)
    }
    self.fields = fields
  }

  private func observation(of definition: KVEditableBindingDefinition) -> KVObservation? {
    let paths = KVEditableBindingDefinition.allObservableKeys.compactMap { try? KVKeyPath($0) }
    return try? definition.observe(paths, options: [.old, .new, .distinct]) { [weak self, weak definition] change in
      guard let self, let definition else { return }
      fieldChanged(definition, change)
    }
  }

  private func fieldChanged(_ definition: KVEditableBindingDefinition, _ change: KVChange) {
    if isReplaying { return }
    let key = change.keyPath.description
    history.add(.field(definition, key: key, old: change.old, new: change.new), named: "Change \(key)")
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
