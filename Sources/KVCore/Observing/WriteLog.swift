import Synchronization

/// Lets somebody note what writes by key replace, so that it can be put back (COA.8).
///
/// Nothing is noted, and nothing costs more than a load, unless a transaction runs somewhere.
package enum WriteLog {
  /// Undoes one write.
  package typealias Undo = () throws(KVError) -> Void

  private struct Recorder: Sendable {
    let note: @Sendable (AnyObject, @escaping Undo) -> Void
  }

  private static let running = Atomic<Int>(0)
  private static let recorder = Locked<Recorder?>(nil)

  /// Whether a transaction runs on some thread.
  @inline(__always)
  static var isActive: Bool { running.load(ordering: .relaxed) != 0 }

  /// Notes that a transaction begins; writes are handed to the recorder until it ends.
  package static func begin(recordingBy note: @escaping @Sendable (AnyObject, @escaping Undo) -> Void) {
    recorder.withLock { $0 = Recorder(note: note) }
    running.add(1, ordering: .sequentiallyConsistent)
  }

  /// Notes that a transaction has ended.
  package static func end() { running.subtract(1, ordering: .sequentiallyConsistent) }

  /// Hands over how a write to an object is undone.
  static func note(_ object: AnyObject, undo: @escaping Undo) {
    recorder.withLock { $0 }?.note(object, undo)
  }
}
