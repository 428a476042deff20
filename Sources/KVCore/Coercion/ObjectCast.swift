// Casts of what may be a collection to what only objects can be (KVC.18).
//
// On other platforms than Apple's, `as?`, `is` and `case let … as` from an `Any` to a class, or to a protocol for classes,
// make objects of Foundation of a value before they fail: of a collection, and of all that is in it, however deep. That
// takes stack for each level, and time for each value at each level; and Foundation traps for some members of sets. Such
// casts are therefore made by the two functions here, unless the value is known to be an object.

/// Returns a value as an object of a class of the program, or of a protocol for classes, without the optionals around it;
/// nil if it is not an object of that type.
package func objectCast<Object>(_ any: Any, to type: Object.Type) -> Object? {
  if Swift.type(of: any) is AnyClass { return any as? Object }
  guard let value = unwrappingOptionals(any), Swift.type(of: value) is AnyClass else { return nil }
  return value as? Object
}

/// Returns a value as one of any type, as `as?` does; nil where the cast would make an object of a collection in vain.
package func valueCast<Value>(_ any: Any, to type: Value.Type) -> Value? {
  makesObjects(any, castTo: type) ? nil : any as? Value
}

/// Returns whether a cast makes objects of Foundation of a collection, though the type is a class of the program, a
/// protocol for classes, or a collection of such.
func makesObjects(_ any: Any, castTo type: Any.Type) -> Bool {
  let source = Swift.type(of: any)
  let (isWrapper, hasElements) = TypeTraits.of(source).borrow { ($0.isWrapper, $0.collection != nil) }
  if isWrapper, let value = unwrappingOptionals(any) { return makesObjects(value, castTo: type) }
  guard hasElements, case let target = leaf(of: type), TypeTraits.of(target).borrow({ $0.containsOwnObjects }) else {
    return false
  }
  // Collections of objects are cast to those of superclasses, and to their own type.
  let elements = leaf(of: source)
  let isOfObjects = elements is AnyClass || elements == target
  return !(isOfObjects && TypeTraits.collection(optionalWrappedType(type) ?? type) != nil)
}

/// Returns whether the values of a type are objects: it is a class, or a protocol for classes.
///
/// Other protocols take four words or more. A small type that is neither is refused as well, since no cast makes a value
/// of it of a collection; elements of it are converted one by one then.
func containsObjects(_ type: Any.Type) -> Bool {
  if type is AnyClass { return true }
  func size<T>(_ type: T.Type) -> Int { MemoryLayout<T>.size }
  return _openExistential(type, do: size) < MemoryLayout<Any>.size && !(type is any Equatable.Type)
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
