import KVBinding
import KVCore
import KVQuery

extension KeyValueCoding where Self: AnyObject {
  /// Binds a key path of the receiver to the value of an expression or a predicate over a source (FRM).
  ///
  /// ```swift
  /// try cell.bind("total", to: KVExpression(format: "price * count"), of: line)
  /// try button.bind("isEnabled", to: KVPredicate(format: "name != '' AND age >= 18"), of: form)
  /// ```
  ///
  /// The binding ends with the receiver or with the source. Its source is a ``KVFormula``, which it retains.
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - formula: The expression or the predicate, which is evaluated from the source.
  ///   - source: The object from which the formula is evaluated.
  ///   - options: The options of the binding, whose direction must be one-way or once. The policy limits the key paths of the
  ///     formula as well.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding.
  /// - Throws: ``KVError``: as ``KVFormula/init(_:of:)`` and ``KVPathBinding/init(from:_:to:_:options:file:line:)``;
  ///   `notReversible` for another direction; the error of the evaluation.
  @discardableResult
  public func bind(
    _ path: some KVKeyPathConvertible, to formula: some KVFormulaConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line
  ) throws(KVError) -> KVPathBinding {
    try bind(path.keyPath(), to: formula.formulaExpression, of: source, options, nil, nil, Site(file, line))
  }

  /// Binds a key path of the receiver to the value of an expression or a predicate over a source, with a function that
  /// converts it (FRM, TRN).
  ///
  /// ```swift
  /// try label.bind("text", to: KVExpression(format: "sum(lines.price)"), of: order) { (total: Double) in "\(total) €" }
  /// ```
  ///
  /// - Parameters:
  ///   - path: The key path from the receiver, or its text.
  ///   - formula: The expression or the predicate, which is evaluated from the source.
  ///   - source: The object from which the formula is evaluated.
  ///   - options: As for a binding without a function.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - transform: Returns the value of the path for a value of the formula, which is coerced to its parameter.
  /// - Returns: The binding.
  /// - Throws: As for a binding without a function.
  @discardableResult
  public func bind<Input, Output>(
    _ path: some KVKeyPathConvertible, to formula: some KVFormulaConvertible, of source: some KVObservable,
    options: KVBindingOptions = .oneWay, file: StaticString = #fileID, line: UInt = #line,
    transform: @escaping (Input) throws -> Output
  ) throws(KVError) -> KVPathBinding {
    try bind(
      path.keyPath(), to: formula.formulaExpression, of: source, options,
      KVTransformer(confined: nil, forward: transform), .of(transform), Site(file, line))
  }

  private func bind(
    _ path: KVKeyPath, to expression: KVExpression, of source: some KVObservable, _ options: KVBindingOptions,
    _ transform: KVTransformer?, _ forward: TypedMap?, _ site: Site
  ) throws(KVError) -> KVPathBinding {
    if options.direction.goesBackward || options.initialSync == .fromTarget {
      throw KVError(
        .notReversible,
        """
        the binding of "\(path)" to "\(shortened(expression.description))" would set a formula, which has no way back. Bind \
        one-way.
        """, keyPath: path.description, rootType: "\(type(of: self))")
    }
    let limited = if let policy = options.policy { try expression.reaching(by: policy) } else { expression }
    let formula = try KVFormula(limited, of: source)
    return try bind(
      path, toRetained: formula, KVFormula.valuePath, named: formula.name, options, transform, forward, site)
  }
}
