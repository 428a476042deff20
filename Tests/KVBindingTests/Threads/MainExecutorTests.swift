import Foundation
import KVBinding
import Testing

@Suite("BND.12: the executor of the main queue")
struct MainExecutorTests {
  @Test("BND.12: it is current on the main actor, whichever thread runs that")
  @MainActor
  func mainActor() async throws {
    try await Task.sleep(for: .milliseconds(1))
    #expect(KVQueueExecutor.main.isCurrent)
    let isCurrentElsewhere = await Task.detached { KVQueueExecutor.main.isCurrent }.value
    #expect(!isCurrentElsewhere)
  }
}
