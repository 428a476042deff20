import Synchronization

/// Counts the changes in which something takes part, from their begin until they are made.
///
/// An object that ends meanwhile is part of these changes (LIF.3).
struct ChangeCount: ~Copyable {
  private let number = Atomic<Int32>(0)

  /// Whether a change has begun and is not made yet, on any thread.
  var isChanging: Bool { number.load(ordering: .acquiring) != 0 }

  func begin() { number.add(1, ordering: .releasing) }
  func end() { number.subtract(1, ordering: .releasing) }
}
