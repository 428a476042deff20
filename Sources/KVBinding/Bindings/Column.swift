import KVCore

/// The value of a path, of which single elements can be read: those of `arrangedObjects.name` one by one (CTR.12).
struct Column {
  private let elements: Any
  /// The path from each element; nil for the elements themselves.
  private let path: KVKeyPath?

  /// Creates the column of an array.
  init(_ elements: Any, _ path: KVKeyPath? = nil) { (self.elements, self.path) = (elements, path) }

  /// Finds the collection that a path leads through, and reads it, but none of its elements; nil if there is none.
  init?(_ path: KVKeyPath, of object: AnyObject) {
    if path.isLimited || path.hasOperator { return nil }
    for count in 1..<path.count {
      guard let prefix = path.prefix(count), let value = (try? Reader(prefix).value(of: object, from: 0)) ?? nil else {
        return nil
      }
      guard DynamicCollection.canBeMapped(value) else { continue }
      // Brackets belong to the collection.
      guard case .key = path.components[count] else { return nil }
      self.init(value, path.dropping(prefix: prefix))
      return
    }
    return nil
  }

  /// The number of elements; nil if they are those of no array.
  var count: Int? { DynamicCollection.countOfArray(elements) }

  /// Returns an element, or the value of its key.
  func element(at index: Int) throws(KVError) -> Any? {
    guard let element = DynamicCollection.element(index, of: elements).flatMap(unwrappingOptionals) else { return nil }
    return if let path { try Reader(path).value(of: element) } else { element }
  }
}
