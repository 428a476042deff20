import KVCore

/// The handlers that a binding has added to a control, which notify it of the control's events (CTL.1).
///
/// A control may run any code while a handler is added to it, and another thread may find another control meanwhile. So
/// each control has a subscription, which the next one ends: a handler that arrives after the end of its subscription
/// is removed from its own control.
final class ControlEvents: Sendable {
  /// The handlers that were added to one control.
  // guard: the lock of `state`, and the code that took it out of there
  private final class Subscription: @unchecked Sendable {
    var removals: [() -> Void] = []
  }

  private struct State {
    var subscription: Subscription?
    var isCancelled = false
  }

  private let state = Locked(State())

  /// Observes the events of the current control, and no longer those of the previous one; no events at all after
  /// `cancel()`.
  ///
  /// - Parameters:
  ///   - path: The key path to the control's key.
  ///   - core: The binding to notify.
  ///   - side: The side of the control in the binding.
  ///   - find: Returns the control. It is called when no other control is observed any more.
  /// - Throws: ``KVError`` (`notObservable`) if the control sends no events.
  func follow(
    _ path: KVKeyPath, for core: BindingCore, _ side: BindingSide, _ find: () -> (any KVControl)?
  ) throws(KVError) {
    let subscription = Subscription()
    guard replace(subscription), let control = find() else { return }
    let waits = core.options.trigger == .onCommit
    // The control retains the handlers, and nothing else retains the control, so that a binding does not retain itself.
    let changed = control.addControlHandler(for: .valueChanged) { [weak core] in core?.endpointDidChange(side)
    }
    if let changed, !store(changed, of: control, subscription) { return }
    guard waits || changed == nil else { return }
    let hasChanged = changed == nil
    let committed = control.addControlHandler(for: .committed) { [weak core] in
      if hasChanged { core?.endpointDidChange(side) }
      // An error is the state of the binding; the control could not handle it.
      if waits { try? core?.commit() }
    }
    if let committed { _ = store(committed, of: control, subscription) }
    if changed == nil, committed == nil { throw Self.notObservableError(control, path) }
  }

  /// Throws for a control that sends no events; leaves no handler in the control.
  static func check(_ control: any KVControl, _ path: KVKeyPath) throws(KVError) {
    for event in KVControlEvent.allCases {
      if let token = control.addControlHandler(for: event, {}) { return control.removeControlHandler(token) }
    }
    throw notObservableError(control, path)
  }

  private static func notObservableError(_ control: any KVControl, _ path: KVKeyPath) -> KVError {
    let name = "\(type(of: control))"
    return KVError(
      .notObservable,
      """
      \(name) sends no events, so no binding can follow its "\(path.last)". Let addControlHandler(for:_:) return a token \
      for one of them, or bind one-way.
      """, keyPath: path.description, rootType: name)
  }

  /// Ends the subscription for good.
  func cancel() { _ = replace(nil, isCancelled: true) }

  /// Begins a subscription and ends the previous one; returns `false` after `cancel()`.
  private func replace(_ subscription: Subscription?, isCancelled: Bool = false) -> Bool {
    let (ended, isRefused) = state.withLock { state -> (Subscription?, Bool) in
      if state.isCancelled { return (nil, true) }
      let ended = state.subscription
      state = State(subscription: subscription, isCancelled: isCancelled)
      return (ended, false)
    }
    for remove in ended?.removals ?? [] { remove() }
    return !isRefused
  }

  /// Stores the token of a handler; if its subscription has ended, removes the handler and returns `false`.
  private func store(_ token: Any, of control: any KVControl, _ subscription: Subscription) -> Bool {
    let remove = { [weak control] in if let control { control.removeControlHandler(token) } }
    let isStored = state.withLock { state in
      guard state.subscription === subscription else { return false }
      subscription.removals.append(remove)
      return true
    }
    if !isStored { remove() }
    return isStored
  }
}
