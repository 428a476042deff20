import KVCore

// The forms of `bind` with a function whose parameter is any value, or optional. The compiler infers the former
// where a closure does not say what it takes, and needs the latter as a form of its own to tell `Any?` from `Any`.

extension KeyValueCoding where Self: AnyObject {
  /// Binds a key path of the receiver to a key path of a source, whose values a function of any value transforms.
  ///
  /// The compiler uses this form if neither the closure says the type of its parameter nor an operation in it does:
  ///
  /// ```swift
  /// try label.bind("text", to: "count", of: list) { "No. \($0)" }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose changes are propagated.
  ///   - options: The options of the binding, without a transformer.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value for the receiver. It receives whole collections; nil is propagated as nil.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @discardableResult
  public func bind<Output>(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Any) throws -> Output
  ) throws(KVError) -> KVPathBinding {
    try begin(
      path.keyPath(), sourcePath.keyPath(), source, options, KVTransformer(confined: nil, forward: transform), nil, nil,
      Site(file, line))
  }

  /// Binds a key path of the receiver to a key path of a source, whose values a function transforms that takes nil.
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose changes are propagated.
  ///   - options: The options of the binding, without a transformer.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value for the receiver.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @inlinable
  @discardableResult
  public func bind<Wrapped, Output>(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Wrapped?) throws -> Output
  ) throws(KVError) -> KVPathBinding {
    try begin(
      path.keyPath(), sourcePath.keyPath(), source, options, KVTransformer(confined: nil, forward: transform),
      .of(transform), nil, Site(file, line))
  }
}
