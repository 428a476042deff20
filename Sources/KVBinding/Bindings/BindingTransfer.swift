import KVCore

extension BindingCore {
  /// Carries a value over once; what goes wrong becomes the state of the binding (BND.11).
  func transfer(from side: BindingSide, _ edit: ToManyEdit?) {
    guard let from = end(side).object, let to = end(side.other).object else { return end() }
    run.echoes = 0
    do throws(KVError) {
      if isPlain, edit == nil, moveTyped(from, to, side) { return succeed() }
      try move(from: side, edit)
    } catch {
      fail(error)
    }
  }

  func end(_ side: BindingSide) -> BindingEnd { side == .source ? source : target }

  /// Carries a value over without boxing it, where both properties are of one type.
  ///
  /// - Returns: Whether that was possible.
  @inline(__always)
  private func moveTyped(_ from: AnyObject, _ to: AnyObject, _ side: BindingSide) -> Bool {
    let (start, finish) = side == .source ? (source, target) : (target, source)
    guard
      let first = start.leaf(of: from), let last = finish.leaf(of: to),
      let way = TypedTransfer(from: first, to: last)
    else { return false }
    run.receiver = side.other
    way.move(skippingEqual: options.skipsEqual)
    if side == .target, let back = TypedTransfer(from: last, to: first) {
      // A setter of the source may have stored something else, which the target takes over.
      run.receiver = .target
      back.move(skippingEqual: true)
    }
    run.receiver = nil
    if run.echoes > 1, side == .source, !way.isInStep { lookAgain(at: .target) }
    return true
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
