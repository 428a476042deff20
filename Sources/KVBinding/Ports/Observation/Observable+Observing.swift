import KVCore
import Observation

// Objects of Swift's Observation that are observed by key path (OBV.2).

extension KeyValueCoding where Self: AnyObject & Observable {
  /// Observes a key path of an `@Observable` object, and calls a handler on an executor after each change (OBV.2).
  ///
  /// ```swift
  /// let token = try store.observe("cart.total", on: .main) { change in print(change.new ?? 0) }
  /// ```
  ///
  /// Observation reports that something read by the path is about to change, and nothing else. The executor therefore
  /// reads the path again, after the change: `old` is the value that was read before that, and several changes before a
  /// delivery are one. The kind is always a setting. Properties that no line of the table reads, and objects on the path
  /// that are not `Observable`, are not followed.
  ///
  /// - Parameters:
  ///   - path: The key path, or its text. Everything that its getters read is followed.
  ///   - options: The contents and times of the records; `prior`, `coalesced` and `membershipOnly` are refused.
  ///   - executor: The executor on which the object is changed: it reads the path and calls the handler.
  ///   - file: The file of the caller, for messages.
  ///   - line: The line of the caller, for messages.
  ///   - handler: A closure that receives each record.
  /// - Returns: A token. The observation ends when the token is dropped.
  /// - Throws: ``KVError``: `unsupported` for an option that is refused; `notObservable` if the table does not list the
  ///   first key; the errors of reading the path.
  /// - Complexity: O(1) per component, and the time of one read.
  public func observe(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], on executor: some KVExecutor,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = TrackedObservation(self, try path.keyPath(), options, Site(file, line)) { executor.enqueue($0) }
    return try observation.begin { _, change in handler(change) }
  }

  /// Observes a key path of an `@Observable` object on behalf of an owner, whose death ends the observation (OBV.2).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents and times of the records; `prior`, `coalesced` and `membershipOnly` are refused.
  ///   - executor: The executor on which the object is changed: it reads the path and calls the handler.
  ///   - owner: The object that the observation belongs to. It is referenced weakly.
  ///   - file: The file of the caller, for messages.
  ///   - line: The line of the caller, for messages.
  ///   - handler: A closure that receives the owner and each record.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form without an owner.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], on executor: some KVExecutor,
    owner: Owner, file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = TrackedObservation(self, try path.keyPath(), options, Site(file, line), owner: owner) {
      executor.enqueue($0)
    }
    return try observation.begin { object, change in if let owner = object as? Owner { handler(owner, change) } }
  }

  /// Observes a key path of an `@Observable` object, and calls a handler on the actor of the caller after each change
  /// (OBV.2).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents and times of the records; `prior`, `coalesced` and `membershipOnly` are refused.
  ///   - actor: The actor of the object and of the caller: `MainActor.shared`, or `self`.
  ///   - file: The file of the caller, for messages.
  ///   - line: The line of the caller, for messages.
  ///   - handler: A closure that receives each record.
  /// - Returns: A token. The observation ends when the token is dropped.
  /// - Throws: ``KVError``: the errors of the form with an executor.
  public func observe(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], on actor: isolated any Actor,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = TrackedObservation(self, try path.keyPath(), options, Site(file, line), later(on: actor))
    return try observation.begin { _, change in handler(change) }
  }

  /// Observes a key path of an `@Observable` object on behalf of an owner, on the actor of the caller (OBV.2).
  ///
  /// - Parameters:
  ///   - path: The key path, or its text.
  ///   - options: The contents and times of the records; `prior`, `coalesced` and `membershipOnly` are refused.
  ///   - actor: The actor of the object and of the caller: `MainActor.shared`, or `self`.
  ///   - owner: The object that the observation belongs to. It is referenced weakly.
  ///   - file: The file of the caller, for messages.
  ///   - line: The line of the caller, for messages.
  ///   - handler: A closure that receives the owner and each record.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``: the errors of the form with an executor.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ path: some KVKeyPathConvertible, options: KVObservingOptions = [.old, .new], on actor: isolated any Actor,
    owner: Owner, file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let observation = TrackedObservation(
      self, try path.keyPath(), options, Site(file, line), owner: owner, later(on: actor))
    return try observation.begin { object, change in if let owner = object as? Owner { handler(owner, change) } }
  }
}

/// Returns a function that runs work later on an actor, which it does not retain: the actor may keep the token.
private func later(on actor: any Actor) -> @Sendable (@escaping @Sendable () -> Void) -> Void {
  { [weak actor] work in
    guard let actor else { return }
    Task { await actor.run(work) }
  }
}

extension Actor {
  fileprivate func run(_ work: @Sendable () -> Void) { work() }
}
