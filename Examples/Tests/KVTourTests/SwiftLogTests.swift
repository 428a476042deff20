import KVBinding
import KVLoggers
import Logging
import Synchronization
import Testing

// Among the tests of the tour, since there is one handler for the process, which a step of the tour sets, too.
extension TourTests {
  @Test("Events arrive at swift-log with their level, their message and what belongs to them")
  func swiftLog() throws {
    let entries = Entries()
    let record: KVRecord = ["name": "Ada"]
    KVDiagnostics.log(to: Logger(label: "test") { _ in Recorder(entries: entries) }, from: .verbose)
    defer { KVDiagnostics.setHandler(nil) }
    let token = try record.observe("name") { _ in }
    defer { token.cancel() }
    record.name = "SwiftLogTests"
    record.didChangeValue(forKey: "name")
    // Other tests run at the same time, and are heard as well.
    let traces = entries.all.filter { $0.message.contains("SwiftLogTests") }
    #expect(traces.map(\.level) == [.trace])
    #expect(traces.first?.message.contains(#"name: setting "Ada" → "SwiftLogTests""#) == true)
    #expect(traces.first?.metadata["keyPath"] == "name")
    #expect(traces.first?.metadata["topic"] == "delivery")
    #expect(traces.first?.metadata["registered"]?.description.hasPrefix("KVTourTests/SwiftLogTests.swift:") == true)
    let warnings = entries.all.filter { $0.message.contains(#"didChangeValue(forKey: "name") of KVRecord"#) }
    #expect(warnings.map(\.level) == [.warning])
    #expect(warnings.first?.metadata["topic"] == "unmatchedChange")
  }
}

private final class Entries: Sendable {
  struct Entry {
    let level: Logger.Level
    let message: String
    let metadata: Logger.Metadata
  }

  private let entries = Mutex<[Entry]>([])
  var all: [Entry] { entries.withLock { $0 } }
  func add(_ entry: Entry) { entries.withLock { $0.append(entry) } }
}

private struct Recorder: LogHandler {
  let entries: Entries
  var metadata: Logger.Metadata = [:]
  var logLevel = Logger.Level.trace

  init(entries: Entries) { self.entries = entries }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    entries.add(Entries.Entry(level: event.level, message: event.message.description, metadata: event.metadata ?? [:]))
  }
}
