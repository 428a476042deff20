import Foundation

extension KVBindingDrafts {
  /// Reads a file, as far as it goes.
  ///
  /// - Parameter url: The file: JSON or a property list, whichever its content says.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or holds no definitions at all.
  /// - Complexity: O(*n*).
  public init(contentsOf url: URL) throws(KVBindingFaults) {
    let data = try Self.contents(of: url)
    do throws(KVBindingFaults) { try self.init(data: data) } catch { throw error.of(url.lastPathComponent) }
  }

  static func contents(of url: URL) throws(KVBindingFaults) -> Data {
    do { return try Data(contentsOf: url) } catch {
      let fault = KVBindingFault(.unreadableFile, "the file cannot be read: \(error.sentence).")
      throw KVBindingFaults(fault, file: url.lastPathComponent)
    }
  }

  /// Reads a document, as far as it goes.
  ///
  /// - Parameter data: JSON or a property list, whichever its beginning says.
  /// - Throws: ``KVBindingFaults`` if it is malformed, or holds no definitions at all.
  /// - Complexity: O(*n*).
  public init(data: Data) throws(KVBindingFaults) {
    if KVPropertyList.format(of: data) == nil { try self.init(json: data) } else { try self.init(propertyList: data) }
  }

  init(json data: Data) throws(KVBindingFaults) {
    let document: (value: Any?, outline: JSONOutline)
    do throws(DocumentFault) {
      document = try JSONReader.read(data, outlineDepth: DefinitionReader.outlineDepth)
    } catch {
      throw KVBindingFaults(
        KVBindingFault(
          .invalidDocument, "no JSON: \(error.sentence(namesLine: false)).", line: error.line,
          underlying: error.readingError(of: "JSON")))
    }
    try self.init(DefinitionReader(document.value, .json, outline: document.outline))
  }

  init(propertyList data: Data) throws(KVBindingFaults) {
    let root: Any
    do throws(KVError) { root = try KVPropertyList.value(from: data) } catch {
      throw KVBindingFaults(KVBindingFault(.invalidDocument, error.message, underlying: error))
    }
    try self.init(DefinitionReader(root, .propertyList))
  }

  /// Returns the drafts as a document.
  ///
  /// - Throws: ``KVError`` with the code `unsupported` if a text holds a control character, and the format is XML.
  package func data(format: KVBindingDefinitions.Format) throws(KVError) -> Data {
    switch format {
    case .json: return try KVJSON.data(from: DefinitionWriter.json(drafts), options: .pretty) + Data("\n".utf8)
    case .binaryPropertyList:
      return try KVPropertyList.data(from: DefinitionWriter.propertyList(drafts), format: .binary)
    case .xmlPropertyList:
      if let (index, text) = DefinitionWriter.unwritableInXML(drafts) {
        throw KVError(
          .unsupported,
          """
          binding \(index + 1) cannot be written as XML: the text \(text.debugDescription) holds a control character. Take \
          it out, or write JSON or a binary property list.
          """)
      }
      return try KVPropertyList.data(from: DefinitionWriter.propertyList(drafts), format: .xml)
    }
  }

  /// Writes a file, atomically: it has the old content or the new one, never a part.
  ///
  /// - Parameter url: The file. Property lists end in `.plist` or `.ilabs-bindings`, and are written binary; all else
  ///   is JSON.
  /// - Throws: ``KVError``: `custom` with Foundation's error as the cause if the file cannot be written.
  public func write(to url: URL) throws(KVError) {
    let isPropertyList = ["plist", "ilabs-bindings"].contains(url.pathExtension)
    try write(to: url, format: isPropertyList ? .binaryPropertyList : .json)
  }

  func write(to url: URL, format: KVBindingDefinitions.Format) throws(KVError) {
    let data = try data(format: format)
    do { try data.write(to: url, options: .atomic) } catch {
      throw KVError(
        .custom, "\"\(url.lastPathComponent)\" cannot be written: \(error.sentence).", underlying: error)
    }
  }
}

extension KVBindingDefinitions.Format {
  /// The format of a document, as its beginning tells.
  package init(of data: Data) {
    self =
      switch KVPropertyList.format(of: data) {
      case nil: .json
      case .xml: .xmlPropertyList
      case .binary: .binaryPropertyList
      }
  }
}
