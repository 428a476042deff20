import KVBinding
import KVCore
import Synchronization

/// What diagnostics report while a body runs.
///
/// The handler is one for the whole program, so those who set it wait for each other; events of tests that run at the
/// same time are among the result, and are told apart by their key path or object.
package func capturingEvents(level: KVDiagnostics.Level = .info, _ body: () throws -> Void) rethrows -> [KVDiagnostics
  .Event]
{
  try handlerInUse.withLock { _ in
    let events = EventList()
    KVDiagnostics.setHandler(level: level) { event in events.all.withLock { $0.append(event) } }
    defer { KVDiagnostics.setHandler(nil) }
    try body()
    return events.all.withLock { $0 }
  }
}

extension [KVDiagnostics.Event] {
  /// The events about an object.
  package func about(_ object: AnyObject) -> Self { filter { $0.object == ObjectIdentifier(object) } }

  /// The events about a path.
  package func about(_ path: String) -> Self { filter { $0.keyPath?.description == path } }
}

/// Held by whoever sets the handler of the diagnostics.
package let handlerInUse = Mutex(())

private final class EventList: Sendable {
  /// Of the package, since the thread sanitizer does not see what a `Mutex` does.
  let all = Locked<[KVDiagnostics.Event]>([])
}
