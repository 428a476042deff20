import KVCore

// The form of `bind` with functions that return nil for values that do not convert.
extension KeyValueCoding where Self: AnyObject {
  /// Binds a key path of the receiver to a key path of a source, with functions that return nil for values that do not
  /// convert.
  ///
  /// ```swift
  /// try field.bind("text", to: "age", of: user, transform: { (age: Int) in "\(age)" }, reverse: { Int($0) })
  /// ```
  ///
  /// A value that does not convert changes nothing, and its error is that of the binding (BND.11). The compiler uses this
  /// form if a function returns an optional that the other one does not take. If it does, as in
  /// `transform: { (age: Int?) in … }, reverse: { Int($0) }`, nil is a value (TRN.1).
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - sourcePath: The key path from the source, or its text.
  ///   - source: The object whose value is propagated when the binding is made.
  ///   - options: The options of the binding, without a transformer.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value for the receiver. nil is an error with the code `invalidValue`.
  ///   - reverse: Returns the value for the source. nil is an error with the code `invalidValue`.
  /// - Returns: The binding.
  /// - Throws: ``KVError``, as ``KVPathBinding/init(from:_:to:_:options:file:line:)``.
  @inlinable
  @discardableResult
  public func bind<Input, Output>(
    _ path: some KVKeyPathConvertible, to sourcePath: some KVKeyPathConvertible, of source: some KVObservable,
    options: KVBindingOptions = .twoWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Input) throws -> Output?, reverse: @escaping (Output) throws -> Input?
  ) throws(KVError) -> KVPathBinding {
    let forward = KVTransformer.converting(nil, isForward: true, transform)
    let backward = KVTransformer.converting(nil, isForward: false, reverse)
    return try begin(
      path.keyPath(), sourcePath.keyPath(), source, options,
      KVTransformer(confined: nil, forward: forward, reverse: backward), .of(forward), .of(backward), Site(file, line))
  }
}
