import KVCore

/// Memory for elements, which is used again and again: it only grows.
///
/// The elements are where they are until ``removeAll()``, so that code of the program can run while one is in use.
struct ReusedMemory<Element>: ~Copyable {
  private var elements: AddressOf<Element>?
  private var capacity = 0
  private(set) var count = 0

  deinit {
    elements?.deinitialize(count: count)
    elements?.deallocate()
  }

  /// Makes elements; there are none before.
  @inline(__always)
  mutating func make(_ count: Int, _ make: (Int) -> Element) {
    if count > capacity { grow(to: count) }
    guard let elements else { return }
    for index in 0..<count { (elements + index).initialize(to: make(index)) }
    self.count = count
  }

  @inline(never)
  private mutating func grow(to count: Int) {
    elements?.deallocate()
    capacity = max(count, capacity * 2)
    elements = .allocate(capacity: capacity)
  }

  /// Removes the elements, which can run any code of the program.
  @inline(__always)
  mutating func removeAll() {
    if count == 0 { return }
    elements?.deinitialize(count: count)
    count = 0
  }

  /// The address of an element.
  @inline(__always)
  subscript(index: Int) -> AddressOf<Element> { elements.unsafelyUnwrapped + index }
}
