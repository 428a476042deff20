import KVCore

/// How a binding works: which way, how values are turned into others, what stands for nil, and when and where it
/// happens.
///
/// ```swift
/// try slider.bind("value", to: "volume", of: player, options: .init(.twoWay, transformer: .named("percent")))
/// ```
///
/// A binding keeps a copy: later changes of the options do not reach it.
public struct KVBindingOptions: Sendable {
  /// Which end follows which.
  public var direction: KVBindingDirection
  /// Transforms values of the source into values of the target, and back if the direction includes it.
  public var transformer: KVTransformer?
  /// Which end takes the other's value at the beginning.
  public var initialSync: KVInitialSync
  /// The value of the target for a nil of the source; it is propagated back as nil.
  public var nullPlaceholder: (any Sendable)?
  /// What the target gets while the source's path leads nowhere: a nil stands in its middle (BND.10).
  public var fallback: (any Sendable)?
  /// Whether the receiver's validator is called before a value is set (VAL); it can replace the value.
  public var validates: Bool
  /// Whether a value is not set if the receiver has an equal one already (BND.4).
  public var skipsEqual: Bool
  /// When a change of the target goes to the source.
  public var trigger: KVUpdateTrigger
  /// On which threads the binding may work.
  public var concurrency: KVBindingConcurrency
  /// Whether all that the binding does is reported through ``KVDiagnostics``, whatever its level.
  public var isTraced: Bool

  /// Makes options.
  ///
  /// - Parameters:
  ///   - direction: Which end follows which.
  ///   - transformer: Turns values of the source into values of the target.
  ///   - initialSync: Which end takes the other's value at the beginning.
  ///   - nullPlaceholder: What the target gets for a nil of the source.
  ///   - fallback: What the target gets while the source's path leads nowhere.
  ///   - validates: Whether the receiver's validator is called.
  ///   - skipsEqual: Whether equal values are not set.
  ///   - trigger: When a change of the target goes to the source.
  ///   - concurrency: On which threads the binding may work.
  ///   - isTraced: Whether all that it does is reported.
  public init(
    _ direction: KVBindingDirection = .oneWay, transformer: KVTransformer? = nil,
    initialSync: KVInitialSync = .automatic, nullPlaceholder: (any Sendable)? = nil,
    fallback: (any Sendable)? = nil, validates: Bool = false, skipsEqual: Bool = true,
    trigger: KVUpdateTrigger = .onChange, concurrency: KVBindingConcurrency = .anyThread, isTraced: Bool = false
  ) {
    self.direction = direction
    self.transformer = transformer
    self.initialSync = initialSync
    self.nullPlaceholder = nullPlaceholder
    self.fallback = fallback
    self.validates = validates
    self.skipsEqual = skipsEqual
    self.trigger = trigger
    self.concurrency = concurrency
    self.isTraced = isTraced
  }

  /// The target follows the source.
  public static var oneWay: KVBindingOptions { KVBindingOptions(.oneWay) }
  /// Each end follows the other.
  public static var twoWay: KVBindingOptions { KVBindingOptions(.twoWay) }
  /// The target takes the source's value once.
  public static var once: KVBindingOptions { KVBindingOptions(.once) }
  /// The source follows the target.
  public static var toSource: KVBindingOptions { KVBindingOptions(.toSource) }
}

/// Which end of a binding follows which.
public enum KVBindingDirection: String, Sendable, Hashable, Codable, CaseIterable {
  /// The target follows the source.
  case oneWay
  /// Each end follows the other; at the beginning the target takes the source's value.
  case twoWay
  /// The target takes the source's value when the binding is made, which ends it.
  case once
  /// The source follows the target.
  case toSource

  /// Whether changes of the source go to the target.
  var goesForward: Bool { self == .oneWay || self == .twoWay }
  /// Whether changes of the target go to the source.
  var goesBackward: Bool { self == .twoWay || self == .toSource }

  /// The sign that stands between the ends in descriptions.
  var arrow: String {
    switch self {
    case .oneWay: "→"
    case .twoWay: "⇄"
    case .once: "⇢"
    case .toSource: "←"
    }
  }
}

/// Which end of a binding takes the other's value when it is made (BND.2).
public enum KVInitialSync: String, Sendable, Hashable, Codable, CaseIterable {
  /// The end that follows: the source where the direction is `toSource`, else the target.
  case automatic
  /// The target takes the source's value.
  case fromSource
  /// The source takes the target's value.
  case fromTarget
  /// Neither: both keep what they hold until one changes.
  case none
}

/// When a change of a binding's target goes to its source.
public enum KVUpdateTrigger: String, Sendable, Hashable, Codable, CaseIterable {
  /// At once.
  case onChange
  /// When it is committed: ``KVPathBinding/commit()``, or ``KVCore/KeyValueCoding/commitEditing()`` for all of an
  /// object.
  case onCommit
  /// Never by itself, nor does a change of the source go to the target: only ``KVPathBinding/updateTarget()`` and
  /// ``KVPathBinding/updateSource()`` move values.
  case explicit
}
