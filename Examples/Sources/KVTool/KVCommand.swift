import ArgumentParser
import Foundation

/// The command-line tool: reads, changes and watches JSON documents and property lists by key path.
public struct KVCommand: ParsableCommand {
  /// The name, the help and the subcommands.
  public static let configuration = CommandConfiguration(
    commandName: "kv",
    abstract: "Reads, changes and watches JSON documents and property lists by key path.",
    discussion: """
      A path is made of keys, indexes and operators: targets[0].name, items.@sum.price, ["a.b"].size. A key of an array is \
      read of each element.

      The document comes from standard input, or from the file that --file names. It is JSON, an XML property list or a \
      binary one, whichever its content says. What is watched is a file.
      """,
    subcommands: [
      GetCommand.self, SetCommand.self, KeysCommand.self, WatchCommand.self, CheckCommand.self, TourCommand.self,
    ])

  /// Makes the command.
  public init() {}

  /// Runs the tool with the arguments of the process, and ends the process.
  ///
  /// The exit code is 0; 1 for a bad file, path or value, with one line on standard error, or one a fault of definitions;
  /// 2 for bad usage. Standard output is written last, and only if all went well; by `kv watch` as long as that runs.
  public static func runAndExit() -> Never {
    do {
      var command = try parseAsRoot(NegativeNumbers.protected(Array(CommandLine.arguments.dropFirst())))
      try command.run()
      Foundation.exit(0)
    } catch let error as ToolFailure {
      for line in error.lines { StandardStreams.writeError("kv: \(line)\n") }
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
}
