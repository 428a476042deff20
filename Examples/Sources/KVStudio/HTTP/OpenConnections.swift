import FlyingSocks
import Foundation

/// The open connections, of which the oldest one that has not been let in yet makes room for a new one.
///
/// So connections that send nothing keep nobody else out: whoever has the token sends it at once.
struct OpenConnections {
  /// What becomes of a new connection.
  enum Place { case served, refused, dropped }

  let limit: Int
  private var waiting: [(number: Int, socket: Socket)] = []
  private var letIn: Set<Int> = []
  private var refused: Set<Int> = []
  private var last = 0
  /// How many connections have a descriptor, also those that are about to be closed.
  private var count = 0
  private let descriptors: Int

  /// - Parameters:
  ///   - limit: How many connections may be answered at once.
  ///   - descriptors: How many descriptors all connections may have.
  init(limit: Int, descriptors: Int = .max) {
    self.limit = limit
    self.descriptors = descriptors
  }

  /// Returns whether another connection may be accepted; if not, the oldest one that waits is ended.
  mutating func hasRoom() -> Bool {
    if count < descriptors { return true }
    dropOldest()
    return false
  }

  /// Adds a connection.
  mutating func add(_ socket: Socket) -> (number: Int, place: Place) {
    last += 1
    count += 1
    if waiting.count + letIn.count >= limit, !dropOldest() {
      refused.insert(last)
      // To refuse takes a connection, too: when there are as many of these, nothing is said.
      return (last, refused.count > limit ? .dropped : .refused)
    }
    waiting.append((last, socket))
    return (last, .served)
  }

  /// Notes that the request of a connection is to be answered.
  mutating func letIn(_ number: Int) {
    guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
    waiting.remove(at: index)
    letIn.insert(number)
  }

  /// Forgets a connection, before it is closed.
  mutating func remove(_ number: Int) {
    waiting.removeAll { $0.number == number }
    letIn.remove(number)
    refused.remove(number)
  }

  /// Notes that a connection has been closed, after it was forgotten.
  mutating func closed() { count -= 1 }

  /// Ends the connection that has waited longest; its task closes it.
  ///
  /// - Returns: Whether there was one.
  @discardableResult
  mutating func dropOldest() -> Bool {
    guard !waiting.isEmpty else { return false }
    shutdown(waiting.removeFirst().socket.file.rawValue, Int32(SHUT_RDWR))
    return true
  }
}
