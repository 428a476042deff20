import ArgumentParser
import Foundation

/// The command-line tool: reads, changes and watches JSON documents and property lists by key path.
public struct KVCommand: ParsableCommand {
  /// The name, the help and the subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "kv",
    abstract: "Reads, queries, changes and watches JSON documents and property lists by key path.",
    discussion: """
      A path is made of keys, indexes and operators: targets[0].name, items.@sum.price, ["a.b"].size. A key of an array is \
      read of each element.

      The document is the last argument of every command, or the file that --file names; standard input without either. It \
      is JSON, an XML property list or a binary one, whichever its content says. What is watched is a file.

      The exit code is 0; 1 for a bad file, path or value; 2 for bad usage, and for output that cannot be written.
      """,
    version: "kv 0.1.0",  // the version of the package; check.sh compares it with CHANGELOG
    subcommands: [
      GetCommand.self, SetCommand.self, KeysCommand.self, QueryCommand.self, WatchCommand.self, CheckCommand.self,
      TourCommand.self, StudioCommand.self,
    ])

  /// Makes the command.
  public init() {}

  /// Runs the tool with the arguments of the process, and ends the process.
  ///
  /// The exit code is 0; 1 for a bad file, path or value, with one line on standard error, or one a fault of definitions;
  /// 2 for bad usage, and for output that cannot be written. Standard output is written last, and only if all went well;
  /// by `kv watch` as long as that runs.
  public static func runAndExit() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if let line = unknownCommand(arguments.first) {
      StandardStreams.writeError("kv: \(line)\n")
      Foundation.exit(2)
    }
    do {
      var command = try parseAsRoot(NegativeNumbers.protected(arguments))
      try command.run()
      Foundation.exit(0)
    } catch let error as ToolFailure {
      for line in error.lines.map({ "kv: \($0)" }) + error.excerpt { StandardStreams.writeError("\(line)\n") }
      Foundation.exit(1)
    } catch {
      let message = fullMessage(for: error)
      if exitCode(for: error) == .success {
        StandardStreams.write(Data("\(message)\n".utf8))
        Foundation.exit(0)
      }
      StandardStreams.writeError("\(message)\n")
      Foundation.exit(2)
    }
  }

  /// Says that there is no command of a name; nil if there is one.
  static func unknownCommand(_ name: String?) -> String? {
    let names = configuration.subcommands.map { $0.configuration.commandName ?? "" } + ["help"]
    guard let name, !name.hasPrefix("-"), !names.contains(name) else { return nil }
    let hint = Nearest.hint(for: name, among: names)
    return "there is no command \"\(name)\".\(hint) The commands: \(names.joined(separator: ", "))."
  }
}
