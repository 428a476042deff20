import KVCore

/// A binding of one key path to another: changes propagate from the source to the target, back, or both ways.
///
/// ```swift
/// let binding = try KVPathBinding(from: player, "volume", to: slider, "value", options: .twoWay)
/// binding.state       // active
/// binding.cancel()
/// ```
///
/// A binding made by the initializer ends when the last reference to it is released; one made by
/// `bind(_:to:of:)` ends with its endpoints. It retains neither of the two objects, and ends when one of them is
/// deallocated (BND.8). A binding can be cancelled and inspected on any thread. ``KVBindingOptions/concurrency``
/// determines where values are read and set; the default is the thread of the change.
///
/// The keys `state` and `lastError` can be observed and bound (BND.14).
public final class KVPathBinding: Plumbing, @unchecked Sendable {  // guard: `stage` is locked; a core is thread-safe
  /// The storage for the observers of ``state`` and ``lastError``.
  public let registrarSlot = KVRegistrarSlot()
  private let stage: Locked<Stage>
  private let cancelsOnDeinit: Bool

  private enum Stage {
    case live(BindingCore)
    /// The core, which has the closures of the binding, is released.
    case ended(EndedBinding)
  }

  /// Binds two key paths, and synchronizes them before it returns (BND.2).
  ///
  /// - Parameters:
  ///   - source: The object whose value is propagated first.
  ///   - sourcePath: The path from it, or its text.
  ///   - target: The object that follows. It need not be observable unless values go back from it.
  ///   - targetPath: The path from it, or its text.
  ///   - options: How it works.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``: as observing a path and setting one do; `notReversible` where values would go back through
  ///   a transformer that cannot; what a transformer or validator throws. Nothing is bound then.
  /// - Complexity: O(1) a component.
  public convenience init(
    from source: some KVObservable, _ sourcePath: some KVKeyPathConvertible,
    to target: some KeyValueCoding & AnyObject, _ targetPath: some KVKeyPathConvertible,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) {
    let core = BindingCore(
      BindingEndpoint(source, try options.limited(sourcePath.keyPath())),
      .target(target, try options.limited(targetPath.keyPath())), options, site: Site(file, line))
    try core.begin()
    self.init(core, cancelsOnDeinit: true)
  }

  package init(_ core: BindingCore, cancelsOnDeinit: Bool = false) {
    stage = Locked(core.isEnded ? .ended(EndedBinding(core)) : .live(core))
    self.cancelsOnDeinit = cancelsOnDeinit
    if cancelsOnDeinit { core.handle.withLock { $0.object = self } }
  }

  init(_ ended: EndedBinding) {
    stage = Locked(.ended(ended))
    cancelsOnDeinit = false
  }

  deinit { if cancelsOnDeinit { core?.cancel() } }

  /// The binding itself; nil after its end.
  package var core: BindingCore? { stage.withLock { if case .live(let core) = $0 { core } else { nil } } }

  /// Releases the core, which has ended.
  func retire(_ core: BindingCore) { stage.withLock { $0 = .ended(EndedBinding(core)) } }

  func read<Value>(_ live: (BindingCore) -> Value, _ ended: (EndedBinding) -> Value) -> Value {
    switch stage.withLock({ $0 }) {
    case .live(let core): live(core)
    case .ended(let remains): ended(remains)
    }
  }

  /// Returns the binding itself.
  ///
  /// - Throws: ``KVError`` (`unsupported`) if it has ended.
  private func living() throws(KVError) -> BindingCore {
    if let core { return core }
    throw KVError(.unsupported, "the binding of \(summary) has ended; make another one.")
  }

  // MARK: Endpoints and options

  /// The endpoint whose value is propagated first; the first of several sources.
  public var source: KVBindingEndpoint { read({ $0.source }, { $0.sources[0] }).endpoint }
  /// All sources: one, unless values are combined.
  public var sources: [KVBindingEndpoint] { read({ [$0.source] + $0.others }, { $0.sources }).map(\.endpoint) }
  /// The target endpoint.
  public var target: KVBindingEndpoint { read({ $0.target }, { $0.target }).endpoint }
  /// The options of the binding.
  ///
  /// After the end they have no transformer, since a binding that ends releases its closures (BND.14).
  public var options: KVBindingOptions { read({ $0.options }, { $0.options }) }
  /// The key under which a definition names it; nil for others.
  public var key: String? { read({ $0.name }, { $0.name }) }
  /// Where it was made, as `Module/File.swift:12`.
  public var location: String { read({ $0.site }, { $0.site }).description }

  private var summary: String { read({ $0.summary }, { $0.summary }) }
  /// The position in the order in which bindings were made.
  var number: UInt32 { read({ $0.number }, { $0.number }) }

  // MARK: Actions

  /// Cancels the binding; a second call does nothing.
  ///
  /// Values stay as they are.
  public func cancel() { core?.cancel() }

  /// Sets the target to the source's value now.
  ///
  /// - Throws: ``KVError``: why that failed; the state says so, too.
  public func updateTarget() throws(KVError) { try living().update(from: .source) }

  /// Sets the source to the target's value now.
  ///
  /// - Throws: ``KVError``: why that failed, and `notReversible` where values cannot go back.
  public func updateSource() throws(KVError) {
    let core = try living()
    try core.checkCanReverse()
    try core.update(from: .target)
  }

  /// Propagates a change of the target that has not been committed to the source (``KVUpdateTrigger/onCommit``).
  ///
  /// - Throws: ``KVError``: why that failed. The edit is still in the target then, unless a path leads to another object
  ///   than at the time of the edit (BND.13).
  public func commit() throws(KVError) { try core?.commit() }

  /// Sets the target to the source's value if a change of the target has not been committed.
  ///
  /// - Throws: ``KVError``: why that failed.
  public func discard() throws(KVError) { try core?.discard() }
}

extension KVPathBinding: Hashable {
  /// Whether two values stand for one binding.
  ///
  /// - Parameters:
  ///   - left: A binding.
  ///   - right: Another.
  public static func == (left: KVPathBinding, right: KVPathBinding) -> Bool { left === right }

  /// Hashes what ``==(_:_:)`` compares.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension KVPathBinding: CustomStringConvertible {
  /// Both ends, the direction, the state and the place on one line.
  public var description: String {
    let error = lastError.map { ": \($0)" } ?? ""
    return "\(summary) [\(state)\(error)] (\(location))"
  }
}
