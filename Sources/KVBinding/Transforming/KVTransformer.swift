import KVCore

/// A function that transforms values, optionally with a reverse function, for bindings (TRN.1).
///
/// ```swift
/// let percent = KVTransformer(forward: { (share: Double) in share * 100 }, reverse: { $0 / 100 })
/// try percent.transform(0.25)           // 25.0
/// try percent.reverseTransform(50)      // 0.5: an Int is converted, by the rules of CO
/// try percent.transform([0.5, nil])     // [50.0, nil]: element by element
/// ```
///
/// A transformer can be registered under a name, by which programs and binding files find it:
/// ``register(_:named:replacing:)`` and ``named(_:)``. Transformers are values, which can be stored anywhere and used
/// on any thread.
public struct KVTransformer: Plumbing, Sendable {
  /// The registered name, or the name in messages; nil if there is none.
  public let name: String?
  let forward: TransformFunction
  let backward: TransformFunction?

  /// Creates a transformer that works forward only, from a function of known types.
  ///
  /// Values are converted to `In` by the rules of CO. If `In` is not optional, nil stays nil and the function is not
  /// called. Arrays and sets are transformed element by element, unless `In` is a collection or `Any` (TRN.3).
  ///
  /// - Parameters:
  ///   - name: The name in messages; ``register(_:named:replacing:)`` registers it under a name.
  ///   - forward: Computes the result. A ``KVError`` that it throws reaches the caller as it is; any other error
  ///     becomes the ``KVError/underlying`` error of one with the code `custom`.
  @_disfavoredOverload
  public init<In, Out>(_ name: String? = nil, forward: @escaping @Sendable (In) throws -> Out) {
    self.init(confined: name, forward: forward)
  }

  /// Creates a transformer that works forward only, from a function of any value.
  ///
  /// The compiler uses this form if neither the closure says the type of its parameter nor an operation in it does.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: Computes the result, also for whole collections. nil stays nil.
  public init<Out>(_ name: String? = nil, forward: @escaping @Sendable (Any) throws -> Out) {
    self.init(confined: name, forward: forward)
  }

  /// Creates a transformer that works forward only, from a function that takes nil.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: Computes the result.
  public init<Wrapped, Out>(_ name: String? = nil, forward: @escaping @Sendable (Wrapped?) throws -> Out) {
    self.init(confined: name, forward: forward)
  }

  /// Creates a reversible transformer from functions of known types.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: Computes the result; see the initializer without `reverse`.
  ///   - reverse: Computes the value from the result. If `Out` is not optional, nil stays nil.
  public init<In, Out>(
    _ name: String? = nil, forward: @escaping @Sendable (In) throws -> Out,
    reverse: @escaping @Sendable (Out) throws -> In
  ) {
    self.init(
      confined: name, forward: Self.refusingDescriptions(name, isForward: true, forward),
      reverse: Self.refusingDescriptions(name, isForward: false, reverse))
  }

  /// Creates a transformer for one binding that works forward only; its function need not be `Sendable`.
  @usableFromInline
  package init<In, Out>(confined name: String?, forward: @escaping (In) throws -> Out) {
    self.init(name, TransformFunction(name, .forward, forward), nil)
  }

  /// Creates a reversible transformer for one binding, whose functions need not be `Sendable`.
  @usableFromInline
  package init<In, Out>(
    confined name: String?, forward: @escaping (In) throws -> Out, reverse: @escaping (Out) throws -> In
  ) {
    self.init(name, TransformFunction(name, .forward, forward), TransformFunction(name, .backward, reverse))
  }

  init(_ name: String?, _ forward: TransformFunction, _ backward: TransformFunction?) {
    self.name = name
    self.forward = forward
    self.backward = backward
  }

  /// Creates a transformer from functions of any value, including nil.
  ///
  /// The functions receive whole collections; ``elementwise`` changes that.
  ///
  /// - Parameters:
  ///   - name: The name in messages.
  ///   - forward: Computes the result.
  ///   - reverse: Computes the value from the result; nil for a transformer that works forward only.
  /// - Returns: The transformer.
  public static func erased(
    _ name: String? = nil, forward: @escaping @Sendable (Any?) throws -> Any?,
    reverse: (@Sendable (Any?) throws -> Any?)? = nil
  ) -> KVTransformer {
    KVTransformer(
      name, TransformFunction(name, .forward, forward), reverse.map { TransformFunction(name, .backward, $0) })
  }
}

extension KVTransformer {
  /// Whether the transformer has a reverse function.
  public var isReversible: Bool { backward != nil }

  /// Whether the function receives arrays and sets as a whole, instead of each element (TRN.3).
  ///
  /// This is the default for functions that take a collection or `Any`. For the reverse function use ``inverted``.
  package var appliesToWholeCollections: Bool { forward.isWhole }

  /// Transforms a value.
  ///
  /// - Parameter value: The value, or nil.
  /// - Returns: The result, never a nested optional. The results for the elements of an array are an `[Any?]`, those
  ///   for a set a `Set<AnyHashable>` if they are hashable.
  /// - Throws: ``KVError``: `typeMismatch`, `numberOutOfRange` or `nilValue` if the value cannot be converted for the
  ///   function; `limitExceeded` for deeply nested collections; the errors of the function.
  /// - Complexity: As that of the function; O(*n*) calls for a collection of *n* elements.
  public func transform(_ value: Any?) throws(KVError) -> Any? { try forward(value) }

  /// Transforms a value with the reverse function.
  ///
  /// - Parameter value: The value, or nil.
  /// - Returns: The result, as of ``transform(_:)``.
  /// - Throws: ``KVError``: `notReversible` if there is no reverse function; the errors of ``transform(_:)``.
  /// - Complexity: As ``transform(_:)``.
  public func reverseTransform(_ value: Any?) throws(KVError) -> Any? {
    guard let backward else { throw notReversible }
    return try backward(value)
  }

  /// The transformer with its forward and reverse functions exchanged; nil if it is not reversible.
  public var inverted: KVTransformer? { backward.map { KVTransformer(nil, $0, forward) } }

  /// Returns the composition of this transformer and another one, which reverses both in opposite order.
  ///
  /// - Parameter next: The transformer that is applied to the result of this one.
  /// - Returns: A transformer without a name. It is reversible if both are, and receives whole collections if one of
  ///   them does.
  public func then(_ next: KVTransformer) -> KVTransformer {
    var composedBackward: TransformFunction?
    if let backward, let nextBackward = next.backward { composedBackward = nextBackward.then(backward) }
    return KVTransformer(nil, forward.then(next.forward), composedBackward)
  }

  /// The transformer, applied to each element of arrays and sets, whatever type its functions take.
  public var elementwise: KVTransformer { with(isWhole: false) }

  /// The transformer, applied to arrays and sets as a whole, whatever type its functions take.
  public var whole: KVTransformer { with(isWhole: true) }

  private func with(isWhole: Bool) -> KVTransformer {
    var (forward, backward) = (forward, backward)
    forward.isWhole = isWhole
    backward?.isWhole = isWhole
    return KVTransformer(name, forward, backward)
  }

  /// The error of a reverse transformation without a reverse function.
  var notReversible: KVError {
    KVError(
      .notReversible,
      """
      \(TransformFunction.title(name)) works forward only. Give it a reverse function, or let values go one way.
      """)
  }
}

extension KVTransformer: CustomStringConvertible {
  /// The name and the directions: `KVTransformer("negateBoolean", reversible)`.
  public var description: String {
    "KVTransformer(\(name.map { "\"\($0)\", " } ?? "")\(isReversible ? "reversible" : "forward only"))"
  }
}
