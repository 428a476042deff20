import Synchronization

/// The storage for the registrar of an object: one pointer, which is empty until the object is observed.
///
/// It is read without a lock. The first observation installs the registrar.
public struct KVRegistrarSlot: ~Copyable, Sendable {
  @usableFromInline let pointer = Atomic<Unmanaged<_KVRegistrar>?>(nil)

  /// Makes an empty slot.
  public init() {}

  /// The registrar, or `nil` if the object has never been observed.
  @inlinable @inline(__always)
  package var registrar: _KVRegistrar? { active?.takeUnretainedValue() }

  /// The registrar, not retained: the slot retains it.
  @inlinable @inline(__always)
  var active: Unmanaged<_KVRegistrar>? { pointer.load(ordering: .acquiring) }

  /// Returns the registrar, and installs one if the slot is empty.
  ///
  /// - Parameter make: A closure that creates the registrar. The result is released if another thread installs one
  ///   first.
  package func registrar(installing make: () -> _KVRegistrar) -> _KVRegistrar {
    if let registrar { return registrar }
    let made = Unmanaged.passRetained(make())
    let (exchanged, original) = pointer.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if exchanged { return made.takeUnretainedValue() }
    made.release()
    return original.unsafelyUnwrapped.takeUnretainedValue()
  }

  /// Replaces a registrar by another one, which must retain it until the object is deallocated: a setter may be using it.
  ///
  /// - Returns: Whether the slot had it.
  package func replace(_ registrar: _KVRegistrar, by new: _KVRegistrar) -> Bool {
    let made = Unmanaged.passRetained(new)
    let former = Unmanaged.passUnretained(registrar)
    let (exchanged, _) = pointer.compareExchange(expected: former, desired: made, ordering: .acquiringAndReleasing)
    (exchanged ? former : made).release()
    return exchanged
  }

  deinit {
    guard let registrar = pointer.load(ordering: .acquiring) else { return }
    registrar._withUnsafeGuaranteedRef { $0.objectDidDeallocate() }
    registrar.release()
  }
}
