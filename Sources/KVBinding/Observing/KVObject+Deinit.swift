import KVCore

extension KVObject {
  /// Adds a closure that runs when the object is deallocated, while its properties still exist (LIF.5).
  ///
  /// Each closure runs once, in the order of registration, after the `deinit`s of subclasses and before the
  /// registrations of the object end. Closures cannot keep the object alive.
  ///
  /// - Parameter body: The closure. It must not capture the object strongly, or the object is never deallocated. To
  ///   read properties of the object, capture it as `[unowned(unsafe)]`, since other references are invalid by then.
  /// - Returns: A token that can remove the closure, or skip it while paused. It may be discarded.
  @discardableResult
  public func onDeinit(_ body: @escaping () -> Void) -> KVObservation {
    let handler = DeinitHandler(body, ObserverRegistrar.of(self))
    handler.begin()
    return KVObservation([handler], cancelsOnDeinit: false)
  }
}
