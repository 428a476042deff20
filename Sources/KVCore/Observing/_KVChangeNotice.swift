/// One change of an object, as the object notifies its registrar of it.
///
/// It is not API.
///
/// A notice refers to the values without a copy or a box, and is valid during the call that passes it. An observer
/// copies a value with ``old(as:)``, ``new(as:)``, ``oldValue`` or ``newValue``.
@frozen public struct _KVChangeNotice: ~Copyable {
  /// When a notification is delivered.
  @usableFromInline
  package enum Phase: Sendable {
    /// At registration, without a change.
    case initial
    /// Before the change.
    case prior
    /// After the change.
    case change
  }

  /// The object, not retained.
  @usableFromInline package let reference: _KVReference<AnyObject>
  /// The key that changes.
  @usableFromInline package let key: InternedKey
  /// The kind of the change.
  @usableFromInline package let kind: KVChangeKind
  /// The indexes of the elements, ascending; `nil` for settings and for sets.
  @usableFromInline package let indexes: [Int]?
  /// The static type of the old and the new value; for to-many changes, the type of an array of the changed elements.
  @usableFromInline package let valueType: Any.Type?
  @usableFromInline package let oldAddress: Address?
  @usableFromInline package let newAddress: Address?
  @usableFromInline let boxer: (any ValueBoxing.Type)?
  /// When the notification is delivered.
  @usableFromInline package let phase: Phase
  /// The boxes that several observers share; nil for one observer.
  @usableFromInline let boxes: AddressOf<ValueBoxes>?

  @inlinable @inline(__always)
  package init(
    object: AnyObject, key: InternedKey, kind: KVChangeKind = .setting, indexes: [Int]? = nil,
    valueType: Any.Type? = nil,
    oldAddress: Address? = nil, newAddress: Address? = nil, boxer: (any ValueBoxing.Type)? = nil,
    phase: Phase = .change
  ) {
    self.init(
      reference: _KVReference(object), key, kind, indexes, valueType, oldAddress, newAddress, boxer, phase, nil)
  }

  @inlinable @inline(__always)
  init(
    reference: _KVReference<AnyObject>, _ key: InternedKey, _ kind: KVChangeKind, _ indexes: [Int]?,
    _ valueType: Any.Type?,
    _ oldAddress: Address?, _ newAddress: Address?, _ boxer: (any ValueBoxing.Type)?, _ phase: Phase,
    _ boxes: AddressOf<ValueBoxes>?
  ) {
    self.boxes = boxes
    self.reference = reference
    self.key = key
    self.kind = kind
    self.indexes = indexes
    self.valueType = valueType
    self.oldAddress = oldAddress
    self.newAddress = newAddress
    self.boxer = boxer
    self.phase = phase
  }

  /// Returns the notice for another phase, or with boxes that its observers share.
  package func copy(for phase: Phase, boxes: AddressOf<ValueBoxes>? = nil) -> _KVChangeNotice {
    _KVChangeNotice(
      reference: reference, key, kind, indexes, valueType, oldAddress, newAddress, boxer, phase, boxes)
  }

  /// Calls a function with a notice, which carries the old and the new value unless it is said otherwise.
  @inlinable @inline(__always)
  package static func with<Value, Result, Failure: Error>(
    _ key: InternedKey, of object: AnyObject, _ kind: KVChangeKind = .setting, at indexes: [Int]? = nil,
    from old: Value,
    to new: Value, hasOld: Bool = true, hasNew: Bool = true, phase: Phase = .change,
    _ body: (borrowing _KVChangeNotice) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withAddress(of: old) { old throws(Failure) in
      try withAddress(of: new) { new throws(Failure) in
        try body(
          _KVChangeNotice(
            object: object, key: key, kind: kind, indexes: indexes, valueType: Value.self,
            oldAddress: hasOld ? Address(old) : nil, newAddress: hasNew ? Address(new) : nil,
            boxer: valueBoxer(of: Value.self), phase: phase))
      }
    }
  }

  /// The object that changes.
  package var object: AnyObject { reference.object }

  /// Whether the notice carries the old value.
  ///
  /// The notice of a manual change does not. The value can be read from the object before the change.
  @inlinable @inline(__always)
  package var hasOldValue: Bool { oldAddress != nil }

  /// Whether the notice carries the new value.
  ///
  /// If not, the value can be read from the object after the change.
  @inlinable @inline(__always)
  package var hasNewValue: Bool { newAddress != nil }

  /// Returns the old value, if the notice carries it and it has exactly this type.
  ///
  /// - Parameter type: The type, which must be the static type of the property: `String?` for an optional string.
  package func old<Value>(as type: Value.Type = Value.self) -> Value? { load(oldAddress, as: type) }

  /// Returns the new value, if the notice carries it and it has exactly this type.
  ///
  /// - Parameter type: The type, which must be the static type of the property: `String?` for an optional string.
  package func new<Value>(as type: Value.Type = Value.self) -> Value? { load(newAddress, as: type) }

  /// Whether both values are in boxes, and there as values of a type: the addresses of the boxes are then those of the
  /// values, if ``isBoxed(inPlace:)``.
  @usableFromInline
  package func hasBoxes(of type: ObjectIdentifier) -> Bool {
    guard valueType == Any?.self, let oldAddress, let newAddress else { return false }
    return oldAddress.of(Any?.self).boxedType == type && newAddress.of(Any?.self).boxedType == type
  }

  /// The old value, as an `Any`; `nil` if it is nil or the notice does not carry it.
  @usableFromInline
  package var oldValue: Any? { box(oldAddress) }

  /// The new value, as an `Any`; `nil` if it is nil or the notice does not carry it.
  @usableFromInline
  package var newValue: Any? { box(newAddress) }

  /// Returns whether the notice carries both values, and they are equal by the equality of their type.
  package func hasEqualValues(by equality: TypedEquality) -> Bool {
    guard let oldAddress, let newAddress else { return false }
    return equality.areEqual(oldAddress, newAddress)
  }

  private func box(_ address: Address?) -> Any? {
    guard let address, let boxer else { return nil }
    return boxer.box(address)
  }

  private func load<Value>(_ address: Address?, as type: Value.Type) -> Value? {
    guard let address, valueType == type else { return nil }
    return address.of(type).pointee
  }
}
