import KVCore

/// Writes down the changes of some paths of an object, on whichever thread they happen, until it is dropped (TST.2).
///
/// ```swift
/// let recorder = try KVChangeRecorder(of: order, "items", "total")
/// order.items.append(spoon)
/// recorder.expect([.set("items"), .set("total", from: 22.5, to: 25)])
/// ```
///
/// It only writes down: what is to be reported is reported by the expectation, where that stands. It does not keep the
/// object alive; the records do. Changes that an object makes in its own `deinit` are left out for that reason (LIF.1).
public final class KVChangeRecorder: @unchecked Sendable {  // guard: locks; records go to whoever asks for them
  /// The paths that it records.
  public let keyPaths: [KVKeyPath]
  /// The name of the object's type.
  public let typeName: String

  private let state = Locked(State())
  private let token = Locked<KVObservation?>(nil)

  private struct State {
    var changes: [KVChange] = []
    var waiters: [ChangeWaiter] = []
  }

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - paths: The paths; none for every key that can tell of its changes.
  ///   - options: What records carry, and when they come.
  ///   - fileID: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does.
  public convenience init(
    of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try self.init(of: object, paths: paths, options: options, fileID: fileID, line: line)
  }

  /// Begins to record paths that stand in an array.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - paths: The paths; none for every key that can tell of its changes.
  ///   - options: What records carry, and when they come.
  ///   - fileID: Where the registration is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``, as `observe` does.
  public convenience init(
    of object: some KVObservable, paths: [KVKeyPath], options: KVObservingOptions = [.old, .new],
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try self.init(object, paths: paths, options: options, at: KVTestLocation(fileID: fileID, line: line))
  }

  init(
    _ object: some KVObservable, paths: [KVKeyPath], options: KVObservingOptions, at location: KVTestLocation
  ) throws(KVError) {
    keyPaths = paths.isEmpty ? try object.notifyingKeys : paths
    typeName = "\(type(of: object))"
    if keyPaths.isEmpty { throw KVError(.notObservable, "No key of \(typeName) can tell of its changes.") }
    let token = try object.observe(keyPaths, options: options, file: location.staticFileID, line: UInt(location.line)) {
      [weak self] in self?.add($0)
    }
    self.token.withLock { $0 = token }
  }

  /// What was recorded and not yet taken.
  public var log: KVChangeLog { state.withLock { Unlocked(KVChangeLog($0.changes)) }.value }

  /// Returns what was recorded, and begins anew.
  ///
  /// - Returns: The records since the last time.
  @discardableResult
  public func take() -> KVChangeLog {
    state.withLock { state in
      defer { state.changes = [] }
      return Unlocked(KVChangeLog(state.changes))
    }.value
  }

  /// Records nothing more; what was recorded stays.
  public func stop() {
    token.withLock { token in
      defer { token = nil }
      return token
    }?.cancel()
  }

  private func add(_ change: KVChange) {
    // A record retains its object, and nothing may retain one that is being deinitialized.
    if isDeinitializing(change.object) { return }
    let change = Unlocked(change)
    let waiters = state.withLock { state in
      state.changes.append(change.value)
      return state.waiters
    }
    waiters.forEach { $0.wake() }
  }

  /// Lets a task be woken by each record from now on; once at once, for those that are there.
  func add(_ waiter: ChangeWaiter) {
    state.withLock { $0.waiters.append(waiter) }
    waiter.wake()
  }

  func remove(_ waiter: ChangeWaiter) { state.withLock { $0.waiters.removeAll { $0 === waiter } } }
}
