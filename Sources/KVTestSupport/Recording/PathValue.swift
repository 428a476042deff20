import KVCore

/// Returns what a path holds; nil where it cannot be read, too.
func value(of object: AnyObject, at path: KVKeyPath) -> Any? { (try? KVC.value(of: object, forKeyPath: path)) ?? nil }

extension KVChange {
  /// The value after the change: what the path holds, where the record has only the elements that came.
  var wholeNew: Any? { kind == .setting ? new : value(of: object, at: keyPath) }
}
