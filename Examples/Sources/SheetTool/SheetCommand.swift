import ArgumentParser
import Foundation
import KVBinding

/// The program `sheet`: edits a spreadsheet by commands, one a line.
@main struct SheetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "A spreadsheet in the terminal: numbers, texts and formulas in the cells A1 to Z999.",
    discussion: """
      \(Session.help)

      A file has a line NAME = INPUT for each cell; empty lines, and lines that begin with #, are skipped.

      The exit code is 0; 1 if a command failed, or the file cannot be read; 2 for bad usage. A command that fails leaves the \
      sheet as it was.
      """)

  @Argument(help: "A file to begin with.") var file: String?
  @Option(name: .shortAndLong, help: "A command to run in place of those of standard input; may be repeated.")
  var command: [String] = []

  func run() throws {
    KVDiagnostics.setHandler(nil)  // the errors of formulas are values of cells, and shown there
    let session = try Session()
    do { if let file { try session.open(file) } } catch {
      report(error)
      throw ExitCode.failure
    }
    let isTerminal = command.isEmpty && isatty(STDIN_FILENO) == 1
    var commands = command.makeIterator()
    var hasFailed = false
    while session.isRunning, let line = command.isEmpty ? nextLine(isTerminal) : commands.next() {
      do { for text in try session.run(line) { print(text) } } catch {
        report(error)
        hasFailed = !isTerminal
      }
    }
    if hasFailed { throw ExitCode.failure }
  }

  private func nextLine(_ isTerminal: Bool) -> String? {
    if isTerminal {
      print("> ", terminator: "")
      fflush(nil)
    }
    return readLine()
  }

  private func report(_ error: any Error) {
    fflush(nil)
    FileHandle.standardError.write(Data("sheet: \((error as? KVError)?.message ?? "\(error)")\n".utf8))
  }

  static func main() {
    do {
      var command = try parseAsRoot()
      try command.run()
    } catch let code as ExitCode {
      Foundation.exit(code.rawValue)
    } catch {
      let isHelp = exitCode(for: error) == .success
      (isHelp ? FileHandle.standardOutput : .standardError).write(Data("\(fullMessage(for: error))\n".utf8))
      Foundation.exit(isHelp ? 0 : 2)
    }
  }
}
