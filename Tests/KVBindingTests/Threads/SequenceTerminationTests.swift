import KVBinding
import KVCore
import Testing

@Suite("THR.4: the end of a sequence")
struct SequenceTerminationTests {
  @Test("THR.4: cancelling the task ends the observation")
  func cancelledTask() async throws {
    let item = StormItem()
    let changes = try item.changes(of: "count", as: Int.self)
    #expect(KVDiagnostics.observations(of: item).map(\.style) == ["sequence"])
    let started = Signal()
    let task = Task {
      var seen = 0
      for await _ in changes {
        seen += 1
        started.send()
      }
      return seen
    }
    item.count = 1
    await started.wait()
    task.cancel()
    #expect(await task.value == 1)
    #expect(isUnobserved(item))
  }

  @Test("THR.4: a task that was cancelled before it began gets nothing, and ends the observation")
  func cancelledBefore() async throws {
    let item = StormItem()
    let changes = try item.changes(of: "count", as: Int.self)
    let gate = Signal()
    let task = Task {
      await gate.wait()
      for await _ in changes { return true }
      return false
    }
    task.cancel()
    gate.send()
    #expect(await !task.value)
    #expect(isUnobserved(item))
  }

  @Test("THR.4: dropping the sequence ends the observation, with or without an iterator")
  func dropped() async throws {
    let item = StormItem()
    var changes: KVChanges<KVChange>? = try item.changes(of: "count")
    #expect(KVDiagnostics.observations(of: item).count == 1)
    item.count = 1
    changes = nil
    #expect(changes == nil)
    #expect(isUnobserved(item))
    do {
      var iterator = try item.changes(of: "count").makeAsyncIterator()
      item.count = 2
      _ = await iterator.next()
      #expect(KVDiagnostics.observations(of: item).count == 1)
    }
    #expect(isUnobserved(item))
  }

  @Test("THR.4: leaving the loop ends the observation when the sequence goes")
  func leftLoop() async throws {
    let item = StormItem()
    item.count = 1
    func readOne() async throws {
      let changes = try item.changes(of: "count", options: [.new, .initial])
      for await _ in changes { break }
    }
    try await readOne()
    #expect(isUnobserved(item))
  }

  @Test("THR.4: a reader that waits is woken by the deallocation of the object")
  func rootDeallocates() async throws {
    var item: StormItem? = StormItem()
    weak let witness = item
    let changes = try #require(item).changes(of: "count", as: Int.self)
    let started = Signal()
    let task = Task {
      var seen: [Int?] = []
      for await change in changes {
        seen.append(change.new)
        started.send()
      }
      return seen
    }
    item?.count = 1
    await started.wait()
    item = nil
    #expect(await task.value == [1])
    #expect(witness == nil)
  }

  @Test("THR.4: the untyped form keeps the object while a record of it is buffered, and no longer")
  func bufferedRecords() async throws {
    var item: StormItem? = StormItem()
    weak let witness = item
    let changes = try #require(item).changes(of: "count")
    item?.count = 1
    item = nil
    #expect(witness != nil)
    var iterator = changes.makeAsyncIterator()
    #expect(await iterator.next()?.new as? Int == 1)
    #expect(witness == nil)
    #expect(await iterator.next() == nil)
  }
}

/// Something that is waited for; sent before or after, once is enough.
final class Signal: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func send() { continuation.yield() }

  func wait() async {
    for await _ in stream { return }
  }
}
