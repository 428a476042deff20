import KVCore
import Observation

/// The observation of a key path of an `@Observable` object (OBV.2).
///
/// Observation calls back once, before the change. The executor then reads the path, which asks for the next call, and
/// delivers what it read.
final class TrackedObservation: OwnedRegistration, PausableRegistration, @unchecked Sendable {
  // guard: `state` is locked; `last` is used on the executor, and the path is read there
  typealias Handler = (AnyObject, KVChange) -> Void

  private struct State: @unchecked Sendable {  // guard: the handler is called on the executor only
    var handler: Handler?
    var isPaused = false
  }

  private let path: KVKeyPath
  private let options: KVObservingOptions
  private let site: Site
  private let root: WeakReference<AnyObject>
  /// The owner, or the root if the token ends the observation.
  private let reference: WeakReference<AnyObject>
  private let hasOwner: Bool
  private let enqueue: @Sendable (@escaping @Sendable () -> Void) -> Void
  private let state = Locked(State())
  /// The value that was read last.
  private var last: Any?

  init(
    _ root: some KeyValueCoding & AnyObject, _ path: KVKeyPath, _ options: KVObservingOptions, _ site: Site,
    owner: AnyObject? = nil,
    _ enqueue: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.root = WeakReference(root as AnyObject)
    self.path = path
    self.options = options
    self.site = site
    reference = WeakReference(owner ?? root)
    hasOwner = owner != nil
    self.enqueue = enqueue
  }

  /// Reads the path, and calls the handler after the changes of what was read.
  func begin(_ handler: @escaping Handler) throws(KVError) -> KVObservation {
    guard let root = root.object as? any KeyValueCoding & AnyObject else { return KVObservation([self]) }
    try check(root)
    // Before the path is read: a change may arrive from then on.
    state.withLock { $0.handler = handler }
    let initial: Any?
    do throws(KVError) { initial = try read(root) } catch {
      cancel()
      throw error
    }
    last = initial
    if hasOwner, let owner { Owners.add(self, to: owner) }
    if options.contains(.initial), let owner {
      handler(owner, change(of: root, to: initial, isInitial: true))
    }
    return KVObservation([self], cancelsOnDeinit: !hasOwner)
  }

  private func check(_ root: any KeyValueCoding) throws(KVError) {
    let type = Swift.type(of: root)
    // The handler is called later, after whatever scope the change is made in, for one key path as a whole.
    if !options.isDisjoint(with: [.coalesced, .membershipOnly]) {
      let names = options.intersection([.coalesced, .membershipOnly])
      throw KVError(
        .unsupported,
        """
        "\(path)" of \(type) cannot be observed with \(names): several changes before a delivery are one, and Observation \
        does not notify of elements. Leave the option out.
        """, keyPath: path.description, rootType: "\(type)")
    }
    if options.contains(.prior) {
      throw KVError(
        .unsupported,
        "\"\(path)\" of \(type) cannot be observed before its changes: Observation gives no value then. Omit \".prior\".",
        keyPath: path.description, rootType: "\(type)")
    }
    guard case .key(let key) = path.first,
      !type.keyTable.keys.contains(where: { $0.name == key || $0.aliases.contains(key) })
    else { return }
    _ = try root.value(forKey: key)
    throw KVError(
      .notObservable,
      """
      "\(key)" of \(type) is not listed in its table: it is read by reflection, of which Observation does not know. \
      Add key("\(key)", \\.\(key)) to the table.
      """, keyPath: path.description, component: key, rootType: "\(type)")
  }

  /// Reads the path; Observation calls `receive` once, when something that was read is about to change.
  private func read(_ root: any KeyValueCoding) throws(KVError) -> Any? {
    // The token keeps the observation, or the owner.
    let result: Result<Any?, KVError> = withObservationTracking {
      do throws(KVError) { return .success(try root.value(forKeyPath: path)) } catch { return .failure(error) }
    } onChange: { [weak self] in
      guard let self, !isEnded else { return }
      enqueue { self.deliver() }
    }
    return try result.get()
  }

  private func deliver() {
    guard let handler = state.withLock({ $0.handler }), let root = root.object as? any KeyValueCoding & AnyObject
    else { return }
    guard let owner else { return cancel() }
    let old = last
    var new: Any?
    do throws(KVError) { new = try read(root) } catch {
      KVDiagnostics.report(.error, .faultyPath, path, root, site) { "\(error)" }
    }
    last = options.isDisjoint(with: [.old, .distinct]) ? nil : new
    if isPaused || options.contains(.distinct) && Equality.areEqual(old, new) { return }
    handler(owner, change(of: root, from: old, to: new))
  }

  private func change(of root: AnyObject, from old: Any? = nil, to new: Any?, isInitial: Bool = false) -> KVChange {
    let (hasOld, hasNew) = (options.contains(.old) && !isInitial, options.contains(.new))
    return KVChange(
      object: root, keyPath: path, kind: .setting, old: hasOld ? old : nil, new: hasNew ? new : nil, hasOld: hasOld,
      hasNew: hasNew, indexes: nil, isPrior: false, isInitial: isInitial)
  }

  var owner: AnyObject? { reference.object }
  var ownerID: ObjectIdentifier? { hasOwner ? reference.id : nil }
  var isEnded: Bool { state.withLock { $0.handler == nil } }
  var isOrphaned: Bool { owner == nil || root.object == nil }
  var isPaused: Bool { state.withLock { $0.isPaused } }

  func setPaused(_ isPaused: Bool) { state.withLock { $0.isPaused = isPaused } }

  func cancel() {
    let handler = state.withLock { state in
      defer { state.handler = nil }
      return state.handler
    }
    if hasOwner { Owners.forget(self) }
    // Outside of the lock: what the handler captures is released.
    withExtendedLifetime(handler) {}
  }
}
