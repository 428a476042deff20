import KVBinding
import KVCore
import KVDocuments

/// A binding as data: which paths are bound, which way, and how; the objects come later (DEF.1).
///
/// ```swift
/// let definition = KVBindingDefinition(
///   key: "volume", "player.volume", to: "value", ofTarget: "slider", direction: .twoWay, transformerName: "percent")
/// let set = try KVBindingSet([definition], owner: controller)
/// ```
///
/// Two paths of a definition lead from the owner to the objects that are bound, and two from these to their values. A
/// definition is a value: it can be compared, kept in files of three formats (``KVBindingDefinitions``) and encoded by
/// any encoder. It says nothing about whether objects and transformers of these names exist; a ``KVBindingSet`` does.
public struct KVBindingDefinition: Sendable, Hashable, Codable {
  /// The version of the format that this library writes, and the greatest that it reads.
  static let currentVersion = 1

  /// The name by which a set finds the binding; nil, or an empty text, if it has none.
  public var key: String? {
    didSet { key = Self.present(key) }
  }
  /// The path from the owner to the source; nil for the owner itself.
  public var pathToSource: KVKeyPath?
  /// The path from the owner to the target; nil for the owner itself.
  public var pathToTarget: KVKeyPath?
  /// The path from the source to its value.
  public var sourceKeyPath: KVKeyPath
  /// The path from the target to its value.
  public var targetKeyPath: KVKeyPath
  /// The direction in which changes are propagated.
  public var direction: KVBindingDirection
  /// The name of the transformer, as ``KVTransformer/named(_:)`` finds it; nil, or an empty text, if there is none.
  public var transformerName: String? {
    didSet { transformerName = Self.present(transformerName) }
  }
  /// The endpoint whose value is propagated when the binding is made.
  public var initialSync: KVInitialSync
  /// The value of the target for a nil of the source.
  public var nullPlaceholder: KVBindingScalar?
  /// The value of the target while the path of the source cannot be resolved.
  public var fallback: KVBindingScalar?
  /// The value of the target while nothing is selected.
  public var noSelection: KVBindingScalar?
  /// The value of the target while the selected objects have different values.
  public var multipleValues: KVBindingScalar?
  /// The value of the target while a selected object does not have the key.
  public var notApplicable: KVBindingScalar?
  /// Whether a change of the target is written to several selected objects.
  public var allowsEditingMultipleValues: Bool
  /// Whether the receiver's validator is called.
  public var validates: Bool
  /// Whether equal values are not set.
  public var skipsEqual: Bool
  /// When a change of the target is propagated to the source.
  public var trigger: KVUpdateTrigger

  /// Creates a definition.
  ///
  /// - Parameters:
  ///   - key: The name by which a set finds the binding.
  ///   - sourceKeyPath: The path from the source to its value.
  ///   - pathToSource: The path from the owner to the source.
  ///   - targetKeyPath: The path from the target to its value.
  ///   - pathToTarget: The path from the owner to the target.
  ///   - direction: The direction in which changes are propagated.
  ///   - transformerName: The name of the transformer.
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
  public init(
    key: String? = nil, _ sourceKeyPath: KVKeyPath, ofSource pathToSource: KVKeyPath? = nil,
    to targetKeyPath: KVKeyPath, ofTarget pathToTarget: KVKeyPath? = nil, direction: KVBindingDirection = .oneWay,
    transformerName: String? = nil, initialSync: KVInitialSync = .automatic,
    nullPlaceholder: KVBindingScalar? = nil, fallback: KVBindingScalar? = nil,
    noSelection: KVBindingScalar? = nil, multipleValues: KVBindingScalar? = nil, notApplicable: KVBindingScalar? = nil,
    allowsEditingMultipleValues: Bool = true, validates: Bool = false,
    skipsEqual: Bool = true, trigger: KVUpdateTrigger = .onChange
  ) {
    self.key = Self.present(key)
    self.pathToSource = pathToSource
    self.pathToTarget = pathToTarget
    self.sourceKeyPath = sourceKeyPath
    self.targetKeyPath = targetKeyPath
    self.direction = direction
    self.transformerName = Self.present(transformerName)
    self.initialSync = initialSync
    self.nullPlaceholder = nullPlaceholder
    self.fallback = fallback
    self.noSelection = noSelection
    self.multipleValues = multipleValues
    self.notApplicable = notApplicable
    self.allowsEditingMultipleValues = allowsEditingMultipleValues
    self.validates = validates
    self.skipsEqual = skipsEqual
    self.trigger = trigger
  }

  private static func present(_ text: String?) -> String? { text?.isEmpty == true ? nil : text }

  /// Whether values go from the target to the source, at the beginning or later.
  var goesBackward: Bool { direction.goesBackward || initialSync == .fromTarget }

  /// Returns the options of the binding; the concurrency and the tracing, which a definition does not have, are those
  /// of others.
  package func options(base: KVBindingOptions = KVBindingOptions()) throws(KVError) -> KVBindingOptions {
    var transformer: KVTransformer?
    if let transformerName { transformer = try KVTransformer.named(transformerName) }
    return KVBindingOptions(
      direction, transformer: transformer, initialSync: initialSync, nullPlaceholder: nullPlaceholder?.value,
      fallback: fallback?.value, noSelection: noSelection?.value, multipleValues: multipleValues?.value,
      notApplicable: notApplicable?.value, allowsEditingMultipleValues: allowsEditingMultipleValues,
      validates: validates, skipsEqual: skipsEqual, trigger: trigger,
      concurrency: base.concurrency, isTraced: base.isTraced, allowsReflection: base.allowsReflection,
      policy: base.policy)
  }
}

extension KVBindingDefinition: CustomStringConvertible {
  /// The key, both ends and the direction on one line, as `volume: player.volume ⇄ slider.value`.
  public var description: String {
    let source = pathToSource.map { "\($0) · \(sourceKeyPath)" } ?? "\(sourceKeyPath)"
    let target = pathToTarget.map { "\($0) · \(targetKeyPath)" } ?? "\(targetKeyPath)"
    let transformer = transformerName.map { " by \($0)" } ?? ""
    return "\(key.map { "\($0): " } ?? "")\(source) \(direction.arrow) \(target)\(transformer)"
  }
}
