import ArgumentParser
import Foundation
import KVBinding
import KVDocuments

/// `kv set`: prints the document with another value at a path.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Prints the document with another value at a path.",
    discussion: """
      The last key of the path may be new; all before it have to be there. A key of an array is set in each element. Of JSON, \
      every byte outside of the value stays as it is. Property lists are printed as XML, with sorted keys and all other \
      values. The file itself is not changed.
      """)

  @Argument(help: "The key path, such as items[0].name.")
  var path: String

  @Argument(help: "The value: JSON, or else a string.")
  var value: String

  @OptionGroup var source: DocumentOption

  @Flag(name: .shortAndLong, help: "Take the value as a string, even if it is valid JSON.")
  var string = false

  func run() throws {
    let data = try FileOption.hinting(for: path) {
      let path = try DocumentPath(path).path
      let source = try DocumentSource(source.file, besidePath: self.path)
      let data = try source.all()
      var document = try Document(data, of: source)
      let (value, text) = parsedValue
      try document.set(value, at: path)
      if document.format == .json { return JSONSplice.data(data, setting: path, to: text) }
      return try document.propertyList()
    }
    StandardStreams.write(data)
  }

  /// The value, and its text in JSON.
  private var parsedValue: (value: Any, text: Data) {
    let data = Data(value.utf8)
    if !string, let document = try? KVDocument(data: data, format: .json) {
      return (document.root ?? KVDocument.Null(), Data(value.trimmingCharacters(in: .whitespacesAndNewlines).utf8))
    }
    return (value, (try? KVDocument(value).data()) ?? data)
  }
}
