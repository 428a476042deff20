extension AnyKeyPath {
  /// Returns whether both key paths lead to the same property, of a class and of a subclass that inherits it (TAB.7).
  ///
  /// Swift has `\Base.name` and `\Sub.name` for the same property, and compares them as different, since their roots are.
  /// Their components are equal: both are appended here to a read-only key path of one type. Within one line of classes, the
  /// place of a stored property and the slot of an overridable one have one meaning.
  func leadsToProperty(of other: AnyKeyPath) -> Bool {
    let (left, right) = (type(of: self), type(of: other))
    guard left.valueType == right.valueType, left.rootType == right.rootType || Self.areOfOneLine(left, right) else {
      return false
    }
    func areEqual<Root, Value>(_ root: Root.Type, _ value: Value.Type) -> Bool {
      let holder = \Holder<Root>.wrapped
      // Neither is used to read a root: only the components are copied and compared.
      let left = holder.appending(path: unsafeBitCast(self as AnyObject, to: KeyPath<Root, Value>.self))
      return left == holder.appending(path: unsafeBitCast(other as AnyObject, to: KeyPath<Root, Value>.self))
    }
    func open<Root>(_ root: Root.Type) -> Bool {
      func open<Value>(_ value: Value.Type) -> Bool { areEqual(root, value) }
      return _openExistential(left.valueType, do: open)
    }
    return _openExistential(left.rootType, do: open)
  }

  private struct Holder<Wrapped> {
    let wrapped: Wrapped
  }

  /// Returns whether the root of one type of key paths is a superclass of that of the other.
  private static func areOfOneLine(_ left: AnyKeyPath.Type, _ right: AnyKeyPath.Type) -> Bool {
    guard left.rootType is AnyClass, right.rootType is AnyClass else { return false }
    func isSubclass<Superclass>(_ superclass: Superclass.Type) -> Bool { left.rootType is Superclass.Type }
    func isSuperclass<Subclass>(_ subclass: Subclass.Type) -> Bool { right.rootType is Subclass.Type }
    return _openExistential(right.rootType, do: isSubclass) || _openExistential(left.rootType, do: isSuperclass)
  }
}
