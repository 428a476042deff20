import Dispatch
import Foundation

/// Threads with a stack of a given size.
package enum SmallStack {
  /// The sizes in KB; 512 KB is that of Apple's secondary threads.
  package static let sizes = [128, 256, 512, 1_024, 8_192]

  private final class Box: @unchecked Sendable {  // guard: the threads take turns
    var body: () throws -> Void
    var error: (any Error)?

    init(_ body: @escaping () throws -> Void) { self.body = body }
  }

  /// Calls a function on a thread of its own, and returns the error that it throws.
  package static func error(kilobytes: Int, _ body: @escaping () throws -> Void) -> (any Error)? {
    let (box, done) = (Box(body), DispatchSemaphore(value: 0))
    let thread = Thread {
      do { try box.body() } catch { box.error = error }
      done.signal()
    }
    thread.stackSize = kilobytes << 10
    thread.start()
    done.wait()
    box.body = {}  // what it captures is freed here, and not with the thread
    return box.error
  }
}
