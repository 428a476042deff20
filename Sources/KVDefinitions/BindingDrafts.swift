import Foundation
import KVBinding
import KVCore
import KVDocuments

/// The drafts of a file that may have faults, as an editor opens and saves it (DEF.2).
///
/// Only a file that is no document of definitions, or that a later version wrote, is refused. In other files, a missing
/// field and one of another type is as in a blank draft, and one of the ``faults``.
package struct BindingDrafts: Sendable, Hashable {
  /// The drafts, in the order of the file; a blank one for an entry that is no definition.
  package var drafts: [BindingDraft]
  /// The faults of the file when it was read; of many, the first 100, as ``KVBindingFaults`` lists them.
  package let faults: [KVBindingFault]

  package init(_ drafts: [BindingDraft] = []) {
    self.drafts = drafts
    faults = []
  }

  init(_ reader: DefinitionReader) throws(KVBindingFaults) {
    guard reader.isReadable else { throw KVBindingFaults(reader.faults) }
    drafts = reader.drafts
    faults = KVBindingFaults.first(of: reader.faults)
  }
}

extension BindingDrafts {
  /// Reads a file, which may have faults.
  ///
  /// - Parameter url: The file: JSON or a property list, which its content determines.
  /// - Throws: ``KVBindingFaults`` if it cannot be read, or is no document of definitions.
  /// - Complexity: O(*n*).
  package init(contentsOf url: URL) throws(KVBindingFaults) {
    let data = try Self.contents(of: url)
    do throws(KVBindingFaults) { try self.init(data: data) } catch { throw error.of(url.lastPathComponent) }
  }

  static func contents(of url: URL) throws(KVBindingFaults) -> Data {
    do { return try Data(contentsOf: url) } catch {
      let reason = missingDirectory(of: url) ?? error.sentence
      let fault = KVBindingFault(.unreadableFile, "the file cannot be read: \(reason).")
      throw KVBindingFaults(fault, file: url.lastPathComponent)
    }
  }

  /// Says that the directory of a file does not exist; nil if it does.
  private static func missingDirectory(of url: URL) -> String? {
    let directory = url.deletingLastPathComponent().path
    return FileManager.default.fileExists(atPath: directory) ? nil : "there is no directory \"\(directory)\""
  }

  /// Reads a document, which may have faults.
  ///
  /// - Parameter data: JSON or a property list, which its beginning determines.
  /// - Throws: ``KVBindingFaults`` if it is malformed, or is no document of definitions.
  /// - Complexity: O(*n*).
  package init(data: Data) throws(KVBindingFaults) {
    let format = KVDocument.Format(of: data)
    try self.init(format == .json ? Self.json(data) : Self.propertyList(data, format))
  }

  private static func json(_ data: Data) throws(KVBindingFaults) -> DefinitionReader {
    do throws(DocumentFault) {
      let (value, outline) = try JSONReader.read(data, outlineDepth: DefinitionReader.outlineDepth)
      return DefinitionReader(value, .json, outline: outline)
    } catch {
      throw KVBindingFaults(
        KVBindingFault(
          .invalidDocument, "not JSON: \(error.sentence(namesLine: false)).", line: error.line,
          underlying: error.readingError(of: "JSON")))
    }
  }

  private static func propertyList(
    _ data: Data, _ format: KVDocument.Format
  ) throws(KVBindingFaults) -> DefinitionReader {
    do throws(KVError) { return DefinitionReader(try PropertyListCoding.value(from: data), format) } catch {
      throw KVBindingFaults(KVBindingFault(.invalidDocument, error.message, underlying: error))
    }
  }

  /// Returns the drafts as a document.
  ///
  /// - Throws: ``KVError`` with the code `unsupported` if a text holds a control character, and the format is XML.
  package func data(format: KVDocument.Format) throws(KVError) -> Data {
    if format == .xml, let (index, text) = DefinitionWriter.unwritableInXML(drafts) {
      throw KVError(
        .unsupported,
        """
        binding \(index + 1) cannot be written as XML: the text \(text.debugDescription) holds a control character. Take \
        it out, or write JSON or a binary property list.
        """)
    }
    let data = try KVDocument(DefinitionWriter.tree(drafts, format), format: format).data(isPretty: true)
    return format == .json ? data + Data("\n".utf8) : data
  }

  /// Writes a file atomically: it has the old content or the new one, never a part.
  ///
  /// - Parameter url: The file. Property lists end in `.plist` or `.ilabs-bindings`, and are written binary; all else
  ///   is JSON.
  /// - Throws: ``KVError``: `custom` with Foundation's error as the cause if the file cannot be written.
  package func write(to url: URL) throws(KVError) {
    let isPropertyList = ["plist", "ilabs-bindings"].contains(url.pathExtension)
    try write(to: url, format: isPropertyList ? .binary : .json)
  }

  func write(to url: URL, format: KVDocument.Format) throws(KVError) {
    let data = try data(format: format)
    do { try data.write(to: url, options: .atomic) } catch {
      let reason = Self.missingDirectory(of: url) ?? error.sentence
      throw KVError(.custom, "\"\(url.lastPathComponent)\" cannot be written: \(reason).", underlying: error)
    }
  }
}
