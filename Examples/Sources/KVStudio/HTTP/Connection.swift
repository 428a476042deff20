import FlyingSocks
import Foundation

/// A connection whose reads and writes have a time limit.
struct Connection: Sendable {
  let socket: AsyncSocket
  let timeout: Duration

  /// Reads some bytes; none at the end.
  func read() async throws -> [UInt8] {
    do { return try await socket.read(atMost: 4096) } catch SocketError.disconnected { return [] }
  }

  /// Writes all bytes, or throws if the other side does not take them in time.
  func write(_ data: Data) async throws {
    try await Self.within(timeout) { try await socket.write(data) }
  }

  /// Reads the request.
  ///
  /// - Parameters:
  ///   - limits: The limits.
  ///   - check: Throws a refusal for a head whose body is not to be read.
  /// - Throws: A refusal, or the error of the connection.
  func request(
    _ limits: RequestReader.Limits, check: @escaping @Sendable (Request) throws -> Void
  ) async throws -> Request? {
    do {
      return try await Self.within(timeout) {
        var (reader, isChecked) = (RequestReader(limits: limits), false)
        while true {
          let bytes = try await read()
          if bytes.isEmpty { return nil }
          let request = try reader.add(bytes)
          if !isChecked, let head = reader.head {
            try check(head)
            isChecked = true
          }
          if let request { return request }
        }
      }
    } catch is TimedOut {
      throw Refusal(408, "The request was not complete after \(timeout.components.seconds) seconds.")
    }
  }

  /// Waits, and drops what the other side sends meanwhile; not longer than the connection is open.
  func wait(for duration: Duration, _ clock: any Clock<Duration>) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        try? await clock.sleep(for: duration)
        // It ends the read below, also where that began to wait while it was cancelled.
        shutdown(socket.socket.file.rawValue, Int32(SHUT_RD))
      }
      group.addTask { while let bytes = try? await read(), !bytes.isEmpty {} }
      await group.next()
      group.cancelAll()
    }
  }

  /// Reads and drops what the other side is still sending, so that it gets the answer instead of a reset, and closes.
  func close(draining: Bool) async {
    if draining {
      // The other side sees the end of the answer at once.
      shutdown(socket.socket.file.rawValue, Int32(SHUT_WR))
      try? await Self.within(.seconds(1)) {
        var rest = 8 << 20
        while rest > 0 {
          let count = try await read().count
          if count == 0 { break }
          rest -= count
        }
      }
    }
    try? socket.close()
  }

  private struct TimedOut: Error {}

  private static func within<Value: Sendable>(
    _ duration: Duration, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    try await withThrowingTaskGroup(of: Value.self) { group in
      group.addTask(operation: body)
      group.addTask {
        try await Task.sleep(for: duration)
        throw TimedOut()
      }
      defer { group.cancelAll() }
      guard let value = try await group.next() else { throw TimedOut() }
      return value
    }
  }
}
