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

  // A handler may write the key that it hears of while the write that it hears is under way. That one is undone to what was
  // before both, so the inner one is not noted. Otherwise what handlers write is noted first and so undone last: undoing
  // the write that they hear makes them write again.

  private struct Write: Sendable, Equatable {
    let object: ObjectIdentifier
    let key: String
    let thread: UInt
  }

  private static let underWay = Locked<[Write]>([])

  /// Notes that a write of a key begins.
  ///
  /// - Returns: Whether it is to be noted; not inside of another one of the same key, and it has no end then.
  static func begin(_ key: String, of object: AnyObject) -> Bool {
    let write = Write(object: ObjectIdentifier(object), key: key, thread: currentThread())
    return underWay.withLock { writes in
      guard !writes.contains(write) else { return false }
      writes.append(write)
      return true
    }
  }

  /// Notes that a write of a key has ended.
  static func end(_ key: String, of object: AnyObject) {
    let write = Write(object: ObjectIdentifier(object), key: key, thread: currentThread())
    underWay.withLock { writes in writes.removeAll { $0 == write } }
  }

  /// Hands over how a write to an object is undone.
  static func note(_ object: AnyObject, undo: @escaping Undo) {
    recorder.withLock { $0 }?.note(object, undo)
  }
}
