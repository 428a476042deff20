import ArgumentParser
import Foundation
import KVBinding

/// `kv keys`: lists the keys of a document, or of a value in it.
struct KeysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "keys",
    abstract: "Lists keys with the types of their values, one a line.",
    discussion: """
      The keys of an array are those of its elements; types that differ between elements are all named. A key that could \
      not stand in a path is written as an entry: ["a.b"].
      """)

  @Argument(help: "The key path of an object or an array; the whole document if it is left out.")
  var path: String?

  @OptionGroup var source: DocumentOption

  func run() throws {
    StandardStreams.write(Data(try FileOption.hinting(for: path, lines).utf8))
  }

  private func lines() throws -> String {
    guard let value = try value() else {
      throw ToolFailure("\(self.path.map { "\"\($0)\"" } ?? "the document") is null, and has no keys.")
    }
    var objects = DocumentPath.Objects()
    objects.collect(value)
    if let scalar = objects.scalar, objects.dictionaries.isEmpty {
      throw ToolFailure("\(self.path.map { "\"\($0)\"" } ?? "the document") has no keys: it is or holds \(scalar).")
    }
    return Self.lines(of: objects.dictionaries)
  }

  private func value() throws(ToolFailure) -> Any? {
    guard let path else { return try Document.read(from: source.file).root }
    let parsed = try DocumentPath(path)
    return try parsed.value(in: try DocumentSource(source.file, besidePath: path).excerpt(of: parsed.path))
  }

  private static func lines(of dictionaries: [[String: Any]]) -> String {
    var kinds: [String: Set<ValueKind>] = [:]
    for dictionary in dictionaries {
      for (name, value) in dictionary { kinds[name, default: []].insert(ValueKind(value)) }
    }
    return kinds.sorted { $0.key < $1.key }.map { name, kinds in
      "\(component(name)): \(kinds.sorted().map(\.rawValue).joined(separator: " or "))\n"
    }.joined()
  }

  private static func component(_ name: String) -> String {
    let entry = KVKeyPath.Component.entry(name).description
    return (try? KVKeyPath(components: [.key(name)]).description) ?? entry
  }
}
