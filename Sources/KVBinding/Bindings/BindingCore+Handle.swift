import KVCore

extension BindingCore {
  /// Creates the binding of a definition.
  package convenience init(
    _ source: BindingEndpoint, _ target: BindingEndpoint, _ options: KVBindingOptions, named name: String?,
    _ cures: BindingCures, _ site: Site
  ) {
    self.init(source, target, options, name: name, cures: cures, site: site)
  }

  /// The one public object of the binding, which its observers observe.
  struct Handle {
    /// Nil if the object cancels the binding on its deinit, and after the binding has ended.
    var retained: KVPathBinding?
    weak var object: KVPathBinding?
  }

  /// The public object of the binding.
  ///
  /// The binding retains it until it ends, so that its observers stay.
  package var binding: KVPathBinding {
    handle.withLock { handle in
      if let binding = handle.object { return binding }
      let binding = isEnded ? KVPathBinding(EndedBinding(self)) : KVPathBinding(self)
      handle.object = binding
      if !isEnded { handle.retained = binding }
      return binding
    }
  }

  /// The public object, if it has observers.
  private var observedBinding: KVPathBinding? {
    guard let binding = handle.withLock({ $0.object }), binding._activeRegistrar != nil else { return nil }
    return binding
  }

  /// Sets the state and the error, and notifies their observers.
  func set(_ state: KVBindingState, _ error: KVError?) {
    guard let binding = observedBinding else { return store(state, error) }
    let old = status.withLock { ($0.state, $0.error) }
    if old.0 == .ended { return }
    let keys = (old.0 == state ? [] : ["state"]) + (old.1 == nil && error == nil ? [] : ["lastError"])
    for key in keys { binding.willChangeValue(forKey: key) }
    store(state, error)
    for key in keys.reversed() { binding.didChangeValue(forKey: key) }
  }

  private func store(_ state: KVBindingState, _ error: KVError?) {
    status.withLock { status in
      guard status.state != .ended else { return }
      status.state = state
      status.error = error
      if state == .active {
        flags.bitwiseAnd(~Flag.troubled, ordering: .relaxed)
      } else {
        flags.bitwiseOr(Flag.troubled, ordering: .relaxed)
      }
    }
  }

  /// Sets the state of a binding that has just ended, notifies its observers, and lets the public object release it.
  func retire() {
    let observed = observedBinding
    observed?.willChangeValue(forKey: "state")
    let released = status.withLock { status in
      defer { status = Status(state: .ended, error: status.error) }
      return status
    }
    observed?.didChangeValue(forKey: "state")
    let handle = self.handle.withLock { handle in
      defer { handle.retained = nil }
      return (handle.retained, handle.object)
    }
    handle.0?.retire(self)
    handle.1?.retire(self)
    // What user code may own is released outside of the locks.
    withExtendedLifetime((released, handle)) {}
  }
}
