import KVCore

/// The options of a binding: its direction, its transformer, its values for nil, and when and where it propagates.
///
/// ```swift
/// try slider.bind("value", to: "volume", of: player, options: .init(.twoWay, transformer: .named("percent")))
/// ```
///
/// A binding stores a copy, so that later changes of the options have no effect on it.
public struct KVBindingOptions: Sendable {
  /// The direction in which changes are propagated.
  public var direction: KVBindingDirection
  /// Transforms values of the source into values of the target, and back if the direction includes it.
  public var transformer: KVTransformer?
  /// The endpoint whose value is propagated when the binding is made.
  public var initialSync: KVInitialSync
  /// The value of the target for a nil of the source; it is propagated back as nil.
  public var nullPlaceholder: (any Sendable)?
  /// The value of the target while the path of the source cannot be resolved, because an intermediate value is nil
  /// (BND.10).
  public var fallback: (any Sendable)?
  /// Whether the target has nil while the path of the source cannot be resolved, and no ``fallback``: the content of a
  /// controller (CTR.14).
  package var showsNilIfUnresolved = false
  /// The values of the target in place of markers of a selection (CTR.38).
  ///
  /// They are neither transformed nor written back.
  public var placeholders: [KVSelectionMarker: any Sendable]
  /// Whether a change of the target is written to several selected objects (CTR.39).
  public var allowsEditingMultipleValues: Bool
  /// Whether the receiver's validator is called before a value is set (VAL); it can replace the value.
  public var validates: Bool
  /// Whether a value is not set if the receiver has an equal one already (BND.4).
  public var skipsEqual: Bool
  /// When a change of the target is propagated to the source.
  public var trigger: KVUpdateTrigger
  /// The threads on which the binding propagates changes.
  public var concurrency: KVBindingConcurrency
  /// Whether each action of the binding is reported through ``KVDiagnostics``, whatever its level.
  public var isTraced: Bool
  /// Whether a definition or declaration may name stored properties that no table lists (DEF.5).
  ///
  /// These include private ones. The option has no effect on `bind`, whose paths are written in the program.
  public var allowsReflection: Bool
  /// The policy that limits both paths of the binding (SEC.7).
  ///
  /// Without a policy the paths of `bind` reach everything, and those of definitions and declarations all keys of tables.
  /// With one ``allowsReflection`` has no effect. A path that has another policy is refused.
  public var policy: KVPolicy?

  /// Creates options.
  ///
  /// - Parameters:
  ///   - direction: The direction in which changes are propagated.
  ///   - transformer: Transforms values of the source into values of the target.
  ///   - initialSync: The endpoint whose value is propagated when the binding is made.
  ///   - nullPlaceholder: The value of the target for a nil of the source.
  ///   - fallback: The value of the target while the path of the source cannot be resolved.
  ///   - noSelection: The value of the target while nothing is selected.
  ///   - multipleValues: The value of the target while the selected objects have different values.
  ///   - notApplicable: The value of the target while a selected object does not have the key.
  ///   - allowsEditingMultipleValues: Whether a change of the target is written to several selected objects.
  ///   - validates: Whether the receiver's validator is called.
  ///   - skipsEqual: Whether equal values are not set.
  ///   - trigger: When a change of the target is propagated to the source.
  ///   - concurrency: The threads on which the binding propagates changes.
  ///   - isTraced: Whether each action of the binding is reported.
  ///   - allowsReflection: Whether a definition or declaration may name stored properties that no table lists.
  ///   - policy: The policy of both paths of the binding.
  public init(
    _ direction: KVBindingDirection = .oneWay, transformer: KVTransformer? = nil,
    initialSync: KVInitialSync = .automatic, nullPlaceholder: (any Sendable)? = nil,
    fallback: (any Sendable)? = nil, noSelection: (any Sendable)? = nil, multipleValues: (any Sendable)? = nil,
    notApplicable: (any Sendable)? = nil, allowsEditingMultipleValues: Bool = true, validates: Bool = false,
    skipsEqual: Bool = true,
    trigger: KVUpdateTrigger = .onChange, concurrency: KVBindingConcurrency = .anyThread, isTraced: Bool = false,
    allowsReflection: Bool = false, policy: KVPolicy? = nil
  ) {
    self.direction = direction
    self.transformer = transformer
    self.initialSync = initialSync
    self.nullPlaceholder = nullPlaceholder
    self.fallback = fallback
    placeholders = [:]
    placeholders[.noSelection] = noSelection
    placeholders[.multipleValues] = multipleValues
    placeholders[.notApplicable] = notApplicable
    self.allowsEditingMultipleValues = allowsEditingMultipleValues
    self.validates = validates
    self.skipsEqual = skipsEqual
    self.trigger = trigger
    self.concurrency = concurrency
    self.isTraced = isTraced
    self.allowsReflection = allowsReflection
    self.policy = policy
  }

  /// Returns a path from outside of the program as the options let it reach (DEF.5, SEC.7).
  ///
  /// - Throws: ``KVError``, as ``KVPolicy/keyPath(_:)``.
  package func reachable(_ path: KVKeyPath) throws(KVError) -> KVKeyPath {
    policy == nil && !allowsReflection ? path.tablesOnly : try limited(path)
  }

  /// Returns a path of the program as the policy lets it reach (SEC.7).
  ///
  /// - Throws: ``KVError``, as ``KVPolicy/keyPath(_:)``.
  func limited(_ path: KVKeyPath) throws(KVError) -> KVKeyPath { try policy?.keyPath(path) ?? path }

  /// The error for options that a binding by a definition cannot obey, since the definition says them itself (DEF.1); nil
  /// if there are none.
  package var undefinedByDefinitions: KVError? {
    let given: [(name: String, isGiven: Bool)] = [
      ("direction", direction != .oneWay), ("transformer", transformer != nil),
      ("initialSync", initialSync != .automatic), ("nullPlaceholder", nullPlaceholder != nil),
      ("fallback", fallback != nil), ("placeholders", !placeholders.isEmpty),
      ("allowsEditingMultipleValues", !allowsEditingMultipleValues), ("validates", validates),
      ("skipsEqual", !skipsEqual), ("trigger", trigger != .onChange),
    ]
    let names = given.filter(\.isGiven).map(\.name)
    if names.isEmpty { return nil }
    return KVError(
      .unsupported,
      """
      each definition says its \(names.joined(separator: ", ")) itself: leave that out of the options, which give \
      definitions their concurrency, isTraced, allowsReflection and policy.
      """)
  }

  /// Checks that a binding with the options can set something, and can have the trigger.
  ///
  /// - Throws: ``KVError`` (`unsupported`) if it would be made once, and synchronize nothing or wait for a commit.
  package func checkEffect(_ cures: BindingCures) throws(KVError) {
    if direction == .once, trigger == .onCommit {
      throw KVError(
        .unsupported,
        """
        a binding that is made once carries no edit to its source, so that nothing is committed: leave out \
        \(cures.option("trigger", "onCommit")), or bind two-way.
        """)
    }
    guard direction == .once, initialSync == .none else { return }
    throw KVError(
      .unsupported,
      """
      a binding that is made once and has \(cures.option("initialSync", "none")) sets nothing: leave the option out, or bind \
      one-way.
      """)
  }

  /// Changes of the source are propagated to the target.
  public static var oneWay: KVBindingOptions { KVBindingOptions(.oneWay) }
  /// Changes of each endpoint are propagated to the other.
  public static var twoWay: KVBindingOptions { KVBindingOptions(.twoWay) }
  /// The value of the source is propagated to the target once.
  public static var once: KVBindingOptions { KVBindingOptions(.once) }
  /// Changes of the target are propagated to the source.
  public static var toSource: KVBindingOptions { KVBindingOptions(.toSource) }
}
