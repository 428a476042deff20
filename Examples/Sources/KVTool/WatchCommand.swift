import ArgumentParser
import Foundation
import KVBinding
import KVDocuments

/// `kv watch`: prints what changes in a document as its file is rewritten.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Prints what changes in a document, by key path, as its file is rewritten.",
    usage: "kv watch [<path> ...] <file> [--interval <interval>] [--count <count>]",
    discussion: """
      One line a change: "+ path: value" for what appears, "- path: value" for what goes, "~ path: old → new" for what is \
      changed. Elements of arrays come and go one by one, with their indexes. A member that is null counts as one that is \
      not there. Read one after the other, the lines lead from the old document to the new one.

      With paths only what is at or below them is printed. A path that ends in an operator, such as items.@sum.price, is \
      computed anew when the document has changed.

      The file may be written in place, replaced, or deleted and made again. While it is not there, or is not well-formed, \
      one line on standard error says so, and the last good document stays. An interrupt (Ctrl-C) ends the command with \
      exit code 0.
      """)

  @Argument(
    help: ArgumentHelp(
      "The key paths that are watched, everything if there are none; and the file of the document, with an object at its top.",
      valueName: "path> ... <file"))
  var arguments: [String] = []

  @OptionGroup var option: FileOption

  @Option(help: "How many seconds lie between two looks at the file.")
  var interval = 0.1

  @Option(help: "End after the document has changed so many times; 0 for never.")
  var count = 0

  func validate() throws {
    guard option.file != nil || !arguments.isEmpty else { throw ValidationError("Missing expected argument '<file>'") }
    if file == "-" { throw ValidationError("Standard input cannot be watched; give the name of a file.") }
    guard interval > 0, interval <= 3600 else {
      throw ValidationError("The value '\(interval)' of '--interval' has to be above 0, and at most 3600.")
    }
    if count < 0 { throw ValidationError("The value '\(count)' of '--count' must not be negative.") }
  }

  private var file: String { option.file ?? arguments.last ?? "" }
  private var paths: [String] { option.file == nil ? arguments.dropLast() : arguments }

  func run() throws {
    signal(SIGINT) { _ in _exit(0) }
    KVDiagnostics.setHandler(level: .warning) { event in Self.warn(event.message) }
    let start = try FileOption.hinting(for: paths.first) { try Document.read(from: file).root }
    let paths = try paths.map { try DocumentPath($0).path }
    let document: KVRecord
    do throws(ToolFailure) { document = try Self.record(start) } catch {
      throw ToolFailure("cannot watch \"\(file)\": \(error.line)")
    }
    let watch: DocumentWatch
    do throws(KVError) { watch = try DocumentWatch(document, paths: paths) } catch {
      throw Self.failure(error, paths, start)
    }
    for path in paths { Self.warn(ofMissing: path, in: start) }
    Self.warn("watching \"\(file)\"; Ctrl-C ends it.")
    do throws(KVError) { try follow(watch) } catch { throw ToolFailure(error) }
  }

  /// Looks at the file, again and again.
  private func follow(_ watch: DocumentWatch) throws(KVError) {
    var file = WatchedFile(file)
    var seen: Data??
    var isFault = false
    var changes = 0
    while true {
      let found = file.contents()
      if seen != .some(found) {
        seen = .some(found)
        isFault = true
        // A fault is told when it is still there at the next look: the file may be about to be written.
        if let found, let new = try? Self.record(try KVDocument(data: found).root) {
          isFault = false
          let lines = try watch.merge(new)
          StandardStreams.write(Data(lines.map { "\($0.text)\n" }.joined().utf8))
          if !lines.isEmpty { changes += 1 }
          if count > 0, changes >= count { return }
        }
      } else if isFault {
        isFault = false
        reportFault(found)
      }
      Thread.sleep(forTimeInterval: interval)
    }
  }

  /// Says what is wrong with the file.
  private func reportFault(_ data: Data?) {
    guard let data else { return Self.warn("\"\(file)\" is gone; waiting for it.") }
    var fault = "it cannot be read."
    do { _ = try Self.record(try KVDocument(data: data).root) } catch let error as KVError {
      fault = error.message
    } catch {
      fault = (error as? ToolFailure)?.line ?? fault
    }
    Self.warn("\"\(file)\" is left as it was: \(fault)")
  }

  /// Returns a document as a record.
  private static func record(_ root: Any?) throws(ToolFailure) -> KVRecord {
    guard let dictionary = root as? [String: Any] else {
      throw ToolFailure("the document is \(ValueKind(root).article), not an object.")
    }
    do throws(KVError) { return try KVRecord(dictionary) } catch { throw ToolFailure(error) }
  }

  /// Says that a path leads nowhere yet: it may be mistyped.
  private static func warn(ofMissing path: KVKeyPath, in root: Any?) {
    do throws(ToolFailure) { _ = try DocumentPath(path).value(in: root) } catch { warn(error.line) }
  }

  private static func warn(_ sentence: String) {
    StandardStreams.writeError("kv: \(ToolFailure(sentence).line)\n")
  }

  /// Says in the words of the tool why a path cannot be observed: the library's are for whoever writes programs.
  private static func failure(_ error: KVError, _ paths: [KVKeyPath], _ root: Any?) -> ToolFailure {
    if error.code == .notObservable {
      return ToolFailure(
        """
        "\(error.keyPath ?? "")" cannot be watched: a path begins with a key, and leads through an array by an index, as \
        in items[0].name, or an operator, as in items.@count.
        """)
    }
    do throws(ToolFailure) {
      for path in paths { _ = try DocumentPath(path).value(in: root) }
      return ToolFailure(error)
    } catch {
      return error
    }
  }
}
