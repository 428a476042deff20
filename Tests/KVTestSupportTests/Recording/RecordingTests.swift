import Dispatch
import KVTestSupport
import Testing

@Suite("TST.2: recording")
struct RecordingTests {
  private let till = Till()

  @Test("TST.2: what happens while a closure runs is recorded, and prints as a table")
  func table() throws {
    let log = try recordChanges(of: till, "rows", "total", "number") {
      till.rows.append(2.5)
      try till.mutableArray(forKey: "rows").insert(1, at: 0)
      till.number = 12
    }
    #expect(
      "\(log)" == """
        1  rows    setting         [10.0, 12.5] → [10.0, 12.5, 2.5]
        2  total   setting         22.5 → 25.0
        3  rows    insertion at 0  nil → [1.0]
        4  total   setting         25.0 → 26.0
        5  number  setting         1 → 12
        """)
    #expect(log.of("total").map { $0.new as? Double } == [25, 26])
    #expect("\(KVChangeLog())" == "no changes")
  }

  @Test("TST.2: after the closure nothing is recorded any more, nor is the object still observed")
  func end() throws {
    let log = try recordChanges(of: till, "number") { till.number = 2 }
    till.number = 3
    #expect(log.count == 1)
    #expect(KVDiagnostics.observations(of: till).isEmpty)
  }

  @Test("TST.2: without paths every key that can notify of its changes is recorded")
  func allKeys() throws {
    let recorder = try KVChangeRecorder(of: till)
    #expect(recorder.keyPaths == ["number", "rows", "tags", "label", "next", "total"])
    till.silent = 2
    till.label = "x"
    #expect(recorder.log.map { "\($0)" } == [#"label: setting nil → "x""#])
  }

  @Test("TST.2: options say what is recorded, and when")
  func options() throws {
    let log = try recordChanges(of: till, "number", options: [.prior, .initial, .new]) { till.number = 5 }
    #expect(
      "\(log)" == """
        1  number  setting (initial)  nil → 1
        2  number  setting (prior)    nil → nil
        3  number  setting            nil → 5
        """)
  }

  @Test("TST.2: asynchronous closures are recorded, and changes of tasks and queues")
  func threads() async throws {
    let shared = KVUncheckedSendable(till)
    let log = try await recordChanges(of: till, "number") {
      await Task.detached { shared.value.number = 2 }.value
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          shared.value.number = 3
          continuation.resume()
        }
      }
    }
    #expect(log.map { $0.new as? Int } == [2, 3])
  }

  @Test("TST.2: a recorder hands out what has come since the last time, until it is stopped")
  func takes() throws {
    let recorder = try KVChangeRecorder(of: till, "number")
    till.number = 2
    #expect(recorder.log.count == 1)
    #expect(recorder.take().count == 1)
    #expect(recorder.take().isEmpty)
    till.number = 3
    recorder.cancel()
    till.number = 4
    #expect(recorder.take().map { $0.new as? Int } == [3])
  }

  @Test("TST.2: a recorder does not keep the object alive, and ends when it is dropped")
  func lifetime() throws {
    var till: Till? = Till()
    weak let gone = till
    let recorder = try KVChangeRecorder(of: till!, "number")
    till = nil
    #expect(gone == nil)
    #expect(recorder.log.isEmpty)
    var dropped: KVChangeRecorder? = try KVChangeRecorder(of: self.till, "number")
    _ = dropped
    dropped = nil
    #expect(KVDiagnostics.observations(of: self.till).isEmpty)
  }

  @Test("TST.2: a path that cannot be observed is the error of observing")
  func faults() {
    let error = #expect(throws: KVError.self) { try KVChangeRecorder(of: till, "numbr") }
    #expect(error?.code == .undefinedKey)
    #expect(throws: KVError.self) { try recordChanges(of: till, "silent") {} }
  }

  @Test("TST.2: a registration is listed with the line of the test")
  func listing() throws {
    let recorder = try KVChangeRecorder(of: till, "number")
    let line = #line - 1
    #expect(KVDiagnostics.observations(of: till).map(\.location) == ["KVTestSupportTests/RecordingTests.swift:\(line)"])
    recorder.cancel()
  }
}
