import KVCore

extension KVObject {
  /// Runs a closure when the object dies, at the start of its `deinit`: its properties are still there (LIF.5).
  ///
  /// Closures run once each, in the order of registration, after the `deinit`s of subclasses, before anything that the
  /// object observes ends. The object cannot be kept alive by them.
  ///
  /// - Parameter body: What is to be done. It must not capture the object strongly, which would never die then; to read its
  ///   properties capture it `[unowned(unsafe)]`, since other references to it are void by then.
  public func onDeinit(_ body: @escaping () -> Void) {
    ObserverRegistrar.of(self).withExtras { $0.farewells.append(body) }
  }
}
