/// The way of values from one property to another, on which they stay unboxed: both are of one type, or a function
/// leads from one type to the other.
package struct TypedTransfer {
  private let reader: Unmanaged<Accessor>
  private let writer: Unmanaged<Accessor>
  private let map: Unmanaged<TypedMap>?

  /// Makes a way; nil if the types do not fit, their values cannot be compared, or the target cannot be written.
  package init?(from reader: Unmanaged<Accessor>, to writer: Unmanaged<Accessor>, by map: TypedMap? = nil) {
    let (from, to) = (reader.takeUnretainedValue(), writer.takeUnretainedValue())
    guard to.flags.contains(.isWritable) else { return nil }
    guard map?.fits(from, to) ?? (from.valueID == to.valueID && to.value.canCompare) else { return nil }
    self.reader = reader
    self.writer = writer
    // Kept by whoever has made it.
    self.map = map.map { .passUnretained($0) }
  }

  /// Whether the common way has to be taken, since a transaction takes notes.
  @inline(__always)
  package static var isSuspended: Bool { WriteLog.isActive }

  /// Sets the target's property to what comes of the source's value.
  ///
  /// - Parameters:
  ///   - source: The object that is read.
  ///   - target: The object that is written.
  ///   - skippingEqual: Whether nothing is set where the target holds an equal value.
  ///   - checks: Whether the target is read again afterwards.
  ///   - isVoid: Whether nothing is to be set any more, asked after the function was called.
  /// - Returns: Whether the target holds the value then; true if it is not read again.
  /// - Throws: What the function throws; all is as it was then.
  @inline(__always)
  package func move(
    _ source: AnyObject, _ target: AnyObject, skippingEqual: Bool, checks: Bool, unless isCancelled: () -> Bool
  ) throws -> Bool {
    var options: TransferOptions = skippingEqual ? .skippingEqual : []
    if checks { options.insert(.checking) }
    return try reader._withUnsafeGuaranteedRef { reader in
      try writer._withUnsafeGuaranteedRef { writer in
        guard let map else { return writer.transfer(reader, source, writer, target, options) }
        return try map._withUnsafeGuaranteedRef {
          try $0.transfer(reader, source, writer, target, options, isCancelled)
        }
      }
    }
  }
}

/// What a transfer does beside setting a value.
@usableFromInline
struct TransferOptions: OptionSet {
  @usableFromInline let rawValue: UInt8
  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Nothing is set where an equal value is held.
  @usableFromInline static var skippingEqual: TransferOptions { TransferOptions(rawValue: 1) }
  /// What is held is read again afterwards.
  @usableFromInline static var checking: TransferOptions { TransferOptions(rawValue: 2) }
}

/// Compares values at two addresses, of a type that is `Equatable`.
@usableFromInline typealias EqualityFunction = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

/// Returns how values of a type are compared, or nil if the type does not say.
@usableFromInline
func equalityFunction(of type: Any.Type) -> EqualityFunction? {
  func make<T: Equatable>(_ type: T.Type) -> EqualityFunction {
    { left, right in
      left.assumingMemoryBound(to: type).pointee == right.assumingMemoryBound(to: type).pointee
    }
  }
  guard let equatable = type as? any Equatable.Type else { return nil }
  return make(equatable)
}

/// Whether two values are equal, of a type that has an equality.
@inlinable @inline(__always)
func areEqual<Value>(_ left: Value, _ right: Value, by function: EqualityFunction) -> Bool {
  // Where the type is known the comparison is the type's own.
  if Value.self == String.self { return unsafeBitCast(left, to: String.self) == unsafeBitCast(right, to: String.self) }
  if Value.self == Int.self { return unsafeBitCast(left, to: Int.self) == unsafeBitCast(right, to: Int.self) }
  if Value.self == Double.self {
    let (left, right) = (unsafeBitCast(left, to: Double.self), unsafeBitCast(right, to: Double.self))
    // Setting NaN where NaN is held changes nothing.
    return left == right || left.isNaN && right.isNaN
  }
  if Value.self == Bool.self { return unsafeBitCast(left, to: Bool.self) == unsafeBitCast(right, to: Bool.self) }
  return withUnsafePointer(to: left) { left in
    withUnsafePointer(to: right) { right in function(UnsafeRawPointer(left), UnsafeRawPointer(right)) }
  }
}

extension Accessor {
  /// Whether nobody has to be told by the writer as the key of an object is set: the property tells by itself, or nobody
  /// has ever observed the object.
  @inlinable @inline(__always)
  func canBeSetInSilence(of object: AnyObject) -> Bool {
    flags.contains(.needsNoNotification) || isUnobserved(object)
  }

  @usableFromInline
  func isUnobserved(_ object: AnyObject) -> Bool {
    flags.contains(.isOfKVObject)
      ? unsafeDowncast(object, to: KVObject.self)._activeRegistrar == nil
      : (object as? any KVObservable)?._activeRegistrar == nil
  }

  /// Writes a value of the type that the accessor is known to have to an object, and tells of it where the property does
  /// not do so itself.
  @inlinable @inline(__always)
  func writeNotifying<Value>(_ value: Value, to object: AnyObject) {
    if canBeSetInSilence(of: object) {
      return writeTyped(value, to: object)
    }
    withUnsafePointer(to: value) { NotifyingWrite.write(UnsafeRawPointer($0), by: self, to: object) }
  }
}

extension KVKeyPath {
  /// Returns the last object and the accessor of the last key, where tables lead from object to object all along.
  package func leaf(of root: AnyObject) -> (owner: AnyObject, accessor: Unmanaged<Accessor>)? {
    var objects = ObjectCursor(storage, count - 1, root, at: 0)
    defer { objects.end() }
    guard objects.advance(), let accessor = objects.leaf else { return nil }
    return (objects.object, accessor)
  }
}
