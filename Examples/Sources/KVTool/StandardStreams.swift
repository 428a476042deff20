import Foundation

/// The standard streams of the process.
enum StandardStreams {
  /// Writes to standard output; if that fails, says so and ends the process with exit code 2.
  static func write(_ data: Data) {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      writeError("kv: cannot write to standard output: \(reason(error)).\n")
      exit(2)
    }
  }

  /// Reads what is there of a file, a pipe or a terminal, up to a number of bytes; waits only if there is nothing.
  static func read(_ handle: FileHandle, upToCount count: Int) throws -> Data {
    var data = Data(count: count)
    var result = -1
    repeat {
      result = data.withUnsafeMutableBytes { Foundation.read(handle.fileDescriptor, $0.baseAddress, $0.count) }
    } while result < 0 && errno == EINTR
    if result < 0 { throw NSError(domain: NSPOSIXErrorDomain, code: Int(errno)) }
    return data.prefix(result)
  }

  /// Writes to standard error.
  static func writeError(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data(text.utf8)) }

  /// What the system says about an error.
  static func reason(_ error: any Error) -> String {
    var error = error as NSError
    while let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError { error = cause }
    if error.domain == NSPOSIXErrorDomain { return String(cString: strerror(Int32(error.code))) }
    let text = error.localizedDescription
    return String(text.last == "." ? text.dropLast() : text[...])
  }
}
