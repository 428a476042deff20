import KVCore

extension KVPathBinding {
  /// Returns the reason why the endpoints of a binding are inconsistent, or `nil` if they are consistent.
  ///
  /// The endpoints are consistent if the target has the value that results from the source, and for values that
  /// propagate back, if the source has the value that results from the target. The check only reads values; it runs
  /// transformers and validators.
  ///
  /// - Parameter areAlike: Returns whether two values are consistent that are not equal by the rule CO.7.
  /// - Returns: The reason as a sentence, or `nil`.
  /// - Complexity: As that of reading both endpoints.
  package func inconsistency(unless areAlike: (Any?, Any?) -> Bool) -> String? {
    guard let core, isActive, source.object != nil, target.object != nil else {
      return "it has ended, and keeps nothing in step any more."
    }
    if state == .failed, let lastError { return "its last change was not propagated: \(lastError)" }
    let pending = hasPendingEdit ? " A change of the target waits for its commit()." : ""
    do throws(KVError) {
      let forward = options.direction != .toSource
      if forward, let fault = try core.disagreement(at: .target, unless: areAlike) { return fault + pending }
      let backward = options.direction == .toSource || options.direction == .twoWay
      if backward, let fault = try core.disagreement(at: .source, unless: areAlike) { return fault + pending }
      return nil
    } catch {
      return "its values cannot be compared: \(error)"
    }
  }
}

extension BindingCore {
  /// Describes the difference between an endpoint's value and the value that results from the other endpoint; `nil`
  /// without one.
  fileprivate func disagreement(
    at side: BindingSide, unless areAlike: (Any?, Any?) -> Bool
  ) throws(KVError) -> String? {
    let receiver = endpoint(side)
    let current: Any?
    switch try receiver.read() {
    case .unresolved: return "\(receiver.description) leads nowhere: a nil stands in the middle of the path."
    case .null: current = nil
    case .value(let value): current = value
    }
    guard let outgoing = try outgoing(from: side.other) else {
      return "\(endpoint(side.other).description) leads nowhere: a nil stands in the middle of the path."
    }
    // A fallback for an unresolved path does not propagate back.
    if side == .source, try self.outgoing(from: .source)?.isFallback == true { return nil }
    let fitted = try fitted(outgoing.value, from: side.other)
    let due = options.validates ? try receiver.validated(fitted) : fitted
    if try hasValue(receiver, due) || areAlike(current, due) { return nil }
    // A source that takes no nil has the null placeholder itself (BND.10).
    if outgoing.isNullPlaceholder, current != nil, areAlike(current, options.nullPlaceholder) { return nil }
    let suffix = side == .source ? " on the way back" : ""
    return """
      \(receiver.description) is \(KVChange.text(current)), but \(endpoint(side.other).description) comes to \
      \(KVChange.text(due))\(suffix).
      """
  }
}
