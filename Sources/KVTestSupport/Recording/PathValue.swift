import KVCore

/// Returns what a path holds; nil where it cannot be read, too.
func pathValue(of root: Any, at path: KVKeyPath) -> Any? { (try? KVC.value(of: root, forKeyPath: path)) ?? nil }

extension KVChange {
  /// The value after the change: what the path holds, where the record has only the elements that came.
  var wholeNew: Any? { kind == .setting ? new : pathValue(of: object, at: keyPath) }
}
