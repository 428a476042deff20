import KVBinding
import KVCore

extension KVObservable {
  /// Observes the value of an expression or a predicate over the receiver (FRM).
  ///
  /// ```swift
  /// let token = try line.observe(KVExpression(format: "price * count")) { change in print(change.new ?? 0) }
  /// ```
  ///
  /// The object of a change is the ``KVFormula`` that the observation retains, and its key path `value`.
  ///
  /// - Parameters:
  ///   - formula: The expression or the predicate, which is evaluated from the receiver.
  ///   - options: The contents and times of the records. By default only changes of the value notify.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives each record.
  /// - Returns: A token. The observation ends when the token is dropped, or with the receiver.
  /// - Throws: ``KVError``, as ``KVFormula/init(_:of:)``.
  public func observe(
    _ formula: some KVFormulaConvertible, options: KVObservingOptions = [.old, .new, .distinct],
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let formula = try KVFormula(formula, of: self)
    return try formula.observe(KVFormula.valuePath, options: options, file: file, line: line) { change in
      withExtendedLifetime(formula) { handler(change) }
    }
  }

  /// Observes the value of an expression or a predicate over the receiver on behalf of an owner (LIF.2).
  ///
  /// - Parameters:
  ///   - formula: The expression or the predicate, which is evaluated from the receiver.
  ///   - options: The contents and times of the records. By default only changes of the value notify.
  ///   - owner: The object that the observation belongs to.
  ///   - file: The file of the caller, for listings.
  ///   - line: The line of the caller, for listings.
  ///   - handler: A closure that receives the owner and each record.
  /// - Returns: A token that can cancel or pause the observation. It may be discarded.
  /// - Throws: ``KVError``, as ``KVFormula/init(_:of:)``.
  @discardableResult
  public func observe<Owner: AnyObject>(
    _ formula: some KVFormulaConvertible, options: KVObservingOptions = [.old, .new, .distinct], owner: Owner,
    file: StaticString = #fileID, line: UInt = #line, handler: @escaping (Owner, KVChange) -> Void
  ) throws(KVError) -> KVObservation {
    let formula = try KVFormula(formula, of: self)
    return try formula.observe(KVFormula.valuePath, options: options, owner: owner, file: file, line: line) {
      owner, change in
      withExtendedLifetime(formula) { handler(owner, change) }
    }
  }
}
