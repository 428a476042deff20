import KVCore

/// The handlers that a binding has added to a control, which notify it of the control's events (CTL.1).
///
/// A control may run any code while a handler is added to it, and another thread may find another control meanwhile. So
/// each control has a subscription, which the next one ends: a handler that arrives after the end of its subscription
/// is removed from its own control.
final class ControlEvents: Sendable {
  /// The handlers that were added to one control.
  private final class Turn: @unchecked Sendable {  // guard: the lock of `state`, and the code that took it out of there
    var removals: [() -> Void] = []
  }

  private struct State {
    var turn: Turn?
    var isOver = false
  }

  private let state = Locked(State())

  /// Observes the events of the current control, and no longer those of the previous one; no events at all after
  /// `end()`.
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
    let turn = Turn()
    guard take(turn), let control = find() else { return }
    let waits = core.options.trigger == .onCommit
    // The control retains the handlers, and nothing else retains the control, so that a binding does not retain itself.
    let changed = control.addControlHandler(for: .valueChanged) { [weak core] in core?.hear(side, nil, nil) }
    if let changed, !keep(changed, of: control, turn) { return }
    guard waits || changed == nil else { return }
    let hasChanged = changed == nil
    let committed = control.addControlHandler(for: .committed) { [weak core] in
      if hasChanged { core?.hear(side, nil, nil) }
      // An error is the state of the binding; the control could not handle it.
      if waits { try? core?.commit() }
    }
    if let committed { _ = keep(committed, of: control, turn) }
    if changed == nil, committed == nil { throw Self.silent(control, path) }
  }

  /// Throws for a control that sends no events; leaves no handler in the control.
  static func check(_ control: any KVControl, _ path: KVKeyPath) throws(KVError) {
    for event in KVControlEvent.allCases {
      if let token = control.addControlHandler(for: event, {}) { return control.removeControlHandler(token) }
    }
    throw silent(control, path)
  }

  private static func silent(_ control: any KVControl, _ path: KVKeyPath) -> KVError {
    let name = "\(type(of: control))"
    return KVError(
      .notObservable,
      """
      \(name) sends no events, so no binding can follow its "\(path.last)". Let addControlHandler(for:_:) return a token \
      for one of them, or bind one-way.
      """, keyPath: path.description, rootType: name)
  }

  /// Ends the subscription for good.
  func end() { _ = take(nil, isOver: true) }

  /// Begins a subscription and ends the previous one; returns `false` after `end()`.
  private func take(_ turn: Turn?, isOver: Bool = false) -> Bool {
    let (ended, isRefused) = state.withLock { state -> (Turn?, Bool) in
      if state.isOver { return (nil, true) }
      let ended = state.turn
      state = State(turn: turn, isOver: isOver)
      return (ended, false)
    }
    for remove in ended?.removals ?? [] { remove() }
    return !isRefused
  }

  /// Stores the token of a handler; if its subscription has ended, removes the handler and returns `false`.
  private func keep(_ token: Any, of control: any KVControl, _ turn: Turn) -> Bool {
    let remove = { [weak control] in if let control { control.removeControlHandler(token) } }
    let isKept = state.withLock { state in
      guard state.turn === turn else { return false }
      turn.removals.append(remove)
      return true
    }
    if !isKept { remove() }
    return isKept
  }
}
