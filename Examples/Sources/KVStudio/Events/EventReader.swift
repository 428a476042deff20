import Foundation

/// Writes the events of some windows to the connection of their browser, until either ends.
struct EventReader: Sendable {
  let connection: Connection
  let studio: Studio
  let windows: [String]

  /// Writes events behind a position.
  ///
  /// A reader that does not take what is written for some seconds, or whose next event has left the list, is dropped.
  /// It can connect again and resume behind the last event that it has received.
  func run(after position: Int) async {
    let (number, wakeups) = await studio.beginReading(windows)
    await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await write(wakeups, number, after: position) }
      // The page sends nothing more: what can be read is the end.
      group.addTask { while try await !connection.read().isEmpty {} }
      defer { group.cancelAll() }
      _ = await group.nextResult()
    }
    await studio.endReading(number)
  }

  private func write(_ wakeups: AsyncStream<Void>, _ number: Int, after position: Int) async throws {
    var position = position
    var lastWritten = ContinuousClock.now
    let open = await studio.windows(readBy: number)
    let gone = windows.filter { !open.contains($0) }.map { "event: gone\nwindow: \($0)\ndata: {}\n\n" }
    try await connection.write(Data((":\n\n" + gone.joined()).utf8))
    for await _ in wakeups {
      var isAtEnd = false
      while !isAtEnd {
        let windows = await studio.windows(readBy: number)
        guard !windows.isEmpty else { return }
        guard case .events(let text, let end) = await studio.hub.events(for: windows, after: position) else {
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
