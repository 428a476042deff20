import KVCore

/// A binding of one key path to another: the target follows the source, or each the other.
///
/// ```swift
/// let binding = try KVPathBinding(from: player, "volume", to: slider, "value", options: .twoWay)
/// binding.state       // active
/// binding.cancel()
/// ```
///
/// A binding made like this belongs to whoever holds it, and ends when it is dropped; one made by
/// ``KVCore/KeyValueCoding/bind(_:to:of:options:file:line:)`` lives as long as its ends. Neither end is kept alive, and
/// the binding ends with either (BND.8). Bindings may be ended and inspected on any thread; values are read and set on
/// the thread of the change, or as ``KVBindingOptions/concurrency`` says.
public final class KVPathBinding: @unchecked Sendable {  // guard: immutable; a core is thread-safe
  let core: BindingCore
  private let cancelsOnDeinit: Bool

  /// Binds two key paths, and brings them in step before it returns (BND.2).
  ///
  /// - Parameters:
  ///   - source: The object whose value counts at the beginning.
  ///   - sourcePath: The path from it, or its text.
  ///   - target: The object that follows. It need not be observable unless values go back from it.
  ///   - targetPath: The path from it, or its text.
  ///   - options: How it works.
  ///   - file: Where it is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Throws: ``KVError``: as observing a path and setting one do; `notReversible` where values would go back through a
  ///   transformer that cannot; what a transformer or validator throws. Nothing is bound then.
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

  /// The end whose value counts at the beginning; the first, where there are several.
  public var source: KVBindingEndpoint { core.source.endpoint }
  /// All sources: one, unless values are combined.
  public var sources: [KVBindingEndpoint] { ([core.source] + core.others).map(\.endpoint) }
  /// The end that follows.
  public var target: KVBindingEndpoint { core.target.endpoint }
  /// How it works.
  public var options: KVBindingOptions { core.options }
  /// The key under which a definition names it; nil for others.
  public var key: String? { core.name }
  /// Where it was made, as `Module/File.swift:12`.
  public var location: String { core.site.description }

  // MARK: State

  /// How it is doing.
  public var state: KVBindingState { core.state }
  /// Why the last change was not carried over; nil once one was (BND.11).
  public var lastError: KVError? { core.error }
  /// Whether it has not ended.
  public var isActive: Bool { !core.isEnded }
  /// Whether a change of the target waits for its ``commit()``.
  public var hasPendingEdit: Bool { core.hasEdit }

  /// Whether all that it does is reported through ``KVDiagnostics``, whatever the level there.
  public var isTraced: Bool {
    get { core.isTraced.load(ordering: .relaxed) }
    set { core.isTraced.store(newValue, ordering: .relaxed) }
  }

  // MARK: Actions

  /// Ends it; doing so again does nothing.
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

  /// Carries a change of the target over to the source that waits for it (``KVUpdateTrigger/onCommit``).
  ///
  /// - Throws: ``KVError``: why that failed; the edit is still in the target then.
  public func commit() throws(KVError) { try core.commit() }

  /// Sets the target back to the source's value if a change of it waits to be committed.
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
