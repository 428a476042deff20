import Foundation

/// Writes the events of a window to its connection, until either ends.
struct EventReader: Sendable {
  let connection: Connection
  let studio: Studio
  let window: String

  /// Writes events behind a position.
  ///
  /// A reader that does not take what is written for some seconds, or whose next event has left the list, is dropped.
  /// It can connect again and resume behind the last event that it has received.
  func run(after position: Int) async {
    let (number, wakeups) = await studio.beginReading(window)
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await write(wakeups, number, after: position) }
      // The page sends nothing more: what can be read is the end.
      group.addTask { while try await !connection.read().isEmpty {} }
      defer { group.cancelAll() }
      _ = await group.nextResult()
    }
    await studio.endReading(window, number)
  }

  private func write(_ wakeups: AsyncStream<Void>, _ number: Int, after position: Int) async throws {
    var position = position
    var lastWritten = ContinuousClock.now
    try await connection.write(Data("retry: 1000\n\n".utf8))
    for await _ in wakeups {
      var isAtEnd = false
      while !isAtEnd {
        guard await studio.isReading(window, number) else { return }
        guard case .events(let text, let end) = await studio.hub.events(for: window, after: position) else {
          return try await connection.write(Data("event: lost\ndata: {}\n\n".utf8))
        }
        isAtEnd = end == position
        position = end
        if !text.isEmpty || lastWritten.duration(to: .now) > .seconds(10) {
          try await connection.write(Data((text.isEmpty ? ":\n\n" : text).utf8))
          lastWritten = .now
        }
      }
    }
  }
}
