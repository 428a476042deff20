import ArgumentParser
import Foundation
import KVBinding

/// `kv check`: says everything that is wrong with a file of binding definitions.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Says everything that is wrong with a file of binding definitions.",
    discussion: """
      The file is JSON, or a property list in the format of Bindings for iOS. Each fault is a line on standard error, with \
      the line of the file where it is JSON, and the number and the key of the binding. After a hundred faults the check ends, and a last line says so. The exit code \
      is 1 if there is one.

      A transformer that the library does not have is not a fault, since the program may have it: a note on standard error \
      names it.
      """)

  @OptionGroup var source: DocumentOption

  @Option(
    name: .shortAndLong,
    help: "A document that stands for the owner of the bindings: all paths have to lead to something in it.")
  var against: String?

  func validate() throws {
    if source.file == nil, against == "-" { throw ValidationError("Only one document comes from standard input.") }
  }

  func run() throws {
    let data = try DocumentSource(source.file).all()
    let name = source.file ?? "standard input"
    let against = try against.map { try Document.read(from: $0).root }
    let check = DefinitionCheck(data, against: against)
    if !check.faults.isEmpty { throw ToolFailure(lines: check.faults.map { "\(name): \($0)" }) }
    for note in check.notes { StandardStreams.writeError("kv: \(name): \(ToolFailure(note).line)\n") }
    StandardStreams.write(Data("\(check.count) binding\(check.count == 1 ? "" : "s"), no faults.\n".utf8))
  }
}
