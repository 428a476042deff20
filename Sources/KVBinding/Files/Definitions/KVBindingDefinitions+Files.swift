import Foundation

extension KVBindingDefinitions {
  /// Reads a file.
  ///
  /// - Parameter url: The file: JSON or a property list, whichever its content says.
  /// - Throws: ``KVBindingFaults``: everything that is wrong with it.
  /// - Complexity: O(*n*).
  public init(contentsOf url: URL) throws(KVBindingFaults) {
    let drafts = try KVBindingDrafts(contentsOf: url)
    do throws(KVBindingFaults) { try self.init(drafts) } catch { throw error.of(url.lastPathComponent) }
  }

  /// Reads a document: JSON or a property list, whichever its beginning says.
  package init(data: Data) throws(KVBindingFaults) { try self.init(KVBindingDrafts(data: data)) }

  /// Reads a JSON document.
  ///
  /// - Parameter data: The document, in UTF-8.
  /// - Throws: ``KVBindingFaults``: everything that is wrong with it, with lines.
  /// - Complexity: O(*n*).
  public init(json data: Data) throws(KVBindingFaults) { try self.init(KVBindingDrafts(json: data)) }

  /// Reads a property list.
  ///
  /// - Parameter data: The property list, XML or binary.
  /// - Throws: ``KVBindingFaults``: everything that is wrong with it.
  /// - Complexity: O(*n*).
  public init(propertyList data: Data) throws(KVBindingFaults) { try self.init(KVBindingDrafts(propertyList: data)) }

  /// Returns the definitions as a JSON document, sorted and indented.
  package func jsonData() throws(KVError) -> Data { try drafts.data(format: .json) }

  /// Returns the definitions as a property list that Bindings for iOS reads, as far as it knows what is in them.
  ///
  /// - Parameter format: The form; binary by default, as the original writes.
  /// - Returns: The property list.
  /// - Throws: ``KVError`` with the code `unsupported` if a text holds a control character, and the form is XML.
  /// - Complexity: O(*n* log *n*), since entries are sorted.
  public func propertyListData(format: KVPropertyList.Format = .binary) throws(KVError) -> Data {
    try drafts.data(format: format == .xml ? .xmlPropertyList : .binaryPropertyList)
  }

  /// Writes a file, atomically: it has the old content or the new one, never a part.
  ///
  /// - Parameter url: The file. Property lists end in `.plist` or `.ilabs-bindings`, and are written binary; all else
  ///   is JSON.
  /// - Throws: ``KVError``: `custom` with Foundation's error as the cause if the file cannot be written.
  public func write(to url: URL) throws(KVError) { try drafts.write(to: url) }

  package func write(to url: URL, format: Format) throws(KVError) { try drafts.write(to: url, format: format) }
}
