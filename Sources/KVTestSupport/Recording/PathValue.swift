import KVCore

/// Returns what a path holds; nil where it cannot be read, too.
func value(of object: AnyObject, at path: KVKeyPath) -> Any? { (try? KVC.value(of: object, forKeyPath: path)) ?? nil }

/// Whether two values are the same to an expectation: equal by the rule CO.7, or both no number.
func areSame(_ left: Any?, _ right: Any?) -> Bool {
  KVC.areEqual(left, right) || isNotANumber(left) && isNotANumber(right)
}

private func isNotANumber(_ value: Any?) -> Bool { (value as? any FloatingPoint)?.isNaN ?? false }

extension KVChange {
  /// The value after the change: what the path holds, where the record has only the elements that came.
  var wholeNew: Any? { kind == .setting ? new : value(of: object, at: keyPath) }
}
