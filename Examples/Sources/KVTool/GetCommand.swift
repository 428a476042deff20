import ArgumentParser
import Foundation
import KVBinding
import KVDocuments

/// `kv get`: prints the value of a path.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints the value of a path, as JSON.",
    discussion: """
      Dates are printed in RFC 3339, data in Base64. A null that is there is printed as null; a key that is not there is \
      an error. Of JSON, only what the path reads is kept in memory; all of it is checked.
      """)

  @Argument(help: "The key path, such as items[0].name or items.@sum.price.")
  var path: String

  @OptionGroup var source: DocumentOption

  @Flag(name: .shortAndLong, help: "Print a string as it is, without quotes.")
  var raw = false

  func run() throws {
    let text = try FileOption.hinting(for: path) {
      let path = try DocumentPath(path)
      let source = try DocumentSource(source.file, besidePath: self.path)
      return try Self.text(of: try path.value(in: try source.excerpt(of: path.path)), raw: raw)
    }
    StandardStreams.write(text + Data("\n".utf8))
  }

  private static func text(of value: Any?, raw: Bool) throws(ToolFailure) -> Data {
    do throws(KVError) {
      if raw, let text = value as? String { return Data(text.utf8) }
      let data = try KVDocument(value).data(isPretty: true, datesAsText: true, dataAsText: true)
      let isText = ValueKind(value) == .date || ValueKind(value) == .data
      return raw && isText ? data.dropFirst().dropLast() : data
    } catch {
      throw ToolFailure(error)
    }
  }
}
