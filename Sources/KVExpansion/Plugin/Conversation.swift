import Foundation

/// A conversation with the compiler over two streams of bytes.
///
/// Each message is the number of its bytes (8 bytes, little-endian) and as many bytes of JSON. The compiler ends the
/// conversation by an empty message or by closing its stream. A message that cannot be read is answered with an error, so that the
/// compiler never waits for an answer, and never sees the plug-in end without one.
package struct Conversation {
  private let input: FileHandle
  private let output: FileHandle
  private var plugin = Plugin()

  package init(input: FileHandle, output: FileHandle) {
    self.input = input
    self.output = output
  }

  /// Answers messages until the compiler ends the conversation.
  package mutating func run() throws {
    while let message = try readMessage() { try write(plugin.answer(message)) }
  }

  private func readMessage() throws -> Data? {
    guard let header = try read(8) else { return nil }
    let count = header.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard count > 0, let count = Int(exactly: count) else { return nil }
    return try read(count)
  }

  /// Reads as many bytes; nil at the end of the stream.
  private func read(_ count: Int) throws -> Data? {
    var data = Data()
    while data.count < count {
      // The number may be nonsense: as much memory is taken as bytes come.
      let wanted = min(count - data.count, 1 << 20)
      guard let piece = try input.read(upToCount: wanted), !piece.isEmpty else { return nil }
      data += piece
    }
    return data
  }

  private func write(_ answer: PluginMessage) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let body = try encoder.encode(answer)
    let header = Data((0..<8).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) })
    try output.write(contentsOf: header + body)
  }
}
