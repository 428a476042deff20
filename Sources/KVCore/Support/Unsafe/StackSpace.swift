/// The stack of a thread, and what is left of it (KVC.18).
///
/// The stack space of a thread; recursion on external data checks it at each level, so that no data overflow a small
/// stack.
@usableFromInline
package struct StackSpace {
  /// The maximum size of what is left to the code between two questions, and to the getters of the program, in bytes; of a
  /// small stack it is a quarter.
  private static let maximumReserve: UInt = 128 * 1024

  /// The lowest address; zero if the platform does not tell.
  package let lowest: UInt
  /// The size in bytes; zero if the platform does not tell.
  package let size: UInt
  private let reserve: UInt

  /// The stack of the current thread.
  init() {
    (lowest, size) = stackBounds()
    reserve = min(Self.maximumReserve, size / 4)
  }

  /// The stack of the current thread, which is found once.
  package static var current: StackSpace { ThreadContext.current.borrow { $0.stack } }

  /// An address in the innermost frame.
  @inlinable @inline(__always)
  package static var currentAddress: UInt {
    var marker: UInt8 = 0
    return withUnsafeMutablePointer(to: &marker) { UInt(bitPattern: $0) }
  }

  /// Returns whether the current thread has room for a number of bytes, besides the reserve.
  @inline(never)
  package static func hasRoom(for bytes: Int = 0) -> Bool {
    let space = current
    let left = currentAddress &- space.lowest
    // Other addresses are those of a sanitizer, or of a stack that the program has made.
    return left >= space.size || left >= space.reserve &+ UInt(bytes)
  }
}
