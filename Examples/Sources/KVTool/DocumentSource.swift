import Foundation
import KVBinding
import KVDocuments

/// The bytes of a document, from a file of any kind or from standard input, chunk by chunk.
///
/// A terminal hears of it: that standard input is read, and how far the reading is once it has taken two seconds.
final class DocumentSource {
  private static let chunkSize = 1 << 18

  /// The name for messages.
  let name: String
  private let handle: FileHandle
  private let size: Int?

  private var count = 0
  private let progress: Progress

  /// Opens a document.
  ///
  /// - Parameters:
  ///   - file: The path of the file; nil or `-` for standard input.
  ///   - path: The key path that was given beside it.
  ///   - progress: Hears how much was read.
  init(
    _ file: String?, besidePath path: String? = nil, progress: Progress = Progress()
  ) throws(ToolFailure) {
    self.progress = progress
    guard let file, file != "-" else {
      (name, handle, size) = ("standard input", .standardInput, nil)
      if isatty(STDIN_FILENO) == 1 {
        let hint = path.map(FileOption.hint) ?? ""
        StandardStreams.writeError("kv: reading the document from standard input; Ctrl-D ends it.\(hint)\n")
      }
      return
    }
    name = "\"\(file)\""
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: file, isDirectory: &isDirectory) else {
      throw Self.missing(file)
    }
    if isDirectory.boolValue { throw ToolFailure("cannot read \"\(file)\": it is a directory.") }
    do { handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file)) } catch {
      throw ToolFailure("cannot read \"\(file)\": \(StandardStreams.reason(error)).")
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    size = attributes?[.type] as? FileAttributeType == .typeRegular ? (attributes?[.size] as? NSNumber)?.intValue : nil
  }

  private static func missing(_ name: String) -> ToolFailure {
    let file = URL(fileURLWithPath: name)
    let directory = file.deletingLastPathComponent().path
    guard let others = try? FileManager.default.contentsOfDirectory(atPath: directory) else {
      let directory = (name as NSString).deletingLastPathComponent
      return ToolFailure("cannot read \"\(name)\": there is no directory \"\(directory)\".")
    }
    let hint = Nearest.hint(for: file.lastPathComponent, among: others)
    return ToolFailure("cannot read \"\(name)\": there is no such file.\(hint)")
  }

  /// Returns the next bytes; nil at the end.
  func next() throws -> Data? {
    let chunk = try StandardStreams.read(handle, upToCount: Self.chunkSize)
    count += chunk.count
    if chunk.isEmpty { progress.finish() } else { progress.report(amount) }
    return chunk.isEmpty ? nil : chunk
  }

  /// Returns all bytes.
  func all() throws(ToolFailure) -> Data {
    var data = Data()
    do { while let chunk = try next() { data.append(chunk) } } catch {
      throw ToolFailure("cannot read \(name): \(StandardStreams.reason(error)).")
    }
    return data
  }

  /// Returns what a path reads of the document.
  func excerpt(of path: KVKeyPath) throws(ToolFailure) -> KVDocumentExcerpt {
    do throws(KVError) { return try KVDocumentExcerpt(of: path) { try self.next() } } catch {
      progress.finish()
      throw ToolFailure("cannot read \(name): \(error.message)")
    }
  }

  // MARK: Progress

  private var amount: String {
    let total = size.map { " of \(Self.megabytes($0))" } ?? ""
    return "\(Self.megabytes(count))\(total) read"
  }

  private static func megabytes(_ count: Int) -> String { "\(count / 1_000_000) MB" }
}
