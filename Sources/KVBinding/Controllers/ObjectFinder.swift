import KVCore

/// Finds values that are equal to one of several (CO.7).
///
/// Objects without an equality of their own are found by identity and hashable values by hash, both in O(1).
struct ObjectFinder<Element> {
  private var ids: Set<ObjectIdentifier> = []
  private var hashables: Set<AnyHashable> = []
  /// The values that have to be compared.
  private var others: [Element] = []

  init(_ elements: [Element]) {
    for element in elements {
      if let id = ArrangedContent<Element>.identity(of: element) { ids.insert(id) }
      if let hashable = element as? AnyHashable {
        hashables.insert(hashable)
      } else if ArrangedContent<Element>.identity(of: element) == nil || element is any Equatable {
        others.append(element)
      }
    }
  }

  /// Returns whether a value is equal to one of them.
  func contains(_ element: Element) -> Bool {
    if !ids.isEmpty, let id = ArrangedContent<Element>.identity(of: element), ids.contains(id) { return true }
    if !hashables.isEmpty, let hashable = element as? AnyHashable, hashables.contains(hashable) { return true }
    return others.contains { Equality.areEqual($0, element) }
  }
}
