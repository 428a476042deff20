import KVCore

extension BindingCore {
  /// Carries a value over once; what goes wrong becomes the state of the binding (BND.11).
  @inline(__always)
  func transfer(from side: BindingSide, _ object: Unmanaged<AnyObject>?, _ cargo: BindingCargo?) {
    run.echoes = 0
    guard cargo == nil, let ways, !TypedWay.isSuspended, !isWatched else { return transferSlowly(from: side, cargo) }
    do {
      if side == .source {
        guard let to = target.object else { return end() }
        // The object that has just changed is alive; the other one may not be.
        if let object {
          try object._withUnsafeGuaranteedRef { try move($0, to, ways.forward) }
        } else {
          guard let from = source.object else { return end() }
          try move(from, to, ways.forward)
        }
      } else {
        guard let backward = ways.backward else { return transferSlowly(from: side, cargo) }
        guard let from = source.object, let to = target.object else { return end() }
        try moveBack(from, to, ways.forward, backward)
      }
      succeed()
    } catch {
      run.receiver = nil
      fail(TransformFunction.failure(error, nil, side == .source ? .forward : .backward))
    }
  }

  @inline(never)
  private func transferSlowly(from side: BindingSide, _ cargo: BindingCargo?) {
    guard source.object != nil, target.object != nil else { return end() }
    do throws(KVError) { try move(from: side, cargo) } catch { fail(error) }
  }

  func end(_ side: BindingSide) -> BindingEnd { side == .source ? source : target }

  /// Whether what others make of a value that was set goes back by itself; of a control only its user does.
  private var looksAgain: Bool {
    options.direction == .twoWay && options.trigger == .onChange && target.usesAccessors
  }

  // MARK: Unboxed

  /// Carries a value over without boxing it.
  @inline(__always)
  private func move(_ source: AnyObject, _ target: AnyObject, _ way: TypedWay) throws {
    run.receiver = .target
    let isInStep = try way.move(
      source, target, skippingEqual: options.skipsEqual, checks: options.direction == .twoWay, unless: { isEnded })
    run.receiver = nil
    // Somebody who heard of it has changed the target again.
    if run.echoes > 1, !isInStep, looksAgain { run.again = .target }
  }

  /// Carries a value back, and what the source's setter has made of it to the target (BND.3).
  private func moveBack(_ source: AnyObject, _ target: AnyObject, _ forward: TypedWay, _ backward: TypedWay) throws {
    run.receiver = .source
    let isInStep = try backward.move(
      target, source, skippingEqual: options.skipsEqual, checks: true, unless: { isEnded })
    run.receiver = nil
    if isInStep || !settles { return }
    run.echoes = 0
    try move(source, target, forward)
  }

  // MARK: The common way

  private func move(from side: BindingSide, _ cargo: BindingCargo?) throws(KVError) {
    if let edit = cargo as? ToManyEdit, try mirror(edit, from: side) { return succeed() }
    let outgoing =
      if let ready = cargo as? ReadyValue { ready.outgoing } else { try self.outgoing(from: side) }
    guard let outgoing else { return unresolved() }
    let receiver = end(side.other)
    let fitted = try receiver.fitted(outgoing.value)
    guard try set(options.validates ? try receiver.validated(fitted) : fitted, at: side.other) else {
      return unresolved()
    }
    if outgoing.isFallback { unresolved() } else { succeed() }
    if side == .target { try settle(fitted) } else { try lookForChanges(of: .target, since: fitted) }
  }

  /// Lets an end be looked at again if somebody who heard of its new value has set another one.
  func lookForChanges(of side: BindingSide, since value: Any?) throws(KVError) {
    guard run.echoes > 1, looksAgain else { return }
    if try !holds(end(side), value) { run.again = side }
  }

  /// Lets the target take over what the source has made of a value (BND.3).
  func settle(_ value: Any?) throws(KVError) {
    if !settles { return }
    if try holds(source, value) { return }
    guard let settled = try outgoing(from: .source) else { return }
    let fitted = try target.fitted(settled.value)
    run.echoes = 0
    _ = try set(fitted, at: .target)
    try lookForChanges(of: .target, since: fitted)
  }

  /// A value on its way; nil is one, too.
  struct Outgoing {
    let value: Any?
    /// Whether it stands in where the path leads nowhere.
    let isFallback: Bool

    init(_ value: Any?, isFallback: Bool = false) {
      self.value = value
      self.isFallback = isFallback
    }
  }

  /// What an end sends to the other; nil where its path leads nowhere.
  func outgoing(from side: BindingSide) throws(KVError) -> Outgoing? {
    guard side == .source else {
      switch try target.read() {
      case .unresolved: return nil
      case .null: return Outgoing(try transformed(nil, from: .target))
      case .value(let value):
        if let placeholder = options.nullPlaceholder, Equality.areEqual(value, placeholder) { return Outgoing(nil) }
        return Outgoing(try transformed(value, from: .target))
      }
    }
    let value: Any?
    switch try readSources() {
    case .unresolved: return options.fallback.map { Outgoing($0, isFallback: true) }
    case .null:
      if let placeholder = options.nullPlaceholder { return Outgoing(placeholder) }
      value = nil
    case .value(let found): value = found
    }
    return Outgoing(try transformed(value, from: .source))
  }

  /// Returns a value of one end as the other end is to hold it.
  func transformed(_ value: Any?, from side: BindingSide) throws(KVError) -> Any? {
    guard let transform else { return value }
    return side == .source ? try transform.transform(value) : try transform.reverseTransform(value)
  }

  private func readSources() throws(KVError) -> BindingEnd.Reading {
    guard let combiner else { return try source.read() }
    var values: [Any?] = []
    for end in [source] + others {
      switch try end.read() {
      case .unresolved: return .unresolved
      case .null: values.append(options.nullPlaceholder)
      case .value(let value): values.append(value)
      }
    }
    return try combiner.combine(values).map { .value($0) } ?? .null
  }

  /// Sets a value, unless the end holds an equal one.
  ///
  /// - Returns: Whether the path leads somewhere.
  func set(_ value: Any?, at side: BindingSide) throws(KVError) -> Bool {
    // A transformer or a validator may have ended it.
    if isEnded { return true }
    let receiver = end(side)
    if options.skipsEqual, try holds(receiver, value) { return true }
    trace { "\(side) ← \(KVChange.text(value))" }
    run.receiver = side
    defer { run.receiver = nil }
    return try receiver.set(value)
  }

  /// Whether an end holds a value equal to one; not so where it cannot be read.
  func holds(_ end: BindingEnd, _ value: Any?) throws(KVError) -> Bool {
    guard let reading = try? end.read() else { return false }
    return switch reading {
    case .unresolved: false
    case .null: value == nil
    case .value(let held): value.map { Equality.areSame(held, $0) } ?? false
    }
  }
}
