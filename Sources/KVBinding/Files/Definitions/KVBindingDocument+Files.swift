import Foundation

extension KVBindingDocument {
  /// Opens a file; what is not finished in it can be finished here.
  ///
  /// - Parameter url: The file: JSON or a property list. It is saved in the same format.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or holds no definitions at all.
  public convenience init(contentsOf url: URL) throws(KVBindingFaults) {
    self.init()
    try revert(to: url)
  }

  /// Replaces everything by what a file holds; what was edited before cannot be undone any more.
  ///
  /// What is wrong with the file beyond what is wrong with its definitions, such as entries that nobody knows, is not
  /// kept: saving mends it.
  ///
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or holds no definitions at all; nothing has changed then.
  package func revert(to url: URL) throws(KVBindingFaults) {
    let data = try KVBindingDrafts.contents(of: url)
    let drafts: KVBindingDrafts
    do throws(KVBindingFaults) { drafts = try KVBindingDrafts(data: data) } catch {
      throw error.of(url.lastPathComponent)
    }
    format = KVBindingDefinitions.Format(of: data)
    load(drafts.drafts)
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
}
