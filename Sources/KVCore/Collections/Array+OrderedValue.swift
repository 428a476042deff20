extension Array: OrderedValue {
  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let source = any as? any CollectionValue, !type(of: source).isKeyed else {
      throw .mismatch(any, Self.self)
    }
    var result: [Element] = []
    result.reserveCapacity(source.elementCount)
    for element in source.elements { result.append(try coercion.convert(element, to: Element.self)) }
    return result
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(flattened(element)) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    isOrderedEqual(to: other, depth: depth)
  }

  func element(at index: Int) -> Any? { flattened(self[index]) }

  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any {
    var copy = self
    copy[index] = try Coercion().convert(value, to: Element.self)
    return copy
  }

  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError) {
    var outcome: Result<Void, KVError> = .success(())
    withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      do throws(KVError) {
        try body(UnsafeRawPointer(start), MemoryLayout<Element>.stride)
      } catch {
        outcome = .failure(error)
      }
    }
    try outcome.get()
  }
}

extension OrderedValue {
  func isOrderedEqual(to other: any CollectionValue, depth: Int) -> Bool {
    guard let other = other as? any OrderedValue, other.elementCount == elementCount else { return false }
    return (0..<elementCount).allSatisfy { index in
      Equality.areEqual(element(at: index), other.element(at: index), depth: depth)
    }
  }
}

extension ContiguousArray: OrderedValue {
  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let array = try [Element].converting(any, with: coercion) as? [Element] else {
      throw .mismatch(any, Self.self)
    }
    return ContiguousArray(array)
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(flattened(element)) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool { isOrderedEqual(to: other, depth: depth) }

  func element(at index: Int) -> Any? { flattened(self[index]) }

  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any {
    var copy = self
    copy[index] = try Coercion().convert(value, to: Element.self)
    return copy
  }

  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError) {
    try Array(self).withElementMemory(body)
  }
}

extension ArraySlice: OrderedValue {
  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let array = try [Element].converting(any, with: coercion) as? [Element] else {
      throw .mismatch(any, Self.self)
    }
    return array[...]
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(flattened(element)) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool { isOrderedEqual(to: other, depth: depth) }

  func element(at index: Int) -> Any? { flattened(self[startIndex + index]) }

  func replacing(at index: Int, with value: Any?) throws(CoercionFailure) -> Any {
    var copy = self
    copy[startIndex + index] = try Coercion().convert(value, to: Element.self)
    return copy
  }

  func withElementMemory(_ body: (UnsafeRawPointer, Int) throws(KVError) -> Void) throws(KVError) {
    try Array(self).withElementMemory(body)
  }
}
