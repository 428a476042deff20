import KVCore

extension Registration {
  // MARK: Changes of a component

  /// Joins the plan of a change of a component of the path.
  func join(_ builder: PlanBuilder, _ changedKey: PlanBuilder.ChangedKey, depth: Int, isLeaf: Bool) {
    switch kind {
    case .dependency(let dependent): builder.add(dependent)
    case .operand: joinOwner(builder, changedKey.key)
    case .elements(let tracker):
      builder.add(self, tracker, changedKey, isIncremental: isLeaf && !changedKey.isDependent)
    case .recorder where changedKey.isDependent: builder.add(recorder: self, changedKey)
    default: builder.add(self, changedKey, depth: depth, isLeaf: isLeaf)
    }
  }

  /// Called after a change of a component that needed no plan, or that began before the registration.
  @inline(__always)
  func didChange(_ notice: borrowing _KVChangeNotice, depth: Int, isLeaf: Bool) {
    if isLeaf, !needsWillChange, notice.hasNewValue || !needsNewValue || notice.kind != .setting {
      return receive(notice)
    }
    didChangeGeneral(notice, depth: depth, isLeaf: isLeaf)
  }

  @inline(never)
  private func didChangeGeneral(_ notice: borrowing _KVChangeNotice, depth: Int, isLeaf: Bool) {
    if let tracker = kind.tracker {
      tracker.reload(self)
      return tracker.deliverInitial(self)
    }
    if kind.isInternal { return }
    if isLeaf, notice.hasNewValue || notice.kind != .setting { return receive(notice) }
    receive(
      notice.object, notice.key, old: isLeaf ? notice.oldValue : nil, isOldKnown: isLeaf && notice.hasOldValue,
      new: wantsNew ? value(of: notice.object, from: depth) : nil, .change)
  }

  // MARK: Values

  /// Returns the value of the path from a component on; a value that cannot be read is nil, and the error is reported.
  func value(of owner: AnyObject, from depth: Int) -> Any? {
    do throws(KVError) { return try Reader(path).value(of: owner, from: depth) } catch {
      if !isFoundByResolving(error) { report(error, at: owner) }
      return nil
    }
  }

  /// Returns the value of a path with a policy from a component on, and whether the policy refuses it.
  ///
  /// - Parameter reports: Whether the error is reported if the value, which is nil then, cannot be read.
  func limitedValue(of owner: AnyObject, from depth: Int, reports: Bool) -> (value: Any?, isRefused: Bool) {
    do throws(KVError) { return (try Reader(path).value(of: owner, from: depth), false) } catch {
      if reports, !isFoundByResolving(error) { report(error, at: owner) }
      return (nil, error.code == .notPermitted)
    }
  }

  /// Returns whether an error of reading is no fault, or was reported when the path was resolved: a key of an object on the
  /// path that is missing or not permitted, but none of elements or of a selection.
  private func isFoundByResolving(_ error: KVError) -> Bool {
    if error.code == .indexOutOfRange { return true }
    guard let chain, !path.hasOperator else { return false }
    return error.code == .undefinedKey || error.code == .notPermitted && !chain.leadsToResolver
  }

  /// The object of a record; nil if it is the root of a longer path and is being deallocated.
  ///
  /// The object of a single key can be in its `deinit`, which notifies of the properties that it sets (LIF.1).
  @inline(__always)
  func root(_ notice: borrowing _KVChangeNotice) -> AnyObject? {
    if let chain { return chain.root }
    return notice.object
  }

  /// Returns the object of a record that is stored; nil if the object is being deallocated, since it cannot be
  /// retained.
  func livingRoot(_ notice: borrowing _KVChangeNotice) -> AnyObject? {
    guard let root = root(notice), !isDeinitializing(root) else { return nil }
    return root
  }

  // MARK: Delivery

  /// Delivers the initial record.
  func receiveInitial(_ root: AnyObject) {
    receive(root, key, old: nil, new: wantsNew ? value(of: root, from: 0) : nil, .initial)
  }

  /// Delivers a record of a setting with boxed values; it is always distinct if the old value is unknown.
  func receive(
    _ object: AnyObject, _ key: InternedKey, old: Any?, isOldKnown: Bool = true, new: Any?,
    _ phase: _KVChangeNotice.Phase
  ) {
    _KVChangeNotice.with(key, of: object, from: old, to: new, hasOld: isOldKnown, phase: phase) { receive($0) }
  }

  /// Delivers a record, adds it to the coalescing scope of the thread, or drops it.
  @inline(__always)
  func receive(_ notice: borrowing _KVChangeNotice) {
    if deliversImmediately { return sink.deliver(notice, self) }
    receiveGeneral(notice)
  }

  @inline(never)
  private func receiveGeneral(_ notice: borrowing _KVChangeNotice) {
    // An observation of elements follows the collection while it is paused, too; each element is paused itself.
    if isEnded || isPaused && kind.tracker == nil { return }
    if notice.phase == .change, notice.hasOldValue, options.contains(.distinct), Self.isUnchanged(notice) { return }
    if options.contains(.coalesced), let scope = CoalescingScope.unmanaged,
      scope.borrow({ $0.add(self, notice) })
    {
      return
    }
    deliverWithinLimit(notice)
  }

  /// Delivers a record, unless the rate limit of the registration defers it.
  func deliverWithinLimit(_ notice: borrowing _KVChangeNotice) {
    if isLimited, deferred.addLimited(self, notice) { return }
    deliverTraced(notice)
  }

  /// Returns whether a change replaces values by equal ones, so that it is not distinct (KVO.5).
  static func isUnchanged(_ notice: borrowing _KVChangeNotice) -> Bool {
    guard canBeUnchanged(notice.kind) else { return false }
    var result = false
    notice.withBoxes { old, new in result = Equality.areEqual(boxes: old, new) }
    return result
  }

  /// Returns whether a change of a kind replaces values, by equal ones or by others.
  static func canBeUnchanged(_ kind: KVChange.Kind) -> Bool { kind == .setting || kind == .replacement }

  /// Delivers a record, and reports it if deliveries are traced.
  func deliverTraced(_ notice: borrowing _KVChangeNotice) {
    if KVDiagnostics.isTracing {
      let (old, new, kind, phase) = (notice.oldValue, notice.newValue, notice.kind, notice.phase)
      report(.verbose, .delivery, changed: notice.object) {
        "\($0): \(kind) \(KVChange.text(old)) → \(KVChange.text(new)) (\(phase))"
      }
    }
    sink.deliver(notice, self)
  }

  /// Creates the record with the values that the options contain.
  @inline(__always)
  func record(_ notice: borrowing _KVChangeNotice, _ root: AnyObject) -> KVChange {
    KVChange(
      object: root, keyPath: path, kind: notice.kind,
      old: options.contains(.old) && notice.phase != .initial ? notice.oldValue : nil,
      new: options.contains(.new) && notice.phase != .prior ? notice.newValue : nil,
      hasOld: options.contains(.old) && notice.hasOldValue, hasNew: options.contains(.new) && notice.hasNewValue,
      indexes: notice.indexes,
      isPrior: notice.phase == .prior, isInitial: notice.phase == .initial,
      changed: chain == nil ? nil : WeakReference(notice.object))
  }
}
