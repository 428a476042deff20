import Foundation
import Testing

/// Loses objects, in order that the check for leaks can be seen to find them: `.ci/nightly` expects that it fails.
@Suite("The check for leaks", .enabled(if: ProcessInfo.processInfo.environment["KV_LOSE"] != nil))
struct LostObjectTests {
  private final class Lost {
    let payload = [UInt8](repeating: 1, count: 1_000)
  }

  @Test("LIF.2: lost objects are found")
  func lose() {
    // More than one, since a word on the stack may still refer to the last.
    for _ in 0..<10 { _ = Unmanaged.passRetained(Lost()) }
  }
}
