/// The access to values through a `Mirror`.
package enum ReflectedValue {
  /// Reads a field that was found in another value of the same type.
  ///
  /// - Complexity: O(1) if the place of the field is known; else O(*s*) in the number of superclasses in between, about
  ///   2 µs by a mirror, 0.3 µs where the place is known.
  static func read(_ field: ReflectedFields.Field, of owner: Any) -> Any? {
    if let location = field.location { return location.value(of: owner) }
    return child(field, of: owner).flatMap(unwrapped)
  }

  /// Whether the values of a type are functions, or tuples of some, which no key of reflection reads: they are stored with
  /// another calling convention than generic code expects, and a mirror does not convert them.
  ///
  /// Only the names of these types begin with a parenthesis or an attribute.
  static func isFunction(_ type: Any.Type) -> Bool {
    let name = String(reflecting: innermostType(type))
    return name.first.map { "(@".contains($0) } ?? false && name.contains("->")
  }

  /// Writes to a field whose wrapper stores its value elsewhere; returns `false` for other fields.
  static func write(_ value: Any?, to field: ReflectedFields.Field, of owner: Any) throws(CoercionFailure) -> Bool {
    guard let property = child(field, of: owner) as? any KVReferenceProperty else { return false }
    try property.set(value, named: field.name, of: owner)
    return true
  }

  /// Returns the kind of a value that is neither an object nor a collection.
  static func kind(of value: Any) -> TypeInfo.Kind {
    if value is any CustomReflectable { return .structure }
    return switch Mirror(reflecting: value).displayStyle {
    case .tuple: .tuple
    case .enum: .enumeration
    default: .structure
    }
  }

  /// Returns the superclasses of an object's class, the nearest first.
  package static func superclasses(of object: Any) -> [Any.Type] {
    if object is any CustomReflectable { return [] }
    return Array(sequence(first: Mirror(reflecting: object)) { $0.superclassMirror }.dropFirst().map(\.subjectType))
  }

  /// Reads the stored property of a name, ignoring any table.
  ///
  /// The storage of another property of that name (`_name`) does not count, unless it belongs to a wrapper whose value
  /// is read by key. Neither do the children of a custom mirror.
  ///
  /// - Returns: The value; `nil` in the outer optional if there is no such property.
  package static func storedProperty(_ name: String, of owner: Any) -> Any?? {
    let fields = ReflectedFields(of: owner)
    guard !fields.variesByValue, let field = fields.field(name) else { return nil }
    guard field.label == name || field.name == name && (field.isObservable || field.isSettable) else { return nil }
    return .some(read(field, of: owner))
  }

  private static func child(_ field: ReflectedFields.Field, of owner: Any) -> Any? {
    var mirror = Mirror(reflecting: owner)
    for _ in 0..<field.level {
      guard let next = mirror.superclassMirror else { return nil }
      mirror = next
    }
    return child(field.offset, of: mirror)
  }

  private static func child(_ number: Int, of mirror: Mirror) -> Any? {
    let children = mirror.children
    guard
      let index = children.index(children.startIndex, offsetBy: number, limitedBy: children.endIndex),
      index != children.endIndex
    else { return nil }
    return children[index].value
  }

  /// Reads an element of a tuple by its label or number, or the payload of an enum by the name of its case.
  ///
  /// - Returns: The value; `nil` in the outer optional if there is no such child.
  static func readChild(_ key: String, of owner: Any) -> Any?? {
    for child in Mirror(reflecting: owner).children {
      guard let label = child.label else { continue }
      if label == key || (label.first == "." && label.dropFirst() == key) { return .some(unwrapped(child.value)) }
    }
    return nil
  }

  /// Returns the type of an element of a tuple, or of the payload of an enum.
  static func childType(_ key: String, of owner: Any) -> Any.Type? {
    for child in Mirror(reflecting: owner).children where child.label == key || child.label == "." + key {
      return type(of: child.value)
    }
    return nil
  }

  /// Reads an element of a tuple by its number; returns `nil` in the outer optional if there is none.
  static func readElement(_ number: Int, of owner: Any) -> Any?? {
    guard number >= 0 else { return nil }
    return child(number, of: Mirror(reflecting: owner)).map(unwrapped)
  }

  /// Returns the labels of a value's children, as keys.
  static func childNames(of owner: Any) -> [String] {
    Mirror(reflecting: owner).children.compactMap { child in
      child.label.map { $0.first == "." ? String($0.dropFirst()) : $0 }
    }
  }

  /// Returns the value that a property wrapper stores, and any other value, without optionals (KVC.2).
  static func unwrapped(_ value: Any) -> Any? {
    if let storage = value as? any ObservablePropertyStorage { return unwrappingOptionals(storage.anyValue) }
    if let property = value as? any KVReflectedProperty { return unwrappingOptionals(property.wrappedValue) }
    return unwrappingOptionals(value)
  }
}
