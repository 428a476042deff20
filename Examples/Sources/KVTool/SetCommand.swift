import ArgumentParser
import Foundation
import KVBinding

/// `kv set`: prints the document with another value at a path.
struct SetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set",
    abstract: "Prints the document with another value at a path.",
    discussion: """
      The last key of the path may be new; all before it have to be there. A key of an array is set in each element. JSON \
      stays JSON, and keeps its line breaks or the lack of them; property lists are printed as XML. Keys come out sorted. \
      The file itself is not changed.
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
      var document = try Document.read(from: source.file, besidePath: self.path)
      try document.set(parsedValue, at: path)
      do throws(KVError) { return try document.data() } catch { throw ToolFailure(error) }
    }
    StandardStreams.write(data)
  }

  private var parsedValue: Any {
    if string { return value }
    do throws(KVError) {
      return try KVDocument(data: Data(value.utf8), format: .json).root ?? KVDocument.Null()
    } catch {
      return value
    }
  }
}
