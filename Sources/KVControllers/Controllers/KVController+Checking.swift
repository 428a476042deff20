import KVBinding
import KVCore

extension KVController {
  /// Checks a key path of the elements by the tables of their type, where no element tells whether it exists.
  ///
  /// A key that is not listed can be one of a subclass, of a hook, or a property without a line. If it is nearly the name of
  /// a key, a warning is reported, once for each path.
  ///
  /// - Parameter path: The path from an element.
  /// - Throws: ``KVError`` (`undefinedKey`) if no element can have a key of the path: the table of its type lists all keys,
  ///   and there are no subclasses.
  final func checkKeys(of path: KVKeyPath) throws(KVError) {
    // The policy of a path refuses keys without telling which there are (SEC.2).
    if path.isLimited || checkedPaths.contains(path) { return }
    try path.check(for: elementType, isCertain: true)
    checkedPaths.insert(path)
    guard KVDiagnostics.isReported(.warning) else { return }
    do throws(KVError) { try path.check(for: elementType) } catch {
      if error.suggestion == nil { return }
      KVDiagnostics.report(.warning, .faultyPath, path, self) {
        "\(type(of: self)) is to follow \"\(path)\" of its elements: \(error.message)"
      }
    }
  }
}
