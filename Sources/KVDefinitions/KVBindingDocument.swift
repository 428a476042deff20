import Foundation
import KVBinding
import KVCore
import KVDocuments

/// The model of an editor of binding definitions: a list of editable definitions, with undo, faults and a file.
///
/// ```swift
/// let undo = KVUndoManager()
/// let document = try KVBindingDocument(contentsOf: url, undoManager: undo)
/// document.definitions[0].direction = .oneWay
/// try undo.undo()
/// try document.save(to: url)
/// ```
///
/// Every key can be observed and bound. `definitions` is a to-many key, which is edited through
/// `mutableArray(forKey: "definitions")`, or by setting it. Each field of each definition is a key
/// (``KVEditableBindingDefinition``). The keys `hasUnsavedChanges` and `faults` are updated after each edit. The
/// undo manager that it is given records every edit, whichever way it was made (UND.15).
///
/// A document belongs to one isolation domain, as any model does.
public final class KVBindingDocument: KVObject, Plumbing {
  /// The definitions, in the order of the file; a to-many key.
  @KVProperty public var definitions: [KVEditableBindingDefinition] = []
  /// Whether the document differs from its file: it was edited since it was loaded or saved, or has values that files
  /// cannot contain.
  @KVProperty public private(set) var hasUnsavedChanges = false
  /// The faults of all definitions, including equal keys, in the order of the definitions.
  @KVProperty public private(set) var faults: [KVBindingFault] = []

  /// The format in which the document is written: that of the file that it was read from.
  @KVProperty package var format = KVDocument.Format.json

  /// The keys of the document.
  public override class var keyTable: KVTable {
    super.keyTable.extended(for: KVBindingDocument.self) { key in
      key("definitions", \.definitions)
      key("hasUnsavedChanges", \.hasUnsavedChanges).readOnly()
      key("faults", \.faults).readOnly()
      key("format", \.format)
    }
  }

  /// The faults of the file when it was read, with lines if it is JSON.
  ///
  /// Edits do not change them.
  public private(set) var faultsInFile: [KVBindingFault] = []

  /// Records the edits of the list and of the fields since the document was loaded; nil if none does.
  public let undoManager: (any KVUndoRecording)?

  /// The definitions as they were loaded or saved.
  private var saved: [BindingDraft] = []

  /// Creates a document with definitions; none of them counts as an edit.
  package init(_ drafts: [BindingDraft] = [], undoManager: (any KVUndoRecording)? = nil) {
    self.undoManager = undoManager
    super.init()
    do throws(KVError) {
      try observe("definitions", options: [], owner: self) { document, _ in document.refresh() }
      try observeElements(of: "definitions", "faults", options: [], owner: self) { document, _ in document.refresh() }
      try undoManager?.recordElements(of: "definitions", in: self, keys: nil, file: #fileID, line: #line)
    } catch {
      preconditionFailure("the document cannot observe its own list: \(error)")
    }
    load(drafts)
  }

  /// Opens a file, which may contain unfinished definitions.
  ///
  /// - Parameters:
  ///   - url: The file: JSON or a property list. It is saved in the same format.
  ///   - undoManager: Records the edits, such as a `KVUndoManager`; nil for none.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or is no document of definitions.
  public convenience init(
    contentsOf url: URL, undoManager: (any KVUndoRecording)? = nil
  ) throws(KVBindingFaults) {
    self.init(undoManager: undoManager)
    try revert(to: url)
  }

  /// Reads a document, which may contain unfinished definitions.
  ///
  /// - Parameters:
  ///   - data: JSON or a property list. It is saved in the same format.
  ///   - undoManager: Records the edits, such as a `KVUndoManager`; nil for none.
  /// - Throws: ``KVBindingFaults`` if it is malformed, or is no document of definitions.
  public convenience init(data: Data, undoManager: (any KVUndoRecording)? = nil) throws(KVBindingFaults) {
    self.init(undoManager: undoManager)
    try revert(to: data)
  }

  /// Creates a document with one blank definition, as the editor of Bindings for iOS does.
  ///
  /// - Parameter undoManager: Records the edits, such as a `KVUndoManager`; nil for none.
  /// - Returns: The document; it counts as saved.
  public static func blank(undoManager: (any KVUndoRecording)? = nil) -> KVBindingDocument {
    KVBindingDocument([BindingDraft()], undoManager: undoManager)
  }

  /// All definitions as values.
  package var drafts: [BindingDraft] { definitions.map(\.draft) }

  /// Replaces all definitions by those of a file.
  ///
  /// Faults of the file that are not faults of a definition, such as unknown entries, are gone after saving.
  ///
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or is no document of definitions. Nothing has changed then.
  package func revert(to url: URL) throws(KVBindingFaults) {
    let data = try BindingDrafts.contents(of: url)
    do throws(KVBindingFaults) { try revert(to: data) } catch { throw error.of(url.lastPathComponent) }
  }

  private func revert(to data: Data) throws(KVBindingFaults) {
    let drafts = try BindingDrafts(data: data)
    format = KVDocument.Format(of: data)
    load(drafts.drafts)
    faultsInFile = drafts.faults
  }

  /// Writes the document to a file atomically, finished or not.
  ///
  /// It has no unsaved changes afterwards, unless it has values that files cannot contain.
  ///
  /// - Parameter url: The file, written in the format in which the document was read; a new document is JSON.
  /// - Throws: ``KVError``: `unsupported` if a text holds a control character, and the format is XML; `custom` with
  ///   Foundation's error as the cause if the file cannot be written.
  public func save(to url: URL) throws(KVError) {
    let drafts = drafts
    try BindingDrafts(drafts).write(to: url, format: format)
    saved = drafts
    undoManager?.markSaved()
    refresh()
  }

  private func load(_ drafts: [BindingDraft]) {
    saved = drafts
    let loaded = drafts.map { KVEditableBindingDefinition($0) }
    guard let undoManager else {
      definitions = loaded
      return
    }
    undoManager.withoutRecording { definitions = loaded }
    undoManager.removeAll()
    undoManager.markSaved()
  }

  private func refresh() {
    var all = definitions.enumerated().flatMap { $1.faults(index: $0) }
    all += DefinitionChecks.duplicateKeys(definitions.map(\.key))
    all = all.ordered { $0.index ?? 0 }
    if all != faults { faults = all }
    let hasEdits = drafts != saved || definitions.contains(where: \.hasUnwritableValues)
    if hasEdits != hasUnsavedChanges { hasUnsavedChanges = hasEdits }
  }
}
