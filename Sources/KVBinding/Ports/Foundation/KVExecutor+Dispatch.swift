import Dispatch
import Foundation

/// A dispatch queue as the place where bindings work (ILBinding's `dispatchQueue`).
public final class KVQueueExecutor: KVExecutor {
  private let queue: DispatchQueue
  private let mark = DispatchSpecificKey<Bool>()

  package init(_ queue: DispatchQueue) {
    self.queue = queue
    queue.setSpecific(key: mark, value: true)
  }

  deinit { queue.setSpecific(key: mark, value: nil) }

  /// Whether the calling code runs on the queue, or on one that targets it.
  public var isCurrent: Bool { DispatchQueue.getSpecific(key: mark) == true }

  /// Runs work later on the queue.
  ///
  /// - Parameter work: The work.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

/// The main thread as the place where bindings work (ILBinding's default).
public struct KVMainExecutor: KVExecutor {
  fileprivate init() {}

  /// Whether the calling code runs on the main thread.
  public var isCurrent: Bool { Thread.isMainThread }

  /// Runs work later on the main thread.
  ///
  /// - Parameter work: The work.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { DispatchQueue.main.async(execute: work) }
}

extension KVExecutor where Self == KVMainExecutor {
  /// The main thread.
  public static var main: KVMainExecutor { KVMainExecutor() }
}

extension KVExecutor where Self == KVQueueExecutor {
  /// A dispatch queue.
  ///
  /// - Parameter queue: The queue; a serial one, as a rule.
  /// - Returns: Its executor.
  public static func queue(_ queue: DispatchQueue) -> KVQueueExecutor { KVQueueExecutor(queue) }
}
