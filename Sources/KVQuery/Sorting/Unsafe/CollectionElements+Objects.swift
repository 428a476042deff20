import KVCore

extension CollectionElements {
  /// Calls a function with each object of an array of objects, until it returns false.
  ///
  /// - Returns: Whether it returned true for all elements; nil for an array of other elements.
  @inline(__always)
  func allObjects(_ body: (AnyObject) -> Bool) -> Bool? {
    var isComplete = true
    let areObjects = withObjects { objects, count in
      var index = 0
      while index < count, (objects + index).pointee.borrow(body) { index += 1 }
      isComplete = index == count
    }
    return areObjects ? isComplete : nil
  }
}

extension Array {
  /// Calls a function with each element, until it returns false; the elements are objects.
  @inline(__always)
  func allObjects(_ body: (AnyObject) -> Bool) {
    assert(Element.self is AnyClass)
    withUnsafeBytes { bytes in
      let references = bytes.assumingMemoryBound(to: _KVReference<AnyObject>.self)
      var index = 0
      while index < references.count, references[index].borrow(body) { index += 1 }
    }
  }
}
