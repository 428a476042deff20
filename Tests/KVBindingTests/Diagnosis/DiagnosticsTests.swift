import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

/// The hook is one for the whole process, so that these run one after the other, and look at events of their own keys only.
@Suite("DIA.1: the hook", .serialized)
struct DiagnosticsTests {
  @Test("DIA.1: a message has at most 4,000 bytes, however long a path or value is")
  func longMessages() throws {
    let item = DiagnosedItem()
    let long = String(repeating: "k", count: 1 << 20)
    let events = capturingEvents(level: .verbose) {
      let token = try? item.observe("diagnosedName") { _ in }
      item.diagnosedName = long
      token?.cancel()
    }.about(item)
    #expect(!events.isEmpty && events.allSatisfy { $0.message.utf8.count < 4_010 })
    #expect(events.contains { $0.message.contains("kkk…kkk") })
  }

  /// Collects the events whose message or path has a word of this suite.
  private final class Collector: Sendable {
    let events = Mutexed<[KVDiagnostics.Event]>([])

    func start(_ level: KVDiagnostics.Level) {
      KVDiagnostics.setHandler(level: level) { [events] event in
        guard event.message.contains("diagnosed") else { return }
        events.withLock { $0.append(event) }
      }
    }

    func take() -> [KVDiagnostics.Event] {
      events.withLock { events in
        defer { events = [] }
        return events
      }
    }
  }

  private let collector = Collector()

  @Test("DIA.1: no reports by default, and none when the handler is removed")
  func silence() throws {
    try handlerInUse.withLock { _ in
      let item = DiagnosedItem()
      item.didChangeValue(forKey: "diagnosedName")
      collector.start(.warning)
      KVDiagnostics.setHandler(nil)
      let token = try item.observe("diagnosedName") { _ in }
      item.didChangeValue(forKey: "diagnosedName")
      item.diagnosedName = "b"
      #expect(collector.take().isEmpty)
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: levels are ordered, and those below the requested one are not reported")
  func levels() throws {
    try handlerInUse.withLock { _ in
      #expect(KVDiagnostics.Level.allCases == KVDiagnostics.Level.allCases.sorted())
      #expect(KVDiagnostics.Level.verbose < .debug && KVDiagnostics.Level.warning < .error)
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try item.observe("diagnosedName") { _ in }
      for (level, count) in [(KVDiagnostics.Level.verbose, 2), (.debug, 1), (.info, 1), (.warning, 1), (.error, 0)] {
        collector.start(level)
        item.diagnosedName = "b"
        item.didChangeValue(forKey: "diagnosedName")
        #expect(collector.take().count == count, "\(level)")
      }
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: a delivery is traced with type, path, values and the location of the registration")
  func trace() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let line = #line + 1
      let token = try item.observe("next.diagnosedName") { _ in }
      let next = DiagnosedItem()
      collector.start(.verbose)
      item.next = next
      next.diagnosedName = "b"
      let events = collector.take()
      #expect(events.map(\.level) == [.verbose, .verbose] && events.map(\.topic) == [.delivery, .delivery])
      #expect(events.allSatisfy { $0.keyPath == "next.diagnosedName" })
      #expect(events.first?.location == "KVBindingTests/DiagnosticsTests.swift:\(line)")
      #expect(events.last?.message.contains("next.diagnosedName: setting \"a\" → \"b\"") == true)
      #expect(events.last?.description == "[verbose] \(events.last?.message ?? "") (\(events.last?.location ?? ""))")
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: what is deferred is traced when it is delivered; what is paused or cancelled is not")
  func traceOfScopes() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try item.observe("diagnosedName", options: [.old, .new, .coalesced]) { _ in }
      let paused = try item.observe("diagnosedName") { _ in }
      paused.pause()
      collector.start(.verbose)
      KVCoalescing.coalesce {
        item.diagnosedName = "b"
        item.diagnosedName = "c"
        #expect(collector.take().isEmpty)
      }
      #expect(collector.take().map(\.message) == ["DiagnosedItem.diagnosedName: setting \"a\" → \"c\" (change)"])
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: a delivery is traced with values that its handler does not want", arguments: [false, true])
  func traceWithoutValues(isByKey: Bool) throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try item.observe("diagnosedName", options: []) { _ in }
      collector.start(.verbose)
      if isByKey { try item.setValue("b", forKey: "diagnosedName") } else { item.diagnosedName = "b" }
      #expect(collector.take().map(\.message) == ["DiagnosedItem.diagnosedName: setting \"a\" → \"b\" (change)"])
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1, KVO.13: a key that turns out not to exist is reported when its object appears, with the location")
  func faultyPath() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try item.observe("anything.diagnosedNothing") { _ in }
      collector.start(.warning)
      item.anything = DiagnosedItem()
      let events = collector.take()
      #expect(!events.isEmpty && events.allSatisfy { $0.topic == .faultyPath && $0.level == .error })
      #expect(events.allSatisfy { $0.keyPath == "anything.diagnosedNothing" && $0.object != nil })
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: an observed value of another type, with the location")
  func faultyValue() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      var received: [Int?] = []
      let token = try item.observe("next.diagnosedName", as: Int.self) { received.append($0.new) }
      collector.start(.error)
      item.next = DiagnosedItem()
      let events = collector.take()
      #expect(received == [nil])
      #expect(events.map(\.topic) == [.faultyValue])
      #expect(events.allSatisfy { $0.location?.contains("DiagnosticsTests.swift") == true })
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1, KVO.16: an end without a beginning")
  func unmatchedChange() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try item.observe("diagnosedName") { _ in }
      collector.start(.warning)
      item.didChangeValue(forKey: "diagnosedName")
      let events = collector.take()
      #expect(events.map(\.topic) == [.unmatchedChange] && events.first?.level == .warning)
      #expect(events.first?.object == ObjectIdentifier(item))
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1, COA.8: a value that a transaction cannot put back")
  func failedRollback() throws {
    handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      collector.start(.error)
      #expect(throws: ScopeFailure.self) {
        try KVTransaction.run {
          try item.setValue("x", forKey: "diagnosedOnce")
          try item.setValue("b", forKey: "diagnosedName")
          throw ScopeFailure()
        }
      }
      #expect(collector.take().map(\.topic) == [.failedRollback])
      #expect(item.diagnosedName == "a")
    }
  }

  @Test(
    "DIA.1: a handler that is replaced is released outside of the lock: what it captures may set another in its deinit")
  func replacedHandler() {
    handlerInUse.withLock { _ in
      let calls = Mutexed(0)
      KVDiagnostics.setHandler(level: .error) {
        [last = KVUncheckedSendable(DeinitProbe { KVDiagnostics.setHandler(nil) })] _ in
        withExtendedLifetime(last) { calls.withLock { $0 += 1 } }
      }
      KVDiagnostics.setHandler(level: .error) { _ in calls.withLock { $0 += 1 } }
      KVDiagnostics.setHandler(nil)
      #expect(calls.withLock { $0 } == 0)
    }
  }

  @Test(
    "DIA.1: an added handler receives its own level, and neither replaces the one that is set nor is replaced by it")
  func addedHandlers() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let heard = Mutexed<[String]>([])
      func handler(_ name: String) -> @Sendable (KVDiagnostics.Event) -> Void {
        { event in if event.message.contains("diagnosedName") { heard.withLock { $0.append("\(name) \(event.level)") } }
        }
      }
      func take() -> [String] {
        heard.withLock { heard in
          defer { heard = [] }; return heard
        }
      }
      KVDiagnostics.setHandler(level: .warning, handler("set"))
      let token = KVDiagnostics.addHandler(level: .verbose, handler("added"))
      let observation = try item.observe("diagnosedName") { _ in }
      #expect(take() == ["added debug"])
      item.diagnosedName = "b"
      #expect(take() == ["added verbose"])
      item.didChangeValue(forKey: "diagnosedName")
      #expect(take() == ["set warning", "added warning"])
      KVDiagnostics.setHandler(level: .error, handler("other"))
      item.diagnosedName = "c"
      #expect(take() == ["added verbose"])
      KVDiagnostics.removeHandler(token)
      KVDiagnostics.removeHandler(token)
      item.diagnosedName = "d"
      item.didChangeValue(forKey: "diagnosedName")
      #expect(take().isEmpty)
      KVDiagnostics.setHandler(level: .verbose, handler("again"))
      item.diagnosedName = "e"
      #expect(take() == ["again verbose"])
      observation.cancel()
    }
  }

  @Test("DIA.1: a handler may set another one, and is called outside of the lock")
  func handlerSetsHandler() {
    handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      let token = try? item.observe("diagnosedName") { _ in }
      let calls = Mutexed(0)
      KVDiagnostics.setHandler(level: .warning) { event in
        guard event.message.contains("diagnosed") else { return }
        calls.withLock { $0 += 1 }
        KVDiagnostics.setHandler(nil)
      }
      item.didChangeValue(forKey: "diagnosedName")
      item.didChangeValue(forKey: "diagnosedName")
      #expect(calls.withLock { $0 } == 1)
      withExtendedLifetime(token) {}
    }
  }

  @Test("DIA.1: registrations and cancellations are reported at the debug level, and at no other")
  func registrations() throws {
    try handlerInUse.withLock { _ in
      defer { KVDiagnostics.setHandler(nil) }
      let item = DiagnosedItem()
      collector.start(.info)
      try item.observe("diagnosedName") { _ in }.cancel()
      #expect(collector.take().isEmpty)
      collector.start(.debug)
      let line = #line + 1
      let token = try item.observe("next.diagnosedName") { _ in }
      token.cancel()
      token.cancel()
      #expect(throws: KVError.self) { try item.observe("diagnosedNothing") { _ in } }
      let events = collector.take()
      #expect(
        events.map(\.message) == [
          "DiagnosedItem.next.diagnosedName: closure registered [old, new]",
          "DiagnosedItem.next.diagnosedName: closure ended",
        ])
      #expect(events.allSatisfy { $0.level == .debug && $0.topic == .registration })
      #expect(events.allSatisfy { $0.object == ObjectIdentifier(item) && $0.keyPath == "next.diagnosedName" })
      #expect(events.allSatisfy { $0.location == "KVBindingTests/DiagnosticsTests.swift:\(line)" })
    }
  }
}
