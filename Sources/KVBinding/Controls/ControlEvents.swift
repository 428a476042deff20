import KVCore

/// What a binding has added to a control, so that it hears of its events (CTL.1).
///
/// A control may run anything while something is added to it, and another thread may find another control meanwhile. So
/// each control has a turn, which the next one ends: what comes too late for its turn goes back to its own control.
final class ControlEvents: Sendable {
  /// What was added to one control.
  private final class Turn: @unchecked Sendable {  // guard: the lock of `state`, and whoever has taken it out of there
    var removals: [() -> Void] = []
  }

  private struct State {
    var turn: Turn?
    var isOver = false
  }

  private let state = Locked(State())

  /// Hears of the events of the control that is found, and of no other any more; of none once this is over.
  ///
  /// - Parameter find: Returns the control; called when nothing else is heard any more.
  /// - Throws: ``KVError`` with the code `notObservable` if it sends none.
  func follow(
    _ path: KVKeyPath, for core: BindingCore, _ side: BindingSide, _ find: () -> (any KVControl)?
  ) throws(KVError) {
    let turn = Turn()
    guard take(turn), let control = find() else { return }
    let waits = core.options.trigger == .onCommit
    // The control keeps what it calls, and nothing else keeps the control: so a binding does not keep itself.
    let changed = control.addControlHandler(for: .valueChanged) { [weak core] in core?.hear(side, nil, nil) }
    if let changed, !keep(changed, of: control, turn) { return }
    guard waits || changed == nil else { return }
    let hasChanged = changed == nil
    let committed = control.addControlHandler(for: .committed) { [weak core] in
      if hasChanged { core?.hear(side, nil, nil) }
      // What fails is the state of the binding, and the control could do nothing about it.
      if waits { try? core?.commit() }
    }
    if let committed { _ = keep(committed, of: control, turn) }
    if changed == nil, committed == nil { throw Self.silent(control, path) }
  }

  /// Refuses a control that sends no events; nothing is left in it.
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

  /// Hears of nothing any more.
  func end() { _ = take(nil, isOver: true) }

  /// Begins a turn, and ends the one before; false if this is over.
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

  /// Keeps what was added to a control; gives it back, and returns false, if the turn has ended.
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
