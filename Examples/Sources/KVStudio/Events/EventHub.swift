import Foundation
import KVBinding
import KVDocuments

/// The latest events, which each window reads at its own pace.
///
/// There is one list for all readers, with a limit of its own, and no queue for each: a reader is a position in the
/// list. A reader whose next event has left the list was too slow. It is dropped, and begins anew with the state.
@MainActor final class EventHub {
  /// An event: its name, its data, and the window that it is for; nil for all windows.
  private struct Event {
    let number: Int
    let window: String?
    let text: String
  }

  /// What a reader finds.
  enum Batch: Equatable {
    /// The text of the events up to a position, which its last line names; empty if there is none.
    case events(String, upTo: Int)
    /// The next event is gone.
    case lost
  }

  private let limit: (events: Int, bytes: Int)
  private var events: [Event] = []
  private var bytes = 0
  /// The number of the first event of the list.
  private var first = 1
  private var readers: [Int: AsyncStream<Void>.Continuation] = [:]
  private var lastReader = 0

  init(events: Int = 1000, bytes: Int = 4 << 20) { limit = (events, bytes) }

  /// The number of the last event; 0 before the first one.
  var position: Int { first + events.count - 1 }

  /// Adds an event, and wakes the readers.
  func publish(_ name: String, for window: String?, _ value: [String: Any]) {
    guard let data = try? KVDocument(value).data() else { return }
    let number = position + 1
    // JSON without white space has no line breaks, so that one line of data is enough.
    let line = window.map { "window: \($0)\n" } ?? ""
    let text = "id: \(number)\nevent: \(name)\n\(line)data: \(String(decoding: data, as: UTF8.self))\n\n"
    events.append(Event(number: number, window: window, text: text))
    bytes += text.utf8.count
    while events.count > limit.events || bytes > limit.bytes {
      bytes -= events.removeFirst().text.utf8.count
      first += 1
    }
    for reader in readers.values { reader.yield() }
  }

  /// Returns the events for a window behind a position, at most about 64 KB of them.
  func events(for window: String, after position: Int) -> Batch { events(for: [window], after: position) }

  /// Returns the events for some windows behind a position, at most about 64 KB of them.
  func events(for windows: Set<String>, after position: Int) -> Batch {
    guard position >= first - 1, position <= self.position else { return .lost }
    var (text, end, last) = ("", position, position)
    for event in events[(position + 1 - first)...] {
      if text.utf8.count > 64 << 10 { break }
      end = event.number
      guard event.window.map(windows.contains) ?? true else { continue }
      text += event.text
      last = end
    }
    // A page that waits for a position is to know that it is reached, though the events are for others.
    return .events(last < end ? "\(text)id: \(end)\n\n" : text, upTo: end)
  }

  /// Returns a sequence with an element for new events and for each beat; elements that nobody awaits are merged.
  func wakeups() -> (number: Int, stream: AsyncStream<Void>) {
    let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    lastReader += 1
    readers[lastReader] = continuation
    continuation.yield()
    return (lastReader, stream)
  }

  /// Ends a sequence.
  func end(_ number: Int) { readers.removeValue(forKey: number)?.finish() }

  /// Wakes all readers, which then find out whether their windows are still there.
  func beat() {
    for reader in readers.values { reader.yield() }
  }
}
