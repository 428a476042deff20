import Synchronization

/// The place in an object where its registrar goes when somebody observes it: one pointer, empty until then.
///
/// It is read without a lock and filled once, whoever comes first.
public struct KVRegistrarSlot: ~Copyable, Sendable {
  @usableFromInline let pointer = Atomic<Unmanaged<KVRegistrar>?>(nil)

  /// Makes an empty slot.
  public init() {}

  /// The registrar, if anybody has ever observed the object.
  @inlinable @inline(__always)
  public var registrar: KVRegistrar? { active?.takeUnretainedValue() }

  /// The registrar, unretained: the object keeps it.
  @inlinable @inline(__always)
  var active: Unmanaged<KVRegistrar>? { pointer.load(ordering: .acquiring) }

  /// Returns the registrar, and installs one if there is none yet.
  ///
  /// - Parameter make: Makes the registrar; what it made is dropped if another thread was quicker.
  public func registrar(installing make: () -> KVRegistrar) -> KVRegistrar {
    if let registrar { return registrar }
    let made = Unmanaged.passRetained(make())
    let (exchanged, original) = pointer.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    if exchanged { return made.takeUnretainedValue() }
    made.release()
    return original.unsafelyUnwrapped.takeUnretainedValue()
  }

  deinit {
    guard let registrar = pointer.load(ordering: .acquiring) else { return }
    registrar._withUnsafeGuaranteedRef { $0.objectDidDeallocate() }
    registrar.release()
  }
}
