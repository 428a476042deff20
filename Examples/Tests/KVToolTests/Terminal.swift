import Foundation

@testable import KVTool

/// A pseudoterminal: what a program reads from it and writes to it as to a real one.
final class Terminal {
  private let control: FileHandle
  /// The end of the program.
  let handle: FileHandle

  init?() {
    guard let (descriptor, name) = Self.descriptor() else { return nil }
    let other = open(name, O_RDWR | O_NOCTTY)
    guard other >= 0 else { return nil }
    control = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    handle = FileHandle(fileDescriptor: other, closeOnDealloc: true)
  }

  #if os(Linux)
    /// Makes a pseudoterminal as `posix_openpt` and its like do, which the module of the C library leaves out.
    private static func descriptor() -> (Int32, String)? {
      let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
      var lock: Int32 = 0
      var number: UInt32 = 0
      let (setLock, getNumber) = (UInt(0x4004_5431), UInt(0x8004_5430))
      guard descriptor >= 0, ioctl(descriptor, setLock, &lock) == 0, ioctl(descriptor, getNumber, &number) == 0 else {
        return nil
      }
      return (descriptor, "/dev/pts/\(number)")
    }
  #else
    private static func descriptor() -> (Int32, String)? {
      let descriptor = posix_openpt(O_RDWR | O_NOCTTY)
      guard descriptor >= 0, grantpt(descriptor) == 0, unlockpt(descriptor) == 0, let name = ptsname(descriptor) else {
        return nil
      }
      return (descriptor, String(cString: name))
    }
  #endif

  /// Types a text.
  func type(_ text: String) throws { try control.write(contentsOf: Data(text.utf8)) }

  /// Returns what was written to the terminal up to a text, or before half a minute passed without more.
  func read(until text: String) throws -> String {
    var seen = ""
    while !seen.contains(text), hasInput(within: 30_000) {
      let data = try StandardStreams.read(control, upToCount: 4_096)
      if data.isEmpty { break }
      seen += String(decoding: data, as: UTF8.self)
    }
    return seen
  }

  /// Whether there is something to read, for which it waits so many milliseconds.
  private func hasInput(within milliseconds: Int32) -> Bool {
    var input = pollfd(fd: control.fileDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&input, 1, milliseconds) > 0
  }
}
