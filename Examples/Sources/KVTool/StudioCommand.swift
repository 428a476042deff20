import ArgumentParser
import Foundation
import KVStudio
import Synchronization

/// `kv studio`: serves the programs that run in a browser.
struct StudioCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "studio",
    abstract:
      "Serves programs for a browser: a colour picker, an editor, people in cells, a table, an outline, an inspector.",
    discussion: """
      It prints an address with a secret token, and serves it on this machine only until it is interrupted (Ctrl-C). \
      Another token than a random one comes from the environment variable KV_STUDIO_TOKEN.

      A file with binding definitions is offered by the colour picker. Any other document is shown by the inspector, \
      and the first one as an outline. The page can open further files below the directory.
      """)

  @Argument(help: "Binding definitions and documents.")
  var files: [String] = []

  @Option(name: .shortAndLong, help: "The port; 0 for any that is free.")
  var port: UInt16 = 0

  @Option(name: .shortAndLong, help: "The directory below which the page may open files.")
  var directory = "."

  @Flag(help: "Let the inspector, the table and the outline change the documents, in memory only.")
  var allowEdits = false

  func run() throws {
    let token = ProcessInfo.processInfo.environment["KV_STUDIO_TOKEN"]
    if let token, token.wholeMatch(of: #/[A-Za-z0-9_\-]{16,100}/#) == nil {
      throw ToolFailure("the token in KV_STUDIO_TOKEN is 16 to 100 letters, digits, \"-\" and \"_\".")
    }
    signal(SIGTERM) { _ in _exit(0) }
    try MainActor.assumeIsolated {
      let server: StudioServer
      let studio: Studio
      do throws(StudioFailure) {
        studio = try Studio(directory: URL(fileURLWithPath: directory), files: files, allowsEditing: allowEdits)
        do { server = try StudioServer(studio, port: port, token: token) } catch {
          throw StudioFailure("cannot listen on port \(port) of 127.0.0.1: \(error.localizedDescription)")
        }
      } catch {
        throw ToolFailure(lines: error.sentences)
      }
      Self.warnAtInterrupt(studio)
      StandardStreams.write(Data("\(server.address)\n".utf8))
      Task {
        do { try await server.run() } catch { StandardStreams.writeError("kv: the server has ended: \(error)\n") }
        Foundation.exit(1)
      }
    }
    dispatchMain()
  }

  private static let hasWarned = Mutex(false)
  @MainActor private static var interrupts: (any DispatchSourceSignal)?

  /// Ends the program at an interrupt (Ctrl-C): at once or, if changes would be lost, at the second one.
  @MainActor private static func warnAtInterrupt(_ studio: Studio) {
    signal(SIGINT, SIG_IGN)
    let source = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
    source.setEventHandler { @Sendable in
      let isSecond = hasWarned.withLock { hasWarned in
        defer { hasWarned = true }
        return hasWarned
      }
      // Also when the main queue is busy for ever.
      if isSecond { _exit(0) }
      Task { @MainActor in
        guard studio.hasUnsavedChanges else { _exit(0) }
        StandardStreams.writeError("kv: the editor has unsaved changes. Press Ctrl-C again to end without them.\n")
      }
    }
    source.resume()
    interrupts = source
  }
}
