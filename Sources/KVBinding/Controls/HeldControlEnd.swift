import KVCore

/// The end of a binding at a path of several components, where a control may hold the last key: it is heard then, too.
final class HeldControlEnd: BindingEnd, @unchecked Sendable {  // guard: `core` is set once, when it begins
  private let events = ControlEvents()
  @exclusivity(unchecked) private weak var core: BindingCore?

  override func listen(for core: BindingCore, _ side: BindingSide) throws(KVError) {
    let control = lastHolder as? any KVControl
    do throws(KVError) { try super.listen(for: core, side) } catch {
      // The way to the control may be one that never changes.
      guard control != nil, error.code == .notObservable else { throw error }
      _ = hasNewHolder()
    }
    if let control { try events.follow(control, path, for: core, side) }
    self.core = core
  }

  override func holderChanged() {
    guard let core else { return }
    guard let control = lastHolder as? any KVControl else { return events.pause() }
    do throws(KVError) { try events.follow(control, path, for: core, .target) } catch { core.fail(error) }
  }

  override func end() {
    events.end()
    super.end()
  }
}
