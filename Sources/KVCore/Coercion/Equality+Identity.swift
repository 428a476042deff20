extension Equality {
  /// Returns whether two values are interchangeable: objects by identity, also in collections, others by
  /// ``areSame(_:_:)``.
  package static func areIdentical(_ left: Any?, _ right: Any?, depth: Int = 0) -> Bool {
    guard let left = left.flatMap(unwrappingOptionals) else { return right.flatMap(unwrappingOptionals) == nil }
    guard let right = right.flatMap(unwrappingOptionals), NestingFault.entering(depth) == nil else { return false }
    let (info, other) = (TypeInfo.of(left), TypeInfo.of(right))
    if isCompared(info) || isCompared(other) {
      return info.isObject && other.isObject && object(in: left) === object(in: right)
    }
    guard let mine = collectionValue(left), mayContainObjects(type(of: mine).elementType),
      let others = collectionValue(right)
    else { return areSame(left, right) }
    // What makes its elements has no objects of its own.
    guard (try? mine.checkCount()) != nil, (try? others.checkCount()) != nil else { return areSame(left, right) }
    guard info.kind == other.kind, mine.elementCount == others.elementCount else { return false }
    if mine.ordered != nil {
      return zip(mine.elements, others.elements).allSatisfy { areIdentical($0, $1, depth: depth + 1) }
    }
    if let mine = mine.keyed, let others = others.keyed, mine.namedEntries != nil, others.namedEntries != nil {
      return mine.entryNames.allSatisfy { areIdentical(mine.entry($0), others.entry($0), depth: depth + 1) }
    }
    // Members that are equal and not the same.
    return areSame(left, right) && identities(mine) == identities(others)
  }

  /// Returns whether the values of a type are, or may hold, objects that compare themselves.
  package static func mayCompareObjects(_ type: Any.Type) -> Bool {
    let type = optionalWrappedType(type) ?? type
    if let collection = type as? any CollectionValue.Type { return mayCompareObjects(collection.elementType) }
    return type is AnyClass || type == AnyHashable.self
  }

  private static func mayContainObjects(_ element: Any.Type) -> Bool {
    let type = optionalWrappedType(element) ?? element
    return !(type == String.self || type is any NumericValue.Type)
  }

  /// Whether an object of a type is compared by identity; numbers are not.
  private static func isCompared(_ info: TypeInfo) -> Bool { info.isObject && info.kind != .number }

  private static func identities(_ collection: any CollectionValue) -> Set<ObjectIdentifier> {
    Set(
      collection.elements.compactMap { element in
        element.flatMap { TypeInfo.of($0).isObject ? ObjectIdentifier(object(in: $0)) : nil }
      })
  }
}
