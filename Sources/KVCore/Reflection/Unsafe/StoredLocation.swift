import Synchronization

#if !canImport(Darwin)
  @_spi(Reflection) import Swift
#endif

/// The place of a stored property in the values of a type, from which it is read without a mirror.
///
/// A mirror takes 2 µs for one property. The runtime tells the places of the properties of a type, which stay as long
/// as the type. On Apple's platforms the function is no part of the SDK: nothing has a place there, and mirrors are used.
final class StoredLocation: @unchecked Sendable {  // guard: all is immutable or atomic
  private let name: String
  private let offset: Int
  private let boxer: any ValueBoxing.Type
  /// The type of the values that an accessor reads; nil if they may be in a wrapper, or in a box of their own.
  private let valueType: Any.Type?
  private let knownAccessor = Atomic<_KVReference<Accessor>?>(nil)

  private init(_ name: String, at offset: Int, _ type: Any.Type, valueType: Any.Type?) {
    (self.name, self.offset, self.valueType) = (name, offset, valueType)
    boxer = Self.boxer(of: type)
  }

  private static func boxer(of type: Any.Type) -> any ValueBoxing.Type {
    func boxer<Value>(_ type: Value.Type) -> any ValueBoxing.Type { valueBoxer(of: type) }
    return _openExistential(type, do: boxer)
  }

  /// Returns the accessor that reads the property, and does not write it; nil for a value that may be in a wrapper.
  ///
  /// It is created at its first use, and lives as long as the process.
  func accessor(of owner: Any.Type) -> _KVReference<Accessor>? {
    if let known = knownAccessor.load(ordering: .acquiring) { return known }
    guard let valueType else { return nil }
    func erased<Value>(_ type: Value.Type) -> ValueType { ValueType.of(type) }
    let (offset, boxer) = (offset, Self.boxer(of: valueType))
    let read: AccessFunction =
      owner is AnyClass
      ? { object, _, memory in boxer.initialize(memory, copyOf: Self.start(of: object) + offset) }
      : { _, address, memory in boxer.initialize(memory, copyOf: address + offset) }
    let declaration = KeyDeclaration(
      name, value: _openExistential(valueType, do: erased), keyPath: nil, readOnlyReason: "it is reflected", read: read,
      write: { _, _, _ in preconditionFailure("a reflected property was written") })
    let made = _KVReference.retaining(
      Accessor(declaration, affecting: [], owner: owner, notifiesItself: false, sourcesNotify: false))
    let (isKept, known) = knownAccessor.compareExchange(
      expected: nil, desired: made, ordering: .acquiringAndReleasing)
    guard !isKept, let known else { return made }
    made.release()
    return known
  }

  private static func start(of object: AnyObject) -> Address { Address(Unmanaged.passUnretained(object).toOpaque()) }

  /// Returns the value of the property of an owner, without optionals.
  func value(of owner: Any) -> Any? {
    let isObject = Swift.type(of: owner) is AnyClass
    return withOwner(in: owner, isObject: isObject) { owner in
      let start = isObject ? Self.start(of: owner.object) : owner.address
      let value = boxer.boxWhole(start + offset)
      return ReflectedValue.unwrapped(value)
    }
  }

  /// Whether this is the place of a child of a mirror, which shows another type for what cannot be copied.
  func isLocation(of label: String, _ value: Any) -> Bool {
    func isType<Value>(_ type: Value.Type) -> Bool { boxer == valueBoxer(of: type) }
    return name == label && _openExistential(Swift.type(of: value), do: isType)
  }

  /// A stored property as the type declares it.
  struct Declaration {
    let name: String
    let type: Any.Type
    /// Nil for a property that may be a weak or unowned reference, which is not stored as a value of its type.
    let location: StoredLocation?
  }

  /// Returns all stored properties of a type, those of superclasses first.
  static func declarations(of type: Any.Type) -> [Declaration] {
    #if canImport(Darwin)
      return []
    #else
      var declarations: [Declaration] = []
      // The option is `classType`, a static variable.
      let options = _EachFieldOptions(rawValue: type is AnyClass ? 1 : 0)
      _ = _forEachField(of: type, options: options) { name, offset, type, _ in
        let storage = type as? any ObservablePropertyStorage.Type
        let innermost = innermostType(storage?.valueType ?? type)
        let mayWrap =
          innermost is any KVReflectedProperty.Type || innermost is any ObservablePropertyStorage.Type
          || innermost == AnyHashable.self
        let isLocation = storage != nil || isValue(innermost)
        let location =
          isLocation
          ? StoredLocation(
            String(cString: name), at: offset, type, valueType: mayWrap ? nil : storage?.valueType ?? type) : nil
        declarations.append(Declaration(name: String(cString: name), type: type, location: location))
        return true
      }
      return declarations
    #endif
  }

  #if !canImport(Darwin)
    /// Whether values of a type are neither objects nor existentials, as the first word of its metadata tells.
    private static func isValue(_ type: Any.Type) -> Bool {
      switch _MetadataKind(rawValue: unsafeBitCast(type, to: UnsafePointer<UInt>.self).pointee) {
      case .struct, .enum: true
      case .tuple: !ReflectedValue.isFunction(type)
      default: false
      }
    }
  #endif
}
