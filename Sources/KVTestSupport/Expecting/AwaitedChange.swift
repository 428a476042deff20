import KVCore

/// A change that an expectation waits for.
struct AwaitedChange<Object: KVObservable> {
  let object: Object
  let path: KVKeyPath
  /// The expected change of the path, for the report.
  let deed: String
  let acceptsCurrentValue: Bool
  let limit: Duration
  let location: KVTestLocation

  func wait(
    _ clock: any Clock<Duration>, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void, until test: (Any?) -> Bool
  ) async rethrows {
    let recording = Recording(of: object, [.old, .new], at: location, isReading: acceptsCurrentValue) { [path] }
    // Read after the recorder has begun to observe, so that no change is missed.
    let isTrue = acceptsCurrentValue && recording.recorder != nil && test(recording.valueBefore(path))
    try await body()
    guard let recorder = recording.finish(), !isTrue else { return }
    var seen = 0
    let found = await recorder.wait(within: limit, clock: clock) {
      let log = recorder.log
      defer { seen = log.count }
      return log[seen...].contains { test($0.wholeNew) }
    }
    if found { return }
    let log = recorder.log
    let unnotified = recording.unnotifiedChanges(in: log).first ?? "It did not change."
    let history = log.isEmpty ? unnotified : "Its last changes:\n\(log.table(last: 10))"
    let time = Task.isCancelled ? "before the task was cancelled" : "within \(limit)"
    let now = shown(pathValue(of: object, at: path))
    fail("\(type(of: object)).\(path) did not \(deed) \(time). It is \(now). \(history)", at: location)
  }
}
