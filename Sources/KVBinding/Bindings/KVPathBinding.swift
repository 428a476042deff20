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
/// ``KVCore/KeyValueCoding/bind(_:to:of:options:file:line:)`` ends with its endpoints. It retains neither of the two
/// objects, and ends when one of them is deallocated (BND.8). A binding can be cancelled and inspected on any thread.
/// ``KVBindingOptions/concurrency`` determines where values are read and set; the default is the thread of the change.
public final class KVPathBinding: @unchecked Sendable {  // guard: immutable; a core is thread-safe
  let core: BindingCore
  private let cancelsOnDeinit: Bool

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
      BindingEndpoint(source, try sourcePath.keyPath()), .target(target, try targetPath.keyPath()), options,
      site: Site(file, line))
    try core.begin()
    self.init(core, cancelsOnDeinit: true)
  }

  init(_ core: BindingCore, cancelsOnDeinit: Bool = false) {
    self.core = core
    self.cancelsOnDeinit = cancelsOnDeinit
  }

  deinit { if cancelsOnDeinit { core.cancel() } }

  // MARK: Endpoints and options

  /// The endpoint whose value is propagated first; the first of several sources.
  public var source: KVBindingEndpoint { core.source.endpoint }
  /// All sources: one, unless values are combined.
  public var sources: [KVBindingEndpoint] { ([core.source] + core.others).map(\.endpoint) }
  /// The target endpoint.
  public var target: KVBindingEndpoint { core.target.endpoint }
  /// The options of the binding.
  public var options: KVBindingOptions { core.options }
  /// The key under which a definition names it; nil for others.
  public var key: String? { core.name }
  /// Where it was made, as `Module/File.swift:12`.
  public var location: String { core.site.description }

  // MARK: State

  /// The state of the binding.
  public var state: KVBindingState { core.state }
  /// The error of the last change; nil after a change was propagated (BND.11).
  public var lastError: KVError? { core.error }
  /// Whether it has not ended.
  public var isActive: Bool { !core.isEnded }
  /// Whether a change of the target has not been committed yet; see ``commit()``.
  public var hasPendingEdit: Bool { core.hasEdit }

  /// Whether all actions of the binding are reported through ``KVDiagnostics``, at any level.
  public var isTraced: Bool {
    get { core.isTraced.load(ordering: .relaxed) }
    set { core.isTraced.store(newValue, ordering: .relaxed) }
  }

  // MARK: Actions

  /// Cancels the binding; a second call does nothing.
  ///
  /// Values stay as they are.
  public func cancel() { core.cancel() }

  /// Sets the target to the source's value now.
  ///
  /// - Throws: ``KVError``: why that failed; the state says so, too.
  public func updateTarget() throws(KVError) { try core.update(from: .source) }

  /// Sets the source to the target's value now.
  ///
  /// - Throws: ``KVError``: why that failed, and `notReversible` where values cannot go back.
  public func updateSource() throws(KVError) {
    try core.checkCanReverse()
    try core.update(from: .target)
  }

  /// Propagates a change of the target that has not been committed to the source (``KVUpdateTrigger/onCommit``).
  ///
  /// - Throws: ``KVError``: why that failed; the edit is still in the target then.
  public func commit() throws(KVError) { try core.commit() }

  /// Sets the target to the source's value if a change of the target has not been committed.
  ///
  /// - Throws: ``KVError``: why that failed.
  public func discard() throws(KVError) { try core.discard() }
}

extension KVPathBinding: Hashable {
  /// Whether two values stand for one binding.
  ///
  /// - Parameters:
  ///   - left: A binding.
  ///   - right: Another.
  public static func == (left: KVPathBinding, right: KVPathBinding) -> Bool { left.core === right.core }

  /// Hashes what ``==(_:_:)`` compares.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(core)) }
}

extension KVPathBinding: CustomStringConvertible {
  /// Both ends, the direction, the state and the place on one line.
  public var description: String {
    let error = lastError.map { ": \($0)" } ?? ""
    return "\(core.summary) [\(state)\(error)] (\(location))"
  }
}
