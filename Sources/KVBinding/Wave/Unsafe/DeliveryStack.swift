import KVCore
import Synchronization

/// The part of a thread's stack in which changes are delivered; the rest is left to the handlers (KVO.23).
///
/// Every delivery tests for it, so that the stack of the first thread that does is found without thread-local storage. In
/// most programs that is the main thread.
package struct DeliveryStack {
  /// The maximum size of the rest, in bytes; of a small stack the rest is a quarter.
  static let maximumReserve: UInt = 256 * 1024

  private static let firstLowest = Atomic<UInt>(0)
  private static let firstSize = Atomic<UInt>(0)
  private static let isFirstStackClaimed = Atomic<Bool>(false)

  private let lowest: UInt
  private let size: UInt
  private let reserve: UInt
  private let isFirst: Bool

  /// The space of the current thread.
  init() {
    let stack = StackSpace.current
    reserve = min(Self.maximumReserve, stack.size / 4)
    (lowest, size) = (stack.lowest + reserve, stack.size - reserve)
    isFirst = !Self.isFirstStackClaimed.exchange(true, ordering: .relaxed)
    if isFirst {
      Self.firstLowest.store(lowest, ordering: .releasing)
      Self.firstSize.store(size, ordering: .releasing)
    }
  }

  /// Ends the use of the space: the thread ends, and another one can get its addresses.
  func retire() { if isFirst { Self.firstSize.store(0, ordering: .releasing) } }

  /// Whether the current thread is in its space.
  @inline(__always)
  package static var isLeft: Bool {
    let address = StackSpace.currentAddress
    if address &- firstLowest.load(ordering: .relaxed) < firstSize.load(ordering: .relaxed) { return true }
    return isLeft(address)
  }

  @inline(never)
  private static func isLeft(_ address: UInt) -> Bool {
    let space = current
    // Other addresses are those of a sanitizer, or of a stack that the program has made.
    return address < space.lowest - space.reserve || address >= space.lowest
  }

  private static var current: DeliveryStack { ThreadDeliveries.current.borrow { $0.stack } }
}
