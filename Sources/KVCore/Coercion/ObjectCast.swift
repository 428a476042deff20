/// Returns a value as one of a type, as `as?` does; nil where the cast would make an object of a collection in vain.
func cast<Value>(_ any: Any, to type: Value.Type) -> Value? {
  makesObjects(any, castTo: type) ? nil : any as? Value
}

/// Returns whether a cast makes objects of Foundation of a collection, though the type is a class of the program, or a
/// collection of such.
///
/// On other platforms than Apple's, all that is in the collection, however deep, becomes objects before the cast fails,
/// and Foundation traps for some members of sets.
func makesObjects(_ any: Any, castTo type: Any.Type) -> Bool {
  let source = Swift.type(of: any)
  guard TypeTraits.collection(source) != nil, let target = leaf(of: type) as? AnyClass else { return false }
  // Collections of objects are cast to those of superclasses.
  if leaf(of: source) is AnyClass, !((optionalWrappedType(type) ?? type) is AnyClass) { return false }
  let name = String(reflecting: target)
  return !(name.hasPrefix("Foundation.") || name.hasPrefix("NS"))
}

/// Returns the type inside all optionals and collections of a type.
private func leaf(of type: Any.Type) -> Any.Type {
  guard let inner = optionalWrappedType(type) ?? TypeTraits.collection(type)?.elementType else { return type }
  return leaf(of: inner)
}

/// Returns the nearest class of which two objects are instances; nil if there is none.
func commonSuperclass(_ left: Any, _ right: Any) -> Any.Type? {
  guard type(of: right) is AnyClass, let own = type(of: left) as? AnyClass else { return nil }
  func isInstance<Class>(_ type: Class.Type) -> Bool { right is Class }
  return sequence(first: own) { _getSuperclass($0) }.first { _openExistential($0 as Any.Type, do: isInstance) }
}
