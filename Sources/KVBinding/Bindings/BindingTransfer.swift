import KVCore

extension BindingCore {
  /// Carries a value over once; what goes wrong becomes the state of the binding (BND.11).
  @inline(__always)
  func transfer(from side: BindingSide, _ object: Unmanaged<AnyObject>?, _ edit: ToManyEdit?) {
    run.echoes = 0
    if edit == nil, let ways, !TypedWay.isSuspended, !isWatched {
      // The object that has just changed is alive; the other one may not be.
      if side == .source, let object {
        guard let to = target.object else { return end() }
        if object._withUnsafeGuaranteedRef({ move($0, to, ways.forward) }) { return succeed() }
      } else if side == .source || ways.backward != nil {
        guard let from = source.object, let to = target.object else { return end() }
        if side == .source ? move(from, to, ways.forward) : moveBack(from, to, ways) { return succeed() }
      }
    }
    transferSlowly(from: side, edit)
  }

  @inline(never)
  private func transferSlowly(from side: BindingSide, _ edit: ToManyEdit?) {
    guard source.object != nil, target.object != nil else { return end() }
    do throws(KVError) { try move(from: side, edit) } catch { fail(error) }
  }

  func end(_ side: BindingSide) -> BindingEnd { side == .source ? source : target }

  /// Carries a value over without boxing it.
  ///
  /// - Returns: Whether that went well; else the common way finds out why not.
  @inline(__always)
  private func move(_ source: AnyObject, _ target: AnyObject, _ way: TypedWay) -> Bool {
    run.receiver = .target
    defer { run.receiver = nil }
    guard way.move(source, target, skippingEqual: options.skipsEqual) else { return false }
    if run.echoes > 1, !way.isInStep(source, target) { lookAgain(at: .target) }
    return true
  }

  /// Carries a value back, and what the source's setter has made of it to the target (BND.3).
  private func moveBack(
    _ source: AnyObject, _ target: AnyObject, _ ways: (forward: TypedWay, backward: TypedWay?)
  ) -> Bool {
    guard let backward = ways.backward else { return false }
    run.receiver = .source
    defer { run.receiver = nil }
    guard backward.move(target, source, skippingEqual: options.skipsEqual) else { return false }
    if backward.isInStep(target, source) { return true }
    run.receiver = .target
    return ways.forward.move(source, target, skippingEqual: true)
  }

  // MARK: The common way

  private func move(from side: BindingSide, _ edit: ToManyEdit?) throws(KVError) {
    if let edit, combiner == nil, try mirror(edit, from: side) { return succeed() }
    guard let value = try outgoing(from: side) else { return unresolved() }
    let receiver = end(side.other)
    let fitted = try receiver.fitted(value.value)
    guard try set(options.validates ? try receiver.validated(fitted) : fitted, at: side.other) else {
      return unresolved()
    }
    if side == .target { try settle(fitted) }
    succeed()
    if run.echoes > 1, options.direction == .twoWay, !(try holds(receiver, fitted)) { lookAgain(at: side.other) }
  }

  /// A value on its way; nil is one, too.
  private struct Outgoing {
    let value: Any?
    init(_ value: Any?) { self.value = value }
  }

  /// What an end sends to the other; nil where its path leads nowhere.
  private func outgoing(from side: BindingSide) throws(KVError) -> Outgoing? {
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
    case .unresolved: return options.fallback.map { Outgoing($0) }
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
  private func set(_ value: Any?, at side: BindingSide) throws(KVError) -> Bool {
    let receiver = end(side)
    if options.skipsEqual, try holds(receiver, value) { return true }
    trace { "\(side) ← \(KVChange.text(value))" }
    run.receiver = side
    defer { run.receiver = nil }
    return try receiver.set(value)
  }

  /// Whether an end holds a value equal to one; not so where it cannot be read.
  private func holds(_ end: BindingEnd, _ value: Any?) throws(KVError) -> Bool {
    guard let reading = try? end.read() else { return false }
    return switch reading {
    case .unresolved: false
    case .null: value == nil
    case .value(let held): value != nil && Equality.areEqual(held, value)
    }
  }

  /// Lets the target take over what the source has made of a value (BND.3).
  private func settle(_ value: Any?) throws(KVError) {
    if try holds(source, value) { return }
    guard let settled = try outgoing(from: .source) else { return }
    _ = try set(try target.fitted(settled.value), at: .target)
  }
}
