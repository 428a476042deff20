#if !canImport(Darwin)
  @_spi(Reflection) import Swift
#endif

/// The place of a stored property in the values of a type, from which it is read without a mirror.
///
/// A mirror takes 2 µs for one property. The runtime tells the places of the properties of a type, which stay as long
/// as the type. On Apple's platforms the function is no part of the SDK: nothing has a place there, and mirrors are used.
struct StoredPlace {
  private let name: String
  private let offset: Int
  private let boxer: any ValueBoxing.Type
  /// Whether the value may be that of a wrapper, or in a box of its own.
  private let mayWrap: Bool

  /// Returns the value of the property of an owner, without optionals.
  func value(of owner: Any) -> Any? {
    let isObject = type(of: owner) is AnyClass
    return withOwner(in: owner, isObject: isObject) { owner in
      let start = isObject ? Address(Unmanaged.passUnretained(owner.object).toOpaque()) : owner.address
      let value = boxer.boxWhole(start + offset)
      return mayWrap ? ReflectedValue.unwrapped(value) : unwrappingOptionals(value)
    }
  }

  /// Whether this is the place of a child of a mirror, which shows another type for what cannot be copied.
  func isPlace(of label: String, _ value: Any) -> Bool {
    func isType<Value>(_ type: Value.Type) -> Bool { boxer == valueBoxer(of: type) }
    return name == label && _openExistential(type(of: value), do: isType)
  }

  /// Returns the places of all stored properties of a type, those of superclasses first; nil for a property that may be
  /// a weak or unowned reference, which is not stored as a value of its type.
  static func all(of type: Any.Type) -> [StoredPlace?] {
    #if canImport(Darwin)
      return []
    #else
      var places: [StoredPlace?] = []
      // The option is `classType`, a static variable.
      let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
      _ = _forEachField(of: type, options: options) { name, offset, type, _ in
        func boxer<Value>(_ type: Value.Type) -> any ValueBoxing.Type { valueBoxer(of: type) }
        let innermost = innermostType(type)
        let mayWrap =
          innermost is any KVReflectedProperty.Type || innermost is any ObservablePropertyStorage.Type
          || innermost == AnyHashable.self
        let place = StoredPlace(
          name: String(cString: name), offset: offset, boxer: _openExistential(type, do: boxer), mayWrap: mayWrap)
        places.append(isValue(innermost) ? place : nil)
        return true
      }
      return places
    #endif
  }

  #if !canImport(Darwin)
    /// Whether values of a type are neither objects nor existentials, as the first word of its metadata tells.
    private static func isValue(_ type: Any.Type) -> Bool {
      switch _MetadataKind(rawValue: unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee) {
      case .struct, .enum, .tuple: true
      default: false
      }
    }
  #endif
}
