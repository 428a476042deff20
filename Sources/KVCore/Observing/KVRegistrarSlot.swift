import Synchronization

/// The storage for the registrar of an object: one pointer, which is empty until the object is observed.
///
/// It is read without a lock. The first observation installs the registrar.
public struct KVRegistrarSlot: ~Copyable, Sendable {
  @usableFromInline let pointer = Atomic<_KVReference<_KVRegistrar>?>(nil)

  /// Makes an empty slot.
  public init() {}

  /// The registrar, or `nil` if the object has never been observed.
  @inlinable @inline(__always)
  package var registrar: _KVRegistrar? { active?.object }

  /// The registrar, not retained: the slot retains it.
  @inlinable @inline(__always)
  var active: _KVReference<_KVRegistrar>? { pointer.load(ordering: .acquiring) }

  /// Returns the registrar, and installs one if the slot is empty.
  ///
  /// - Parameter make: A closure that creates the registrar. The result is released if another thread installs one
  ///   first.
  package func registrar(installing make: () -> _KVRegistrar) -> _KVRegistrar {
    if let registrar { return registrar }
    let made = _KVReference.retaining(make())
    let (exchanged, original) = pointer.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !exchanged, let original else { return made.object }
    made.release()
    return original.object
  }

  /// Replaces a registrar by another one, which must retain it until the object is deallocated: a setter may be using it.
  ///
  /// - Returns: Whether the slot had it.
  package func replace(_ registrar: _KVRegistrar, by new: _KVRegistrar) -> Bool {
    let made = _KVReference.retaining(new)
    let previous = _KVReference(registrar)
    let (exchanged, _) = pointer.compareExchange(expected: previous, desired: made, ordering: .acquiringAndReleasing)
    (exchanged ? previous : made).release()
    return exchanged
  }

  deinit {
    guard let registrar = pointer.load(ordering: .acquiring) else { return }
    registrar.borrow { $0.objectDidDeallocate() }
    registrar.release()
  }
}
