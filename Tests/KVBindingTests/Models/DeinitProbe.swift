/// Calls a closure when it is deallocated.
final class DeinitProbe {
  private let body: () -> Void

  init(_ body: @escaping () -> Void = {}) { self.body = body }

  deinit { body() }
}
