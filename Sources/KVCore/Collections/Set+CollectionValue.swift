extension Set: CollectionValue {
  static var isOrdered: Bool { false }
  static var elementType: Any.Type { Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let source = any as? any CollectionValue, !type(of: source).isKeyed else {
      throw .mismatch(any, Self.self)
    }
    var result: Set<Element> = []
    for element in source.elements { result.insert(try coercion.convert(element, to: Element.self)) }
    return result
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(flattened(plain(element))) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    if let other = other as? Set<Element> { return self == other }
    guard other.elementCount == elementCount, !type(of: other).isKeyed else { return false }
    let mine = Set<AnyHashable>(self)
    return other.elements.allSatisfy { element in (element as? AnyHashable).map(mine.contains) ?? false }
  }
}

/// Returns the value inside an `AnyHashable`, so that elements and keys of erased collections are what was put in.
func plain(_ value: Any) -> Any { (value as? AnyHashable)?.base ?? value }
