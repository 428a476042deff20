import KVCore

/// A function from one value to another, and perhaps one back: what a binding does to a value on its way (TRN).
///
/// ```swift
/// let percent = KVTransformer(forward: { (share: Double) in share * 100 }, reverse: { $0 / 100 })
/// try percent.transform(0.25)           // 25.0
/// try percent.reverseTransform(50)      // 0.5: an Int is made to fit, by the rules of CO
/// try percent.transform([0.5, nil])     // [50.0, nil]: element by element
/// ```
///
/// Transformers can be given a name, under which whole programs and files of bindings find them:
/// ``register(_:named:)`` and ``named(_:)``. They are values, may be kept anywhere and used on any thread.
public struct KVTransformer: Sendable {
  /// The name under which it is registered, or that messages call it by; nil if it has none.
  public let name: String?
  let forward: TransformFunction
  let backward: TransformFunction?

  /// Makes a transformer that only works forward, from a function of known types.
  ///
  /// Values are made to fit `In` by the rules of CO. Where `In` is not optional, nil stays nil and the function is not
  /// called. Arrays and sets are transformed element by element, unless `In` is a collection or `Any` (TRN.3).
  ///
  /// - Parameters:
  ///   - name: What messages call it; ``register(_:named:)`` makes it known by a name.
  ///   - forward: Computes the result. What it throws reaches the caller: a ``KVError`` as it is, any other error as the
  ///     cause of one with the code `custom`.
  public init<In, Out>(_ name: String? = nil, forward: @escaping @Sendable (In) throws -> Out) {
    self.init(confined: name, forward: forward)
  }

  /// Makes a transformer that works both ways, from functions of known types.
  ///
  /// - Parameters:
  ///   - name: What messages call it.
  ///   - forward: Computes the result; see ``init(_:forward:)``.
  ///   - reverse: Computes the value that the result came from. Where `Out` is not optional, nil stays nil.
  public init<In, Out>(
    _ name: String? = nil, forward: @escaping @Sendable (In) throws -> Out,
    reverse: @escaping @Sendable (Out) throws -> In
  ) {
    self.init(confined: name, forward: forward, reverse: reverse)
  }

  /// Makes a transformer that only works forward and stays where it was made, in one binding: its function need not be
  /// `Sendable`.
  @usableFromInline
  init<In, Out>(confined name: String?, forward: @escaping (In) throws -> Out) {
    self.init(name, TransformFunction(name, .forward, forward), nil)
  }

  /// Makes a transformer that works both ways and stays where it was made, in one binding.
  @usableFromInline
  init<In, Out>(
    confined name: String?, forward: @escaping (In) throws -> Out, reverse: @escaping (Out) throws -> In
  ) {
    self.init(name, TransformFunction(name, .forward, forward), TransformFunction(name, .backward, reverse))
  }

  init(_ name: String?, _ forward: TransformFunction, _ backward: TransformFunction?) {
    self.name = name
    self.forward = forward
    self.backward = backward
  }

  /// Makes a transformer from functions of any value, nil included.
  ///
  /// They get whole collections; ``elementwise`` makes one that does not.
  ///
  /// - Parameters:
  ///   - name: What messages call it.
  ///   - forward: Computes the result.
  ///   - reverse: Computes the value that the result came from; nil for a transformer that only works forward.
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
  /// Whether it works backward too.
  public var isReversible: Bool { backward != nil }

  /// Whether arrays and sets are handed to the function as they are, rather than element by element (TRN.3).
  ///
  /// So it is where the function takes a collection, or `Any`; of the way back ask ``inverted``.
  public var appliesToWholeCollections: Bool { forward.isWhole }

  /// Transforms a value.
  ///
  /// - Parameter value: The value, or nil.
  /// - Returns: The result; never an optional in an optional. Of an array element by element an `[Any?]`, of a set a
  ///   `Set<AnyHashable>` where the results are hashable.
  /// - Throws: ``KVError``: `typeMismatch`, `numberOutOfRange` or `nilValue` if the value does not fit the function, and
  ///   what the function throws.
  /// - Complexity: That of the function; O(*n*) calls for a collection of *n* elements.
  public func transform(_ value: Any?) throws(KVError) -> Any? { try forward(value) }

  /// Transforms a value back.
  ///
  /// - Parameter value: The value, or nil.
  /// - Returns: What the transformer makes of the value, as ``transform(_:)`` does.
  /// - Throws: ``KVError``: `notReversible` if there is no way back, and as ``transform(_:)``.
  /// - Complexity: As ``transform(_:)``.
  public func reverseTransform(_ value: Any?) throws(KVError) -> Any? {
    guard let backward else { throw notReversible }
    return try backward(value)
  }

  /// The transformer with forward and back exchanged; nil if there is no way back.
  public var inverted: KVTransformer? { backward.map { KVTransformer(nil, $0, forward) } }

  /// Returns the transformer that does this and then another one; its way back is that of both, in opposite order.
  ///
  /// - Parameter next: What is done to the result.
  /// - Returns: A transformer without a name, reversible if both are. It gets whole collections if one of them does.
  public func then(_ next: KVTransformer) -> KVTransformer {
    var composedBackward: TransformFunction?
    if let backward, let nextBackward = next.backward { composedBackward = nextBackward.then(backward) }
    return KVTransformer(nil, forward.then(next.forward), composedBackward)
  }

  /// The transformer, applied to each element of arrays and sets, whatever its function takes.
  public var elementwise: KVTransformer { with(isWhole: false) }

  /// The transformer, applied to arrays and sets as they are, whatever its function takes.
  public var whole: KVTransformer { with(isWhole: true) }

  private func with(isWhole: Bool) -> KVTransformer {
    var (forward, backward) = (forward, backward)
    forward.isWhole = isWhole
    backward?.isWhole = isWhole
    return KVTransformer(name, forward, backward)
  }

  /// The error for those who need a way back where there is none.
  var notReversible: KVError {
    KVError(
      .notReversible,
      """
      \(TransformFunction.title(name)) works forward only. Give it a reverse function, or let values go one way.
      """)
  }
}

extension KVTransformer: CustomStringConvertible {
  /// The name, and which ways it works: `KVTransformer("negateBoolean", reversible)`.
  public var description: String {
    "KVTransformer(\(name.map { "\"\($0)\", " } ?? "")\(isReversible ? "reversible" : "forward only"))"
  }
}
