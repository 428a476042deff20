/// One change, as the model tells it: a view into the change while it happens, without a copy or a box.
///
/// Listeners take from it what they need; what is to be kept is read through ``old(as:)`` or ``oldValue``.
public struct KVChangeNotice: ~Copyable {
  /// What kind of change it is (KVO.2).
  public enum Kind: Sendable, Hashable {
    /// The value was set, or the change was told by hand.
    case setting
    /// Elements were inserted into a collection.
    case insertion
    /// Elements were removed from a collection.
    case removal
    /// Elements of a collection were replaced.
    case replacement
  }

  /// The object, not retained.
  @usableFromInline package let reference: Unmanaged<AnyObject>
  /// The key that changes.
  public let key: KVKey
  /// What kind of change it is.
  public let kind: Kind
  /// The indexes of the elements, ascending; nil for settings and for sets.
  public let indexes: [Int]?
  /// The static type of old and new; for to-many changes the type of an array of the elements concerned.
  public let valueType: Any.Type?
  @usableFromInline package let oldAddress: UnsafeRawPointer?
  @usableFromInline package let newAddress: UnsafeRawPointer?
  @usableFromInline let boxer: (any ValueBoxing.Type)?

  @inlinable @inline(__always)
  package init(
    object: AnyObject, key: KVKey, kind: Kind = .setting, indexes: [Int]? = nil, valueType: Any.Type? = nil,
    oldAddress: UnsafeRawPointer? = nil, newAddress: UnsafeRawPointer? = nil, boxer: (any ValueBoxing.Type)? = nil
  ) {
    reference = .passUnretained(object)
    self.key = key
    self.kind = kind
    self.indexes = indexes
    self.valueType = valueType
    self.oldAddress = oldAddress
    self.newAddress = newAddress
    self.boxer = boxer
  }

  /// The object that changes.
  public var object: AnyObject { reference.takeUnretainedValue() }

  /// Whether the notice carries the old value; where it does not (a change told by hand), the object has it before the
  /// change.
  public var hasOldValue: Bool { oldAddress != nil }

  /// Whether the notice carries the new value; where it does not, the object has it after the change.
  public var hasNewValue: Bool { newAddress != nil }

  /// The old value, if it is carried and of exactly this type.
  ///
  /// - Parameter type: The type, which must be the static type of the property: `String?` for an optional string.
  public func old<Value>(as type: Value.Type = Value.self) -> Value? { load(oldAddress, as: type) }

  /// The new value, if it is carried and of exactly this type.
  ///
  /// - Parameter type: The type, which must be the static type of the property: `String?` for an optional string.
  public func new<Value>(as type: Value.Type = Value.self) -> Value? { load(newAddress, as: type) }

  /// The old value, erased; nil where it is nil or not carried.
  public var oldValue: Any? { box(oldAddress) }

  /// The new value, erased; nil where it is nil or not carried.
  public var newValue: Any? { box(newAddress) }

  private func box(_ address: UnsafeRawPointer?) -> Any? {
    guard let address, let boxer else { return nil }
    return boxer.box(address)
  }

  private func load<Value>(_ address: UnsafeRawPointer?, as type: Value.Type) -> Value? {
    guard let address, valueType == type else { return nil }
    return address.assumingMemoryBound(to: type).pointee
  }
}
