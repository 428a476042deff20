import KVCore

/// A recorder of the changes of an object's key paths, which are made on any thread; it records until it is dropped
/// (TST.2).
///
/// ```swift
/// let recorder = try KVChangeRecorder(of: order, "items", "total")
/// order.items.append(spoon)
/// recorder.expect([.set("items"), .set("total", from: 22.5, to: 25)])
/// ```
///
/// A recorder only records. Failures are reported by expectations, at their own location. The recorder does not retain
/// the object; its records do. A recorder therefore leaves out the changes that an object makes in its own `deinit`
/// (LIF.1).
public final class KVChangeRecorder: @unchecked Sendable {  // guard: locks; records belong to their reader
  /// The recorded key paths.
  package let keyPaths: [KVKeyPath]
  /// The name of the object's type.
  package let typeName: String

  private let state = Locked(State())
  private let token = Locked<KVObservation?>(nil)

  private struct State {
    var changes: [KVChange] = []
    var waiters: [ChangeWaiter] = []
  }

  /// Begins to record.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - paths: The key paths; none for all keys that can notify.
  ///   - options: The contents and times of the records.
  ///   - fileID: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`; `notObservable` if no key can notify.
  public convenience init(
    of object: some KVObservable, _ paths: KVKeyPath..., options: KVObservingOptions = [.old, .new],
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    try self.init(of: object, paths: paths, options: options, fileID: fileID, line: line)
  }

  /// Begins to record the key paths of an array.
  ///
  /// - Parameters:
  ///   - object: The object to observe.
  ///   - paths: The key paths; empty for all keys that can notify.
  ///   - options: The contents and times of the records.
  ///   - fileID: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Throws: ``KVError``: the errors of `observe`; `notObservable` if no key can notify.
  package convenience init(
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
    if keyPaths.isEmpty { throw KVError(.notObservable, "No key of \(typeName) can notify of its changes.") }
    let token = try object.observe(keyPaths, options: options, file: location.staticFileID, line: UInt(location.line)) {
      [weak self] in self?.add($0)
    }
    self.token.withLock { $0 = token }
  }

  /// The records since the last call of ``take()``.
  public var log: KVChangeLog { state.withLock { KVChangeLog($0.changes) } }

  /// Returns the records, and clears the recorder.
  ///
  /// - Returns: The records since the last call.
  @discardableResult
  public func take() -> KVChangeLog {
    state.withLock { state in
      defer { state.changes = [] }
      return KVChangeLog(state.changes)
    }
  }

  /// Stops recording; existing records stay.
  public func cancel() {
    token.exchange(nil)?.cancel()
  }

  private func add(_ change: KVChange) {
    // A record retains its object, and nothing may retain one that is being deinitialized.
    if isDeinitializing(change.object) { return }
    let waiters = state.withLock { state in
      state.changes.append(change)
      return state.waiters
    }
    waiters.forEach { $0.wake() }
  }

  /// Adds a task to wake for each record; it is woken once immediately, for the existing records.
  func add(_ waiter: ChangeWaiter) {
    state.withLock { $0.waiters.append(waiter) }
    waiter.wake()
  }

  func remove(_ waiter: ChangeWaiter) { state.withLock { $0.waiters.removeAll { $0 === waiter } } }
}
