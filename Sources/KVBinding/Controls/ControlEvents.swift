import KVCore

/// What a binding has added to a control, so that it hears of its events (CTL.1).
final class ControlEvents: @unchecked Sendable {  // guard: `state` is locked
  private let state = Locked(State())

  private struct State: @unchecked Sendable {  // guard: the tokens are only handed back to the control
    weak var control: (any KVControl)?
    var tokens: [Any] = []
    var isOver = false
  }

  /// Hears of the events of a control, and of no other any more.
  ///
  /// - Throws: ``KVError`` with the code `notObservable` if it sends none.
  func follow(
    _ control: any KVControl, _ path: KVKeyPath, for core: BindingCore, _ side: BindingSide
  ) throws(KVError) {
    leave(isOver: false)
    let waits = core.options.trigger == .onCommit
    // The control keeps what it calls, and nothing else keeps the control: so a binding does not keep itself.
    let changed = control.addControlHandler(for: .valueChanged) { [weak core] in core?.hear(side, nil, nil) }
    if let changed { keep(changed, of: control) }
    guard waits || changed == nil else { return }
    let hasChanged = changed == nil
    let committed = control.addControlHandler(for: .committed) { [weak core] in
      if hasChanged { core?.hear(side, nil, nil) }
      // What fails is the state of the binding, and the control could do nothing about it.
      if waits { try? core?.commit() }
    }
    if let committed { keep(committed, of: control) }
    guard changed == nil, committed == nil else { return }
    let name = "\(type(of: control))"
    throw KVError(
      .notObservable,
      """
      \(name) sends no events, so no binding can follow its "\(path.last)". Let addControlHandler(for:_:) return a token \
      for one of them, or bind one-way.
      """, keyPath: path.description, rootType: name)
  }

  private func keep(_ token: Any, of control: any KVControl) {
    let added = State(control: control, tokens: [token])
    let isOver = state.withLock { state in
      if !state.isOver { state = State(control: added.control, tokens: state.tokens + added.tokens) }
      return state.isOver
    }
    if isOver { control.removeControlHandler(token) }
  }

  /// Hears of nothing for now.
  func pause() { leave(isOver: false) }

  /// Hears of nothing any more.
  func end() { leave(isOver: true) }

  private func leave(isOver: Bool) {
    let ended = state.withLock { state in
      let ended = state
      state = State(isOver: isOver || ended.isOver)
      return ended
    }
    for token in ended.tokens { ended.control?.removeControlHandler(token) }
  }
}
