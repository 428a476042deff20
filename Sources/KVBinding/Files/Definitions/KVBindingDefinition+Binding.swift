import KVCore

extension KVBindingDefinition {
  /// Makes the binding between the objects that the paths lead to from an owner (`bindingWithOwner:options:` of
  /// Bindings for iOS).
  ///
  /// - Parameters:
  ///   - owner: The object where both paths begin.
  ///   - options: Where the options come from that a definition does not have: the concurrency and the tracing.
  ///   - file: Where the binding is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding, which ends when it is dropped.
  /// - Throws: ``KVBindingFaults``: all that is wrong; nothing is bound then.
  public func bind(
    owner: AnyObject, options: KVBindingOptions = KVBindingOptions(), file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) -> KVPathBinding {
    try bind(source: owner, target: owner, options: options, file: file, line: line)
  }

  /// Makes the binding between the objects that the paths lead to from two objects.
  ///
  /// - Parameters:
  ///   - source: The object where the path to the source begins.
  ///   - target: The object where the path to the target begins.
  ///   - options: Where the options come from that a definition does not have: the concurrency and the tracing.
  ///   - file: Where the binding is listed; the caller's file.
  ///   - line: The caller's line.
  /// - Returns: The binding, which ends when it is dropped.
  /// - Throws: ``KVBindingFaults``: all that is wrong; nothing is bound then.
  public func bind(
    source: AnyObject, target: AnyObject, options: KVBindingOptions = KVBindingOptions(),
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) -> KVPathBinding {
    try BindingPlan(self, source, target, options).bind(Site(file, line), cancelsOnDeinit: true)[0]
  }
}
