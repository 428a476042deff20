import KVCore

/// Returns the value of a key path; nil also if it cannot be read.
func pathValue(of root: Any, at path: KVKeyPath) -> Any? { (try? KVC.value(of: root, forKeyPath: path)) ?? nil }

extension KVChange {
  /// The value after the change: for a change of elements, the current value of the key path.
  var wholeNew: Any? { kind == .setting ? new : pathValue(of: object, at: keyPath) }
}
