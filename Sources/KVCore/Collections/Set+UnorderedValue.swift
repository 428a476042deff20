extension Set {
  static var isOrdered: Bool { false }
  static var elementType: Any.Type { Element.self }

  static func converting(_ any: Any, with coercion: Coercion) throws(CoercionFailure) -> Any {
    guard let source = collectionValue(any), !type(of: source).isKeyed else {
      throw .mismatch(any, Self.self)
    }
    try CoercionFailure.checkCount(of: source)
    var result: Set<Element> = []
    for element in source.elements { result.insert(try coercion.convert(element, to: Element.self)) }
    return result
  }

  var elementCount: Int { count }

  func forEachElement(_ body: (Any?) throws(KVError) -> Void) throws(KVError) {
    for element in self { try body(unwrappingOptionals(unwrappingHashable(element))) }
  }

  func isEqual(to other: any CollectionValue, depth: Int) -> Bool {
    if let other = exactCast(other, Self.self) ?? valueCast(other, to: Self.self) { return self == other }
    guard other.elementCount == elementCount, !type(of: other).isKeyed else { return false }
    // Members are equal across types, which those of two hashable sets are not.
    if let mine = ValueIdentity(of: self), let others = ValueIdentity(of: other) { return mine == others }
    let mine = Set<AnyHashable>(compactMap { SetMember.hashable($0) })
    return other.elements.allSatisfy { element in SetMember.hashable(element).map(mine.contains) ?? false }
  }

  func changed(removing: Set<AnyHashable>, adding: Any?) -> Any? {
    var copy = self
    if let indices = indices(of: removing) {
      for index in indices { copy.remove(self[index]) }
    } else {
      copy = filter { member in !(SetMember.findable(member).map(removing.contains) ?? false) }
    }
    guard let adding else { return copy }
    guard let added = adding as? Set<Element> else { return nil }
    // Members of any types may be equal numbers, of which hashing knows nothing.
    let addsNumber = added.contains { Self.mayEqualOthers($0) }
    let known = addsNumber ? Set<AnyHashable>(copy.compactMap { SetMember.findable($0) }) : []
    for member in added where member == member || !copy.contains(where: { $0 != $0 }) {
      if known.isEmpty || !Self.mayEqualOthers(member) || SetMember.findable(member).map(known.contains) == false {
        copy.insert(member)
      }
    }
    return copy
  }

  func edited(by member: Any, isRemoval: Bool) -> EditedSet? {
    // Without optionals of the element type, whose metadata the runtime would have to find.
    func open<T>(_ value: T) -> EditedSet? {
      guard T.self == Element.self else { return nil }
      return withAddress(of: value) { edited(byElement: Address($0).of(Element.self).pointee, isRemoval) }
    }
    return _openExistential(member, do: open)
  }

  /// Whether a member is a number of any type, which may equal one of another type.
  private static func mayEqualOthers(_ member: Element) -> Bool {
    Element.self == AnyHashable.self && AnyNumber(of: unwrappingHashable(member)) != nil
  }

  private func edited(byElement member: Element, _ isRemoval: Bool) -> EditedSet? {
    guard member == member, !Self.mayEqualOthers(member) else { return nil }
    guard contains(member) == isRemoval else { return .unchanged }
    var copy = self
    if !isRemoval {
      copy.insert(member)
      return .changed(copy, by: value(of: member))
    }
    // The member of the set, which may differ from an equal one.
    guard let index = firstIndex(of: member) else { return nil }
    let removed = copy.remove(at: index)
    return .changed(copy, by: value(of: removed))
  }

  func absent(_ others: any CollectionValue) -> [Any]? {
    guard let others = others as? Set<Element> else { return nil }
    var result: [Any] = []
    for member in others where !contains(member) {
      guard member == member, !Self.mayEqualOthers(member) else { return nil }
      result.append(value(of: member))
    }
    return result
  }

  func found(_ others: Set<AnyHashable>) -> [Any]? { indices(of: others)?.map { value(of: self[$0]) } }

  /// Returns the indices of the members that equal findable ones; `nil` if that takes a look at all members.
  private func indices(of members: Set<AnyHashable>) -> [Index]? {
    var result: [Index] = []
    for member in members {
      if let number = member.base as? NumberMember {
        guard let found = Self.element(number) else { return nil }
        if let index = found.element.flatMap(firstIndex(of:)) { result.append(index) }
        continue
      }
      // A nil can be of any optional type.
      guard !(member.base is NotANumber), member != SetMember.none,
        let element = exactCast(member, Element.self) ?? valueCast(member.base, to: Element.self)
      else { return nil }
      if let index = firstIndex(of: element) { result.append(index) }
    }
    return result
  }

  /// Returns the element that equals a number, which is nil if the type has none; `nil` if that is not known.
  private static func element(_ member: NumberMember) -> (element: Element?, Void)? {
    if let element = exactCast(member.value.base, Element.self) { return (element, ()) }
    guard let type = TypeTraits.number(Element.self), let number = AnyNumber(of: member.value.base) else { return nil }
    if let element = type.init(number: number), AnyNumber.compare(element.number, number) == .same {
      return (element as? Element, ())
    }
    // A decimal number may equal one that it cannot be made of.
    if case .wide = number { return nil }
    return (nil, ())
  }

  private func value(of member: Element) -> Any { asAny(unwrappingOptionals(unwrappingHashable(member))) }
}
