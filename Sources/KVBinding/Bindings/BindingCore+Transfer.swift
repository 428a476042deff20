import KVCore

extension BindingCore {
  /// Propagates a value once; an error becomes the state of the binding (BND.11).
  @inline(__always)
  func transfer(from side: BindingSide, _ object: _KVReference<AnyObject>?, _ payload: BindingPayload?) {
    run.selfNotifications = 0
    guard payload == nil, !TypedTransfer.isSuspended, !isTracing else { return transferGeneral(from: side, payload) }
    let thread = ThreadDeliveries.current.borrow { $0.state }
    guard let transfers else { return transferAlongPaths(from: side, thread) }
    do {
      // The object that has just changed is alive; the other one may have been deallocated.
      if side == .source {
        guard let to = target.object else { return cancel() }
        if let object {
          try object.borrow { try move($0, to, transfers.forward, thread) }
        } else {
          guard let from = source.object else { return cancel() }
          try move(from, to, transfers.forward, thread)
        }
      } else {
        guard let backward = transfers.backward else { return transferGeneral(from: side, payload) }
        guard let from = source.object else { return cancel() }
        if let object {
          try object.borrow { try moveBack(from, $0, transfers.forward, backward, thread) }
        } else {
          guard let to = target.object else { return cancel() }
          try moveBack(from, to, transfers.forward, backward, thread)
        }
      }
      succeed()
    } catch {
      fail(TransformFunction.failure(error, nil, side == .source ? .forward : .backward))
    }
  }

  /// Propagates a value of the source without boxing it, if its path and that of the target lead to properties of one
  /// type now: over objects, or over one selected object.
  @inline(never)
  private func transferAlongPaths(from side: BindingSide, _ thread: AddressOf<ThreadDeliveries.State>) {
    guard isPlainForward, side == .source, let source = source.object, let target = target.object,
      let from = self.source.path.resolvedLeaf(of: source), let to = self.target.path.leaf(of: target),
      isPlain || from.accessor.borrow({ !$0.canBeNil }),
      let transfer = TypedTransfer(from: from.accessor, to: to.accessor, by: maps?.forward)
    else { return transferGeneral(from: side, nil) }
    do {
      try move(from.owner, to.owner, transfer, thread)
      succeed()
    } catch {
      fail(TransformFunction.failure(error, nil, .forward))
    }
  }

  @inline(never)
  private func transferGeneral(from side: BindingSide, _ payload: BindingPayload?) {
    guard source.object != nil, target.object != nil else { return cancel() }
    do throws(KVError) { try move(from: side, payload) } catch { fail(error) }
  }

  func endpoint(_ side: BindingSide) -> BindingEndpoint { side == .source ? source : target }

  /// Whether the binding propagates back a value that an observer of the target has set.
  ///
  /// The target is not a control, which only its user changes.
  private var rechecks: Bool {
    options.direction == .twoWay && options.trigger == .onChange && target.usesAccessors
  }

  // MARK: Unboxed

  /// Propagates a value without boxing it.
  @inline(__always)
  private func move(
    _ source: AnyObject, _ target: AnyObject, _ transfer: TypedTransfer, _ thread: AddressOf<ThreadDeliveries.State>
  ) throws {
    let checks = options.direction == .twoWay && !isCertain(of: transfer)
    let isSynchronized = try set(target, .target, from: source, transfer, checks: checks, thread)
    // An observer of the target has changed it again.
    if run.selfNotifications > 1, !checks || !isSynchronized, rechecks { run.pendingSide = .target }
  }

  /// Propagates a value to the source, and the value that its setter has stored back to the target (BND.3).
  private func moveBack(
    _ source: AnyObject, _ target: AnyObject, _ forward: TypedTransfer, _ backward: TypedTransfer,
    _ thread: AddressOf<ThreadDeliveries.State>
  ) throws {
    let checks = !isCertain(of: backward)
    let isSynchronized = try set(source, .source, from: target, backward, checks: checks, thread)
    // Without a check, only an observer can have set another value, and its change was notified of.
    if isSynchronized, checks || run.selfNotifications <= 1 { return }
    if !reconciles { return }
    run.selfNotifications = 0
    try move(source, target, forward, thread)
  }

  /// Sets the property of an endpoint by a transfer; returns whether it has the value then, or is not read again.
  @inline(__always)
  private func set(
    _ receiver: AnyObject, _ side: BindingSide, from sender: AnyObject, _ transfer: TypedTransfer, checks: Bool,
    _ thread: AddressOf<ThreadDeliveries.State>
  ) throws -> Bool {
    run.receiver = side
    defer {
      thread.pointee.expected = nil
      run.receiver = nil
    }
    if !transfer.hasMap { announce(transfer.key, of: receiver, thread) }
    return try transfer.move(
      sender, receiver, skippingEqual: options.skipsEqual, checks: checks,
      unless: {
        if isEnded { return true }
        // After the function, which may change the receiver itself.
        announce(transfer.key, of: receiver, thread)
        return false
      })
  }

  /// Whether the receiver of a value has it afterwards, so that it is not read again.
  ///
  /// If an observer has set another value nevertheless, the values are moved back, which compares them.
  private func isCertain(of transfer: TypedTransfer) -> Bool { transfer.keepsValues && options.skipsEqual }

  // MARK: The general case

  private func move(from side: BindingSide, _ payload: BindingPayload?) throws(KVError) {
    let outgoing: Outgoing?
    switch payload?.content {
    case .value(let value): outgoing = value
    case let content?:
      if try mirror(content, from: side) { return succeed() }
      outgoing = try self.outgoing(from: side)
    case nil: outgoing = try self.outgoing(from: side)
    }
    guard let outgoing else { return unresolved() }
    if outgoing.isPlaceholder { return succeed() }
    if side == .target { try checkOwners() }
    let receiver = endpoint(side.other)
    let fitted = try self.fitted(outgoing.value, from: side, option: outgoing.option)
    do throws(KVError) {
      guard try set(options.validates ? try receiver.validated(fitted) : fitted, at: side.other) else {
        return unresolved()
      }
    } catch {
      // A source that takes no nil gets the null placeholder itself (BND.10).
      guard error.code == .nilValue, outgoing.isNullPlaceholder else { throw error }
      let placeholder = try transformed(options.nullPlaceholder, from: side)
      return try move(from: side, BindingPayload(Outgoing(placeholder), hops: payload?.hops ?? 0))
    }
    if outgoing.isFallback { unresolved() } else { succeed() }
    if side == .target { try reconcile(fitted, of: outgoing.value) } else { try recheck(of: .target, since: fitted) }
  }

  /// Returns a value converted to the type of the other endpoint; an error names the transformer that would convert it, or
  /// the option that gives the value.
  func fitted(_ value: Any?, from side: BindingSide, option: String? = nil) throws(KVError) -> Any? {
    if value == nil, option == nil { try checkTypes(from: side) }
    do throws(KVError) { return try endpoint(side.other).fitted(value, from: sender(side)) } catch {
      guard error.code == .typeMismatch, let value,
        let hint = option.map({ cures.misfit($0, endpoint(side.other).leaf?.value.type) })
          ?? transformerHint(value, type(of: value), side.other)
      else { throw error }
      throw KVError(
        error.code, "\(error.message) \(hint)", keyPath: error.keyPath,
        component: error.component, rootType: error.rootType, underlying: error.underlying)
    }
  }

  /// Throws if no value of the sender's type fits the receiver's: a nil of it shows that as a value does (BND.2).
  private func checkTypes(from side: BindingSide) throws(KVError) {
    guard let sender = sender(side)?.leaf, let receiver = endpoint(side.other).leaf, !sender.isCollection,
      !receiver.isCollection, !receiver.convertsText, !sender.canBeRead(as: receiver.value.type)
    else { return }
    let (type, other) = (sender.value.unwrappedType, receiver.value.unwrappedType)
    // An enum is converted by its raw value.
    if type is any RawRepresentable.Type { return }
    let (path, owner) = (endpoint(side.other).path, endpoint(side.other).typeName)
    let hint = transformerHint(nil, type, side.other).map { " \($0)" } ?? ""
    throw KVError(
      .typeMismatch,
      "cannot set \"\(path.last)\" of \(owner): \(withArticle(type)) is not \(withArticle(other)).\(hint)",
      keyPath: path.description, component: path.last.description, rootType: owner)
  }

  /// Returns how a value that does not fit could be converted; nil if the key of the receiver converts values itself.
  private func transformerHint(_ value: Any?, _ type: Any.Type, _ side: BindingSide) -> String? {
    let receiver = endpoint(side).leaf
    if receiver?.convertsText == true { return nil }
    if side == .target, transform?.appliesToWholeCollections == false, let value, DynamicCollection.canBeMapped(value),
      let whole = source.leaf?.value.type
    {
      return cures.takingWhole(whole)
    }
    if transform != nil || combiner != nil { return cures.returning(type) }
    if side == .source { return cures.convertingInBothDirections(type) }
    let isText = receiver?.value.type == String.self && Self.hasText(value, type)
    return cures.converting(type, isText: isText, isBidirectional: options.direction.goesBackward)
  }

  /// Whether a value, or a nil of a type, has a text.
  private static func hasText(_ value: Any?, _ type: Any.Type) -> Bool {
    guard let value else { return type is any NumericValue.Type || type is any TextConvertible.Type }
    return (try? KVC.convert(value, to: String.self, lenient: true)) != nil
  }

  /// The endpoint whose value the other one receives, if no function transforms it.
  private func sender(_ side: BindingSide) -> BindingEndpoint? {
    transform == nil && combiner == nil ? endpoint(side) : nil
  }

  /// Requests another round if an observer of an endpoint has set another value than the new one.
  func recheck(of side: BindingSide, since value: Any?) throws(KVError) {
    guard run.selfNotifications > 1, rechecks else { return }
    if try !hasValue(endpoint(side), value) { run.pendingSide = side }
  }

  /// Sets the target again if the setter of the source has stored another value (BND.3), or if the source is a set, which
  /// has each element of an array once (BND.7).
  ///
  /// - Parameters:
  ///   - value: The value that was set.
  ///   - sent: The value from which it was converted.
  func reconcile(_ value: Any?, of sent: Any?) throws(KVError) {
    if !reconciles { return }
    // Another object that has appeared in the source's path gets the target's value in the next round.
    if options.direction == .toSource, run.pendingSide == .target { return }
    let reconciled: Any?
    if try hasValue(source, value) {
      guard transform == nil, let distinct = try DynamicCollection.distinct(sent, ifFewerIn: value) else { return }
      reconciled = distinct
    } else {
      guard let outgoing = try outgoing(from: .source) else { return }
      reconciled = outgoing.value
    }
    let fitted = try self.fitted(reconciled, from: .source)
    run.selfNotifications = 0
    _ = try set(fitted, at: .target)
    try recheck(of: .target, since: fitted)
  }

  /// A transformed value, which can be nil.
  struct Outgoing {
    let value: Any?
    /// Whether it is the fallback for a path that cannot be resolved.
    let isFallback: Bool
    /// Whether it is the placeholder for a marker, which is not written back.
    let isPlaceholder: Bool
    /// The option that gives the value, if one does.
    let option: String?
    /// Whether the value, nil, stands for the null placeholder of the target.
    let isNullPlaceholder: Bool

    init(
      _ value: Any?, option: String? = nil, isFallback: Bool = false, isPlaceholder: Bool = false,
      isNullPlaceholder: Bool = false
    ) {
      self.value = value
      self.option = option
      self.isNullPlaceholder = isNullPlaceholder
      self.isFallback = isFallback
      self.isPlaceholder = isPlaceholder
    }
  }

  /// Returns the transformed value of an endpoint; nil if its path cannot be resolved.
  func outgoing(from side: BindingSide) throws(KVError) -> Outgoing? {
    guard side == .source else { return try outgoing(back: target.read()) }
    let value: Any?
    switch try readSources() {
    case .unresolved: return unresolvedOutgoing
    case .null:
      if let placeholder = options.nullPlaceholder { return Outgoing(placeholder, option: "nullPlaceholder") }
      value = nil
    case .value(let found):
      if type(of: found) == KVSelectionMarker.self, combiner == nil, let marker = found as? KVSelectionMarker {
        return try outgoing(for: marker)
      }
      value = found
    }
    return Outgoing(try transformed(value, from: .source))
  }

  /// The value of the target while the path of the source cannot be resolved; nil if the target keeps its value.
  var unresolvedOutgoing: Outgoing? {
    if let fallback = options.fallback { return Outgoing(fallback, option: "fallback", isFallback: true) }
    return options.showsNilIfUnresolved ? Outgoing(nil, isFallback: true) : nil
  }

  /// Returns the transformed value of a reading of the target; nil if its path could not be resolved.
  ///
  /// - Parameter isPresent: Whether the value goes to the objects to which the path of the source leads now.
  func outgoing(back reading: BindingEndpoint.Reading, isPresent: Bool = true) throws(KVError) -> Outgoing? {
    switch reading {
    case .unresolved: return nil
    case .null:
      if isPresent, standsForMarker() { return Outgoing(nil, isPlaceholder: true) }
      return Outgoing(try transformed(nil, from: .target))
    case .value(let value):
      if isPresent, isPlaceholder(value) { return Outgoing(nil, isPlaceholder: true) }
      if target.leaf?.isCollection == true, DynamicCollection.count(of: value) == 0, isPresent, standsForMarker() {
        return Outgoing(nil, isPlaceholder: true)
      }
      if let placeholder = options.nullPlaceholder, Equality.areEqual(value, placeholder) {
        let isOfMarker = isPresent && standsForMarker()
        return Outgoing(nil, isPlaceholder: isOfMarker, isNullPlaceholder: !isOfMarker)
      }
      return Outgoing(try transformed(value, from: .target))
    }
  }

  /// Returns a value of one endpoint, transformed for the other.
  func transformed(_ value: Any?, from side: BindingSide) throws(KVError) -> Any? {
    guard let transform else { return value }
    return side == .source ? try transform.transform(value) : try transform.reverseTransform(value)
  }

  private func readSources() throws(KVError) -> BindingEndpoint.Reading {
    guard let combiner else { return try source.read() }
    var values: [Any?] = []
    for endpoint in [source] + others {
      switch try endpoint.read() {
      case .unresolved: return .unresolved
      case .null: values.append(options.nullPlaceholder)
      case .value(let value): values.append(value)
      }
    }
    return try combiner.combine(values).map { .value($0) } ?? .null
  }

  /// Sets the value of an endpoint, unless it has an equal value.
  ///
  /// - Returns: Whether the path was resolved.
  func set(_ value: Any?, at side: BindingSide) throws(KVError) -> Bool {
    // A transformer or a validator may have cancelled it.
    if isEnded { return true }
    let receiver = endpoint(side)
    if options.skipsEqual, try hasValue(receiver, value) { return true }
    trace { "\(side) ← \(KVChange.text(value))" }
    do throws(KVError) {
      return try setting(side) { () throws(KVError) in try receiver.set(value) }
    } catch {
      guard error.code == .nilValue, side == .target else { throw error }
      if let marker { throw noPlaceholder(for: marker, error) }
      throw withPlaceholderCure(error)
    }
  }

  /// Returns whether an endpoint has a value equal to another one; false if it cannot be read.
  func hasValue(_ endpoint: BindingEndpoint, _ value: Any?) throws(KVError) -> Bool {
    guard let reading = try? endpoint.read() else { return false }
    return switch reading {
    case .unresolved: false
    case .null: value == nil
    case .value(let current): value.map { Equality.areSame(current, $0) } ?? false
    }
  }
}
