import Dispatch
import Foundation

/// A dispatch queue as the place where bindings work (ILBinding's `dispatchQueue`).
public final class KVQueueExecutor: KVExecutor {
  private let queue: DispatchQueue
  private let mark = DispatchSpecificKey<Bool>()
  /// Whether the queue is the main queue, whose thread is known before the queue runs anything.
  private let isMain: Bool

  package init(_ queue: DispatchQueue, isMain: Bool = false) {
    self.queue = queue
    self.isMain = isMain
    queue.setSpecific(key: mark, value: true)
  }

  deinit { queue.setSpecific(key: mark, value: nil) }

  /// Whether the calling code runs on the queue, or on one that targets it; for the main queue, also on the main thread.
  ///
  /// On Linux, another thread runs the main queue where the program has an asynchronous main function.
  public var isCurrent: Bool {
    isMain && Thread.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }

  /// Runs work later on the queue.
  ///
  /// - Parameter work: The work.
  public func enqueue(_ work: @escaping @Sendable () -> Void) { queue.async(execute: work) }
}

extension KVExecutor where Self == KVQueueExecutor {
  /// The main thread (ILBinding's default).
  public static var main: KVQueueExecutor { mainExecutor }

  /// A dispatch queue.
  ///
  /// - Parameter queue: The queue; a serial one, as a rule.
  /// - Returns: Its executor.
  public static func queue(_ queue: DispatchQueue) -> KVQueueExecutor { KVQueueExecutor(queue) }
}

private let mainExecutor = KVQueueExecutor(.main, isMain: true)
