// The common implementation of arrays, contiguous arrays and array slices. It is inlined where the types conform, since
// generic code would call the witness tables of the standard library for every element.
extension OrderedValue
where Self: RandomAccessCollection & MutableCollection & RangeReplaceableCollection, Self.Index == Int {
  static var isOrdered: Bool { true }

  @inline(__always)
  static var elementType: Any.Type { Element.self }

  @inline(__always)
  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    if let elements = KVCore.exactCast(any, [Any].self) {
      var result = Self()
      result.reserveCapacity(elements.count)
      for element in elements { result.append(try coercion.convert(element, to: Element.self, at: result.count)) }
      return result
    }
    guard let source = collectionValue(any), !type(of: source).isKeyed else {
      throw .mismatch(any, Self.self)
    }
    try CoercionFailure.checkCount(of: source)
    var result = Self()
    result.reserveCapacity(source.elementCount)
    for element in source.elements {
      result.append(try coercion.convert(element, to: Element.self, at: result.count))
    }
    return result
  }

  @inline(__always)
  var elementCount: Int { count }

  @inline(__always)
  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(unwrappingOptionals(element)) }
  }

  @inline(__always)
  func element(at index: Int) -> Any? { unwrappingOptionals(self[startIndex + index]) }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    guard let other = other as? any OrderedValue, other.elementCount == elementCount else { return false }
    return (0..<elementCount).allSatisfy { index in
      Equality.areEqual(element(at: index), other.element(at: index), depth: depth)
    }
  }
}

extension ReadOnlyOrderedValue {
  func isEqual(to other: any CollectionValue, depth: Int) -> Bool { whole.isEqual(to: other, depth: depth) }

  func withElementMemory(_ body: (Address, Int) -> Void) {
    if (try? checkCount()) != nil { whole.withElementMemory(body) }
  }

  // An edit is made on `whole`; see `ToManyProperty.ArrayEdit`.

  mutating func insert(_ elements: any CollectionValue, at indexes: [Int]) -> Bool { false }

  mutating func remove(at indexes: [Int]) -> any CollectionValue { [Any]() }

  mutating func replace(at indexes: [Int], with elements: any CollectionValue) -> (any CollectionValue)? { nil }
}
