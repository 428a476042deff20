import KVCore

extension BindingCore {
  /// Begins to observe, and synchronizes the endpoints (BND.2).
  ///
  /// - Throws: ``KVError`` if an endpoint cannot be bound, or the initial value cannot be propagated. The binding has
  ///   ended then.
  package func begin() throws(KVError) {
    do throws(KVError) {
      try checkDirection()
      let unreadable = try checkReceivers()
      try checkPlaceholders()
      // Before an endpoint can notify.
      if isPlain { transfers = typedTransfers() }
      if options.direction != .once { try observeEndpoints() }
      try performInitialSync()
      for (endpoint, error) in unreadable {
        report(.warning) { "\(endpoint.description) cannot be read, and perhaps not be set: \(error)" }
      }
    } catch {
      cancel()
      throw error
    }
    if options.direction == .once {
      // If a value is queued for an executor, the binding ends after that is set.
      return status.withLock { $0.queued != nil } ? () : cancel()
    }
    if let target = target.object { Owners.add(self, to: target) }
    BindingRegistry.add(self)
    // Another thread or a handler may have cancelled it meanwhile.
    if isEnded { forget() }
  }

  /// Creates the registration that notifies the binding of changes of an endpoint.
  ///
  /// It wants no values: the binding reads them itself when it needs them, since those of a record can be stale (KVO.8).
  ///
  /// - Parameter endsBinding: Whether the binding ends with the registration.
  func registration(
    _ path: KVKeyPath, _ side: BindingSide, countsChanges: Bool = false, endsBinding: Bool = true
  ) -> Registration {
    Registration(path, [], site, countsChanges: countsChanges, .binding(self, side, endsBinding: endsBinding))
  }

  func checkDirection() throws(KVError) {
    try options.checkEffect(cures)
    if combiner == nil, transform == nil, source.isSame(as: target) {
      throw KVError(
        .unsupported,
        "\"\(target.path)\" of \(target.typeName) is bound to itself, and would be set to the value that it has. Name another source.",
        keyPath: target.path.description, rootType: target.typeName)
    }
    if options.direction.goesBackward || options.initialSync == .fromTarget { try checkCanReverse() }
  }

  /// Checks that the endpoints that receive values can be set, even if there is no value yet.
  ///
  /// - Returns: The endpoints that cannot be read, which a hook can set.
  private func checkReceivers() throws(KVError) -> [(endpoint: BindingEndpoint, error: KVError)] {
    var receivers: [BindingEndpoint] = []
    if options.direction != .toSource {
      receivers.append(target)
    } else if let target = target.object {
      reconciles = (try? KVC.checkSettable(self.target.path, of: target)) != nil
    }
    if options.direction.goesBackward || options.initialSync == .fromTarget { receivers.append(source) }
    var unreadable: [(BindingEndpoint, KVError)] = []
    for endpoint in receivers where endpoint.usesAccessors {
      guard let object = endpoint.object else { continue }
      do throws(KVError) { try KVC.checkSettable(endpoint.path, of: object) } catch {
        guard error.code == .undefinedKey else { throw error }
        unreadable.append((endpoint, error))
      }
    }
    return unreadable
  }

  /// Checks that what the options give the target fits it, even if it is not needed yet.
  private func checkPlaceholders() throws(KVError) {
    guard options.direction.goesForward else { return }
    for (marker, value) in options.placeholders { _ = try fitted(value, from: .source, option: marker.rawValue) }
    if let value = options.fallback { _ = try fitted(value, from: .source, option: "fallback") }
    // A combiner gets it, and not the target.
    if let value = options.nullPlaceholder, combiner == nil {
      _ = try fitted(value, from: .source, option: "nullPlaceholder")
    }
  }

  /// Checks that the binding can propagate from the target to the source.
  func checkCanReverse() throws(KVError) {
    let obstacle: String
    if let transform, !transform.isReversible {
      obstacle = "\(transform) has no way back. Give it a reverse function, or bind one-way."
    } else if combiner != nil {
      obstacle = "it combines several sources, so nothing can be carried back to them. Bind one-way."
    } else {
      return
    }
    throw KVError(
      .notReversible, "the binding of \(summary) would carry values back to its source, but \(obstacle)",
      keyPath: target.path.description, rootType: target.typeName)
  }

  func observeEndpoints() throws(KVError) {
    if options.direction.goesBackward {
      try target.observe(for: self, .target)
    } else {
      try target.observeParent(for: self, .target)
    }
    for endpoint in [source] + others {
      if type(of: endpoint) != BindingEndpoint.self { isListedAtSources = false }
      if options.direction.goesForward {
        try endpoint.refuseControls()
        try endpoint.observe(for: self, .source)
      } else {
        try observeDeallocation(of: endpoint)
      }
    }
  }

  /// Observes a source that only receives values, so that its deallocation is detected and the binding is listed.
  func observeDeallocation(of endpoint: BindingEndpoint) throws(KVError) {
    do throws(KVError) { try endpoint.observe(for: self, .source) } catch {
      guard error.code == .notObservable else { throw error }
      isListedAtSources = false
      try endpoint.observeParent(for: self, .source)
    }
  }

  func typedTransfers() -> (forward: TypedTransfer, backward: TypedTransfer?)? {
    guard source.path.count == 1, target.path.count == 1, let from = source.object, let to = target.object,
      let first = source.path.leaf(of: from), let last = target.path.leaf(of: to), first.owner === from,
      last.owner === to,
      let forward = TypedTransfer(from: first.accessor, to: last.accessor, by: maps?.forward)
    else { return nil }
    let isForwardOnly = maps != nil && maps?.backward == nil
    return (forward, isForwardOnly ? nil : TypedTransfer(from: last.accessor, to: first.accessor, by: maps?.backward))
  }

  func performInitialSync() throws(KVError) {
    let side: BindingSide
    switch options.initialSync {
    case .none: return
    case .fromSource: side = .source
    case .fromTarget: side = .target
    case .automatic: side = options.direction == .toSource ? .target : .source
    }
    if let executor = options.concurrency.otherExecutor { return try queue(side, executor) }
    if case .only(let executor) = options.concurrency, !executor.isCurrent { throw wrongThread }
    try propagateThrowing(from: side)
    if options.direction == .once, state == .unresolved, options.fallback == nil {
      throw KVError(
        .unresolvedPath,
        "the binding of \(summary) is made once, and a path leads nowhere now: bind later, one-way, or with a fallback.",
        keyPath: source.path.description, rootType: source.typeName)
    }
  }

  /// Returns whether a call on this thread will throw an error, unless another round of the propagation settles the
  /// values or fails as well: the error is reported then.
  func isThrowing(_ error: KVError) -> Bool {
    let thread = Self.thisThread
    let (isThrowing, before) = throwingCalls.withLock { calls -> (Bool, KVError?) in
      guard let last = calls.lastIndex(where: { $0.thread == thread }) else { return (false, nil) }
      defer { calls[last].error = error }
      return (true, calls[last].error)
    }
    if let before { report(.error) { "\(before)" } }
    return isThrowing
  }

  /// Propagates a value, and throws the error instead of reporting it (BND.11).
  func propagateThrowing(from side: BindingSide) throws(KVError) {
    let thread = Self.thisThread
    throwingCalls.withLock { $0.append(ThrowingCall(thread: thread)) }
    beginWave(side) { propagate(from: side, nil, nil) }
    let failure = throwingCalls.withLock { calls in
      calls.lastIndex { $0.thread == thread }.flatMap { calls.remove(at: $0).error }
    }
    if let error = status.withLock({ $0.error }) { throw error }
    if let failure { report(.error) { "\(failure)" } }
  }

  /// Cancels the binding.
  ///
  /// This is safe at any time, on any thread, and more than once.
  @inline(never)
  package func cancel() {
    guard flags.bitwiseOr(Flag.ended, ordering: .acquiringAndReleasing).oldValue & Flag.ended == 0 else { return }
    source.cancel()
    for endpoint in others { endpoint.cancel() }
    target.cancel()
    limiter?.cancel()
    reportEditing()
    forget()
    retire()
    trace { "ended" }
  }

  /// Cancels the binding if an endpoint has been deallocated whose class notifies nobody of that; returns whether the
  /// binding has ended.
  func endIfDead() -> Bool {
    if !isEnded, ([source, target] + others).contains(where: { $0.object == nil }) { cancel() }
    return isEnded
  }

  func forget() {
    Owners.forget(self)
    BindingRegistry.remove(self)
  }

  var isEnded: Bool { flags.load(ordering: .acquiring) & Flag.ended != 0 }
  var owner: AnyObject? { target.object }
}
