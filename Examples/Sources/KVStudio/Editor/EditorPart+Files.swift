import Foundation
import KVControllers
import KVDefinitions
import KVDocuments

extension EditorPart {
  /// The file of the document, and its version when it was read or written.
  struct File {
    let name: String
    let url: URL
    let version: String?
  }

  /// Opens a file, or a new document.
  func open(_ body: [String: Any]) throws {
    try checkChanges(body)
    let undo = KVUndoManager()
    guard let name = body["file"] as? String else { return replace(.blank(undoManager: undo), undo, nil) }
    let (document, file) = try read(name, undo)
    files.offer(name)
    replace(document, undo, file)
  }

  /// Makes what a window still shows the document, with unsaved changes: the program was started anew.
  func restore(_ body: [String: Any]) throws {
    try checkChanges(body)
    guard let items = body["definitions"] as? [Any?], items.count <= DefinitionFiles.definitionLimit else {
      throw Refusal(422, "The editor takes at most \(DefinitionFiles.definitionLimit) definitions.")
    }
    let definitions = try items.map { item in
      let definition = KVEditableBindingDefinition()
      for field in EditorField.allCases {
        try field.set(text((item as? [String: Any])?[field.rawValue]), of: definition)
      }
      return definition
    }
    // A file that is gone or has faults now is no reason to lose the changes.
    let undo = KVUndoManager()
    let name = body["file"] as? String
    let (document, file) = (try? name.map { try read($0, undo) }) ?? (.blank(undoManager: undo), nil)
    replace(document, undo, file)
    self.document.definitions = definitions
  }

  private func checkChanges(_ body: [String: Any]) throws(Refusal) {
    guard !document.hasUnsavedChanges || body["discards"] as? Bool == true else {
      throw Refusal(409, "The document has unsaved changes. Save them first, or discard them.")
    }
  }

  private func read(_ name: String, _ undo: KVUndoManager) throws -> (KVBindingDocument, File?) {
    let url = try files.place(of: name)
    try files.checkCount(name, url)
    // Before the file is read: what is written meanwhile counts as a change.
    let file = File(name: name, url: url, version: files.version(of: url))
    do throws(KVBindingFaults) { return (try KVBindingDocument(contentsOf: url, undoManager: undo), file) } catch {
      throw DefinitionFiles.refusal(name, error)
    }
  }

  /// Writes the document to a file below the directory, in the format of its name.
  func save(_ body: [String: Any]) throws {
    guard let name = body["file"] as? String else { throw Refusal(422, "The name of the file is missing.") }
    let url = try files.target(name)
    let known = url == file?.url ? file?.version : nil
    if let version = files.version(of: url), version != known, version != body["replaces"] as? String {
      let sentence =
        url == file?.url
        ? "The file \"\(name.prefix(200))\" was changed on disk since it was opened. Replace it, open it again, or save under another name."
        : "There is a file \"\(name.prefix(200))\" already. Choose another name, or replace it."
      throw Refusal(409, sentence, members: ["version": version])
    }
    let former = try document.value(forKey: "format", as: KVDocument.Format.self)
    let isJSON = url.pathExtension == "json"
    if isJSON != (former == .json) {
      try document.setValue(isJSON ? KVDocument.Format.json : .xml, forKey: "format")
    }
    do { try document.save(to: url) } catch {
      try document.setValue(former, forKey: "format")
      throw error
    }
    // A setting that follows is a step of its own, whose undo leads back to what is saved.
    undo.markSaved()
    file = File(name: name, url: url, version: files.version(of: url))
    files.offer(name)
  }
}
