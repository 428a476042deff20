/// A class whose objects can be observed.
///
/// ``KVObject`` conforms; a class that cannot inherit from it conforms by storing a slot:
///
/// ```swift
/// final class Download: Operation, KVObservable {
///   let registrarSlot = KVRegistrarSlot()
///   @KVProperty var progress = 0.0
/// }
/// ```
public protocol KVObservable: AnyObject, KeyValueCoding {
  /// The storage for the registrar; a stored `let`.
  var registrarSlot: KVRegistrarSlot { get }
  /// The registrar, or `nil` if the object has never been observed. It has a default implementation.
  var _activeRegistrar: _KVReference<_KVRegistrar>? { get }
}

extension KVObservable {
  /// The registrar in the slot.
  @inlinable @inline(__always)
  public var _activeRegistrar: _KVReference<_KVRegistrar>? { registrarSlot.active }
}
