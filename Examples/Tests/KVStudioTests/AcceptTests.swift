import FlyingSocks
import Foundation
import Testing

@testable import KVStudio

@Suite("Accepting connections")
struct AcceptTests {
  private func failed(_ code: Int32) -> SocketError { .failed(type: "Accept", errno: code, message: "") }

  /// Accepts what a socket would give, and returns what was accepted before the end, and the end.
  private func accept(_ outcomes: [Result<Int, any Error>]) async -> (accepted: [Int], end: any Error) {
    var (outcomes, accepted) = (outcomes, [Int]())
    do {
      try await StudioServer.accept(from: { try outcomes.removeFirst().get() }, shortest: .milliseconds(1)) {
        accepted.append($0)
      }
    } catch { return (accepted, error) }
  }

  @Test("An error of accepting passes: the server goes on until the listening socket is gone, or it is cancelled")
  func errors() async throws {
    let passing = [EMFILE, ENFILE, ENOMEM, ENOBUFS, ECONNABORTED, EINTR, EPERM].map { code in
      Result<Int, any Error>.failure(failed(code))
    }
    let gone = await accept([.success(1)] + passing + [.success(2), .failure(failed(EBADF)), .success(3)])
    #expect(gone.accepted == [1, 2] && gone.end as? SocketError == failed(EBADF))
    let cancelled = await accept([.success(1), .failure(CancellationError()), .success(3)])
    #expect(cancelled.accepted == [1] && cancelled.end is CancellationError)
  }

  @Test("A lack of descriptors makes room each time")
  func relief() async throws {
    var outcomes: [Result<Int, any Error>] = Array(repeating: .failure(failed(EMFILE)), count: 5) + [.success(1)]
    var (accepted, relieved) = ([Int](), 0)
    let relieve = {
      relieved += 1
      return true
    }
    await #expect(throws: (any Error).self) {
      try await StudioServer.accept(
        from: {
          guard !outcomes.isEmpty else { throw CancellationError() }
          return try outcomes.removeFirst().get()
        }, shortest: .milliseconds(1), relieve: relieve
      ) { accepted.append($0) }
    }
    #expect(accepted == [1] && relieved == 5)
  }

  @Test("Connections leave descriptors to the rest of the program: the oldest one that waits is ended for another one")
  func room() throws {
    let sockets = try (0..<2).map { _ in try Socket(domain: AF_INET) }
    defer { for socket in sockets { try? socket.close() } }
    var open = OpenConnections(limit: 2, descriptors: 2)
    let numbers = sockets.map { open.add($0).number }
    // Both wait for their requests: one is ended, and keeps its descriptor until it is closed.
    var rooms = [open.hasRoom()]
    open.remove(numbers[0])
    rooms.append(open.hasRoom())
    open.closed()
    rooms.append(open.hasRoom())
    #expect(rooms == [false, false, true])
  }
}
