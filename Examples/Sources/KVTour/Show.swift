import Foundation
import KVBinding
import Synchronization

/// Collects what a step shows: `show(value)`.
final class Show: Sendable {
  private let shown = Mutex<[String]>([])

  var lines: [String] { shown.withLock { $0 } }

  func callAsFunction(_ value: Any?) { append(Self.text(of: value)) }

  func append(_ line: String) { shown.withLock { $0.append(line) } }

  /// Shows the error that a body throws, and that it throws none.
  func error(_ body: () throws -> Void) {
    do {
      try body()
      append("no error")
    } catch {
      append("\(error)")
    }
  }

  /// Waits until an asynchronous body has run.
  func waiting(for body: @escaping @Sendable () async -> Void) {
    let end = DispatchSemaphore(value: 0)
    // On a queue of its own: whoever waits here may hold the only thread that tasks have.
    Task(executorPreference: QueueExecutor()) {
      await body()
      end.signal()
    }
    end.wait()
  }

  /// Returns a value as Swift would write it, the same at every run.
  private static func text(of value: Any?) -> String {
    guard let value else { return "nil" }
    switch value {
    case let text as String: return text.debugDescription
    case let record as KVRecord: return text(of: record.dictionary)
    case let array as [Any?]: return "[\(array.map { text(of: $0) }.joined(separator: ", "))]"
    case let dictionary as [String: Any]:
      let entries = dictionary.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription): \(text(of: $0.value))" }
      return "[\(entries.isEmpty ? ":" : entries.joined(separator: ", "))]"
    default: return "\(value)"
    }
  }
}

/// Runs tasks on a queue.
private final class QueueExecutor: TaskExecutor {
  private let queue = DispatchQueue(label: "tour")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
