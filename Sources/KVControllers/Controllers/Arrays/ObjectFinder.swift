import KVBinding
import KVCore

/// Finds values that are equal to one of several (CO.7).
///
/// Objects without an equality of their own are found by identity and hashable values by hash, both in O(1).
struct ObjectFinder<Element> {
  private var ids: Set<ObjectIdentifier> = []
  private var hashables: Set<AnyHashable> = []
  /// The values that have to be compared.
  private var others: [Element] = []

  /// - Parameters:
  ///   - elements: The values to find.
  ///   - isExact: Whether an object is found by identity only.
  init(_ elements: [Element], isExact: (Element) -> Bool = { _ in false }) {
    for element in elements {
      if let id = ArrangedContent<Element>.identity(of: element) { ids.insert(id) }
      if isExact(element) { continue }
      if let hashable = element as? AnyHashable {
        hashables.insert(hashable)
      } else if ArrangedContent<Element>.identity(of: element) == nil || element is any Equatable {
        others.append(element)
      }
    }
  }

  /// Returns whether an object is itself one of them; false for values that are no objects.
  func hasObject(_ element: Element) -> Bool {
    ArrangedContent<Element>.identity(of: element).map(ids.contains) ?? false
  }

  /// Returns whether a value is equal to one of them.
  func contains(_ element: Element) -> Bool {
    if !ids.isEmpty, let id = ArrangedContent<Element>.identity(of: element), ids.contains(id) { return true }
    if !hashables.isEmpty, let hashable = element as? AnyHashable, hashables.contains(hashable) { return true }
    return others.contains { Equality.areEqual($0, element) }
  }
}
