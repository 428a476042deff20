import KVBinding
import KVCore
import KVQuery

extension KVError {
  /// Returns the error of an element that a filter or a descriptor fails on, with its index, its type, and what was read.
  ///
  /// - Parameters:
  ///   - element: The element.
  ///   - index: Its content index.
  ///   - predicate: The filter; nil for a descriptor, whose errors have its key path.
  func of(_ element: Any, at index: Int, _ predicate: KVPredicate? = nil) -> KVError {
    let type = "\(type(of: unwrappingOptionals(element) ?? element))"
    return ofElement(index, isOrdered: true, type: type).located(path: Self.text(predicate), root: type)
  }

  private static func text(_ predicate: KVPredicate?) -> String {
    predicate.map { $0.keyPaths.map(\.description).sorted().joined(separator: ", ") } ?? "self"
  }
}
