import Dispatch
import Foundation
import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.23: handlers that change each other's keys without end")
struct EndlessChangeTests {
  private let ping = Endless()
  private let pong = Endless()

  /// Registers handlers that go on forever, and returns what a change of the first object reports.
  private func run(_ options: KVObservingOptions = [.new], _ change: @escaping (Endless) -> Void) throws
    -> (events: [KVDiagnostics.Event], calls: Int)
  {
    var calls = 0
    var tokens: [KVObservation] = []
    for (one, other) in [(ping, pong), (pong, ping)] {
      tokens.append(
        try one.observe("count", options: options) { _ in
          calls += 1
          change(other)
        })
    }
    let ids = [ObjectIdentifier(ping), ObjectIdentifier(pong)]
    let events = capturingEvents(level: .error) { change(ping) }.filter { $0.object.map(ids.contains) ?? false }
    tokens.forEach { $0.cancel() }
    return (events, calls)
  }

  @Test("KVO.23: sets in Swift stop at a depth of 1,000, with one error that names the keys; later changes notify")
  func inSwift() throws {
    let (events, calls) = try run { $0.count += 1 }
    // A sanitizer makes frames larger, so that the stack ends before the limit.
    #expect(calls >= 100 && calls <= 1010)
    #expect(events.count == 1 && events.first?.topic == .endlessChange && events.first?.level == .error)
    #expect(
      events.first?.message == """
        handlers change "count" of Endless without end: changes nested 1000 deep are not delivered. Let a handler set \
        a key only if its value differs.
        """)
    var heard = 0
    let token = try ping.observe("count") { _ in heard += 1 }
    ping.count = 0
    #expect(heard == 1)
    token.cancel()
  }

  @Test("KVO.23: a handler that sets two keys ends, too: nothing is delivered until the outermost change has ended")
  func branching() throws {
    let (events, calls) = try run {
      $0.count += 1
      $0.count += 1
    }
    #expect(calls < 20_000 && events.count >= 1 && events.count < 20)
  }

  @Test("KVO.23, LIF.3: a handler that replaces the middle of its path ends, too, if nothing else retains the objects")
  func replacedMiddle() throws {
    let whole = LifeNode("whole")
    var calls = 0
    let token = try whole.observe("next.name", options: []) { _ in
      calls += 1
      whole.next = LifeNode("part")
    }
    // The event is about one of the objects that have ended meanwhile, whose name is all that is left of it.
    let events = capturingEvents(level: .error) { whole.next = LifeNode("first") }
      .filter { $0.message.contains(" of LifeNode") }
    #expect(calls >= 50 && calls < 20_000 && !events.isEmpty && events.allSatisfy { $0.topic == .endlessChange })
    token.cancel()
    let later = try whole.observe("next.name", options: []) { _ in calls = -1 }
    whole.next?.name = "x"
    #expect(calls == -1)
    later.cancel()
  }

  @Test("KVO.23: a getter that sets the sorted collection ends, too, and leaves nothing behind on its thread")
  func getter() throws {
    let library = EndlessLibrary()
    let song = EndlessLibrary()
    library.songs = [song]
    let arrangement = try KVArrangement<EndlessLibrary>(of: "songs", in: library, sortedBy: ["name"])
    song.onRead = { [unowned library] in library.songs = library.songs }
    let events = capturingEvents(level: .error) { library.songs = [song] }.about(library)
    #expect(!events.isEmpty && events.allSatisfy { $0.topic == .endlessChange && !$0.message.contains("  ") })
    song.onRead = nil
    library.songs = []
    #expect(arrangement.elements.isEmpty)
    var counts: [Int] = []
    let token = try ping.observe("count", options: .new) { [ping] _ in
      counts.append(ping.count)
      if ping.count < 3 { ping.count += 1 }
    }
    ping.count = 1
    #expect(counts == [1, 2, 3], "nested changes are delivered again")
    token.cancel()
  }

  @Test("KVO.23: writes by key")
  func byKey() throws {
    #expect(try run { try? $0.setValue($0.count + 1, forKey: "count") }.events.count == 1)
  }

  @Test("KVO.23: manual changes")
  func manual() throws {
    #expect(try run { object in object.withChange(forKey: "count") { object.plain += 1 } }.events.count == 1)
  }

  @Test("KVO.23: prior notifications")
  func prior() throws {
    #expect(try run([.new, .prior]) { $0.count += 1 }.events.count >= 1)
  }

  @Test("KVO.23: dependent keys")
  func dependents() throws {
    let double = try ping.observe("double") { [ping] _ in ping.count += 1 }
    let events = capturingEvents(level: .error) { ping.count += 1 }.about(ping)
    #expect(events.map(\.topic) == [.endlessChange])
    double.cancel()
  }

  @Test("KVO.23: the error names all keys of the circle")
  func names() throws {
    let tokens = [
      try ping.observe("count") { [ping] _ in ping.plainCount += 1 },
      try ping.observe("plainCount") { [ping] _ in ping.count += 1 },
    ]
    let events = capturingEvents(level: .error) { ping.count += 1 }.about(ping)
    #expect(events.first?.message.contains("\"plainCount\" of Endless") == true)
    #expect(events.first?.message.contains("\"count\" of Endless") == true)
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.23, KVO.8: deep changes that end are all delivered")
  func deep() throws {
    var seen = 0
    let token = try ping.observe("count") { [ping] _ in
      seen += 1
      if ping.count < 100 { ping.count += 1 }
    }
    let events = capturingEvents(level: .error) { ping.count = 1 }.about(ping)
    #expect(seen == 100 && events.isEmpty)
    token.cancel()
  }

  @Test("KVO.23: deferred deliveries whose handlers open a scope")
  func deferred() throws {
    #expect(try run([.new, .coalesced]) { object in KVCoalescing.coalesce { object.count += 1 } }.events.count == 1)
  }

  @Test("KVO.23: a thread with a small stack stops earlier, with the same error")
  func smallStack() throws {
    let pair = KVUncheckedSendable((ping, pong))
    let events = try capturingEvents(level: .error) {
      let token = try ping.observe("count") { _ in pair.value.1.count += 1 }
      let other = try pong.observe("count") { _ in pair.value.0.count += 1 }
      let done = DispatchSemaphore(value: 0)
      let thread = Thread {
        pair.value.0.count += 1
        done.signal()
      }
      thread.stackSize = 1 << 20
      thread.start()
      done.wait()
      token.cancel()
      other.cancel()
    }
    #expect(
      events.filter { $0.topic == .endlessChange }.contains {
        $0.object == ObjectIdentifier(ping) || $0.object == ObjectIdentifier(pong)
      })
  }
}

private final class Endless: KVObject {
  @KVProperty var count = 0
  @KVProperty var plainCount = 0
  var plain = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Endless.self) { key in
      key("count", \.count)
      key("plainCount", \.plainCount)
      key("double") { $0.count * 2 }.affected(by: "count")
    }
  }
}

/// A library of songs, or a song whose name does something when it is read.
private final class EndlessLibrary: KVObject {
  @KVProperty var songs: [EndlessLibrary] = []
  var onRead: (() -> Void)?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: EndlessLibrary.self) { key in
      key("songs", \.songs)
      key("name") { library in
        library.onRead?()
        return ""
      }
    }
  }
}
