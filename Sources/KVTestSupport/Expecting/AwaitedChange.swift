import KVCore

/// A change that somebody waits for.
struct AwaitedChange<Object: KVObservable> {
  let object: Object
  let path: KVKeyPath
  /// What the path is to do, for the report.
  let deed: String
  let alreadyTrue: KVAlreadyTrue
  let limit: Duration
  let location: KVTestLocation

  func wait(
    _ clock: any Clock<Duration>, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Void, until test: (Any?) -> Bool
  ) async rethrows {
    guard let recorder = recorder(of: object, [.old, .new], location, { [path] }) else { return try await body() }
    // Read once the recorder listens, so that nothing is missed in between.
    let isTrue = alreadyTrue == .passes && test(value)
    try await body()
    if isTrue { return }
    var seen = 0
    let found = await recorder.wait(within: limit, clock: clock) {
      let log = recorder.log
      defer { seen = log.count }
      // A record of elements holds only those; the value is what the path holds now.
      return log[seen...].contains { test($0.kind == .setting ? $0.new : value) }
    }
    if found { return }
    let log = recorder.log
    let history = log.isEmpty ? "It did not change." : "Its last changes:\n\(log.table(last: 10))"
    let time = Task.isCancelled ? "before the task was cancelled" : "within \(limit)"
    fail(
      "\(type(of: object)).\(path) did not \(deed) \(time). It is \(shown(value)). \(history)",
      at: location)
  }

  private var value: Any? { (try? KVC.value(of: object, forKeyPath: path)) ?? nil }
}
