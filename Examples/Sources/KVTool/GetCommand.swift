import ArgumentParser
import Foundation
import KVBinding

/// `kv get`: prints the value of a path.
struct GetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "get",
    abstract: "Prints the value of a path, as JSON.",
    discussion: """
      Dates are printed in ISO 8601, data in Base64. A null that is there is printed as null; a key that is not there is \
      an error.
      """)

  @Argument(help: "The key path, such as items[0].name or items.@sum.price.")
  var path: String

  @OptionGroup var source: FileOption

  @Flag(name: .shortAndLong, help: "Print a string as it is, without quotes.")
  var raw = false

  func run() throws {
    let path = try DocumentPath(path)
    let value = try path.value(in: try Document.read(from: source.file).root)
    StandardStreams.write(try Self.text(of: value, raw: raw) + Data("\n".utf8))
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
