import KVBinding
import KVCore
import KVDocuments

extension KVBindingDefinition {
  /// Makes the binding between the objects that the paths lead to from an owner, or from two objects
  /// (`bindingWithOwner:options:` of Bindings for iOS).
  ///
  /// - Parameters:
  ///   - owner: The object where both paths begin.
  ///   - target: The object where the path to the target begins; the owner by default.
  ///   - options: The options that a definition does not have: concurrency, tracing, policy and `allowsReflection`.
  ///     Others are a fault.
  ///   - file: Where the binding is listed; the caller's file.
  ///   - line: The line of the caller, for listings.
  /// - Returns: The binding, which ends when it is dropped.
  /// - Throws: ``KVBindingFaults``: all that is wrong; nothing is bound then.
  public func bind(
    owner: AnyObject, target: AnyObject? = nil, options: KVBindingOptions = KVBindingOptions(),
    file: StaticString = #fileID, line: UInt = #line
  ) throws(KVBindingFaults) -> KVPathBinding {
    try BindingPlan(self, owner, target ?? owner, options).bind(Site(file, line), cancelsOnDeinit: true)[0]
  }
}
