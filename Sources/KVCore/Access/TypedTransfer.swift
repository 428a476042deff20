/// A transfer of unboxed values from one property to another: both have one type, or a function maps one type to the
/// other.
package struct TypedTransfer {
  private let reader: Unmanaged<Accessor>
  private let writer: Unmanaged<Accessor>
  private let map: Unmanaged<TypedMap>?

  /// Creates a transfer; nil if the types do not match, their values cannot be compared, or the target cannot be
  /// written.
  package init?(from reader: Unmanaged<Accessor>, to writer: Unmanaged<Accessor>, by map: TypedMap? = nil) {
    let (from, to) = (reader.takeUnretainedValue(), writer.takeUnretainedValue())
    guard to.flags.contains(.isWritable) else { return nil }
    guard map?.fits(from, to) ?? (from.valueID == to.valueID && to.value.canCompare) else { return nil }
    self.reader = reader
    self.writer = writer
    // The caller retains the map.
    self.map = map.map { .passUnretained($0) }
  }

  /// Whether values have to be boxed, because a transaction logs writes.
  @inline(__always)
  package static var isSuspended: Bool { WriteLog.isActive }

  /// Sets the target's property to the source's value, mapped if there is a map.
  ///
  /// - Parameters:
  ///   - source: The object that is read.
  ///   - target: The object that is written.
  ///   - skippingEqual: Whether nothing is set if the target has an equal value.
  ///   - checks: Whether the target is read again afterwards.
  ///   - isCancelled: A closure that returns whether nothing must be set any more, called after the map.
  /// - Returns: Whether the target has the value then; true if it is not read again.
  /// - Throws: The error of the map; nothing has changed then.
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

/// Options of a transfer.
@usableFromInline
struct TransferOptions: OptionSet {
  @usableFromInline let rawValue: UInt8
  @usableFromInline init(rawValue: UInt8) { self.rawValue = rawValue }
  /// Sets nothing if the target has an equal value.
  @usableFromInline static var skippingEqual: TransferOptions { TransferOptions(rawValue: 1) }
  /// Reads the target again afterwards.
  @usableFromInline static var checking: TransferOptions { TransferOptions(rawValue: 2) }
}

/// Compares values at two addresses, of a type that is `Equatable`.
@usableFromInline typealias EqualityFunction = (UnsafeRawPointer, UnsafeRawPointer) -> Bool

/// Returns the function that compares values of a type, or nil if the type is not `Equatable`.
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

/// Returns whether two values are equal by the equality of their type.
@inlinable @inline(__always)
func areEqual<Value>(_ left: Value, _ right: Value, by function: EqualityFunction) -> Bool {
  // For these types, the compiler inlines the comparison.
  if Value.self == String.self { return unsafeBitCast(left, to: String.self) == unsafeBitCast(right, to: String.self) }
  if Value.self == Int.self { return unsafeBitCast(left, to: Int.self) == unsafeBitCast(right, to: Int.self) }
  if Value.self == Double.self {
    let (left, right) = (unsafeBitCast(left, to: Double.self), unsafeBitCast(right, to: Double.self))
    // Replacing NaN by NaN changes nothing.
    return left == right || left.isNaN && right.isNaN
  }
  if Value.self == Bool.self { return unsafeBitCast(left, to: Bool.self) == unsafeBitCast(right, to: Bool.self) }
  return withUnsafePointer(to: left) { left in
    withUnsafePointer(to: right) { right in function(UnsafeRawPointer(left), UnsafeRawPointer(right)) }
  }
}

extension Accessor {
  /// Returns whether a write need not notify: the property notifies itself, the key has manual notification, or the
  /// object has never been observed.
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

  /// Writes a value of the accessor's type to an object, and notifies of the change if the property does not notify
  /// itself.
  @inlinable @inline(__always)
  func writeNotifying<Value>(_ value: Value, to object: AnyObject) {
    if canBeSetInSilence(of: object) {
      return writeTyped(value, to: object)
    }
    withUnsafePointer(to: value) { NotifyingWrite.write(UnsafeRawPointer($0), by: self, to: object) }
  }
}

extension KVKeyPath {
  /// Returns the last object and the accessor of the last key, if tables lead from object to object.
  package func leaf(of root: AnyObject) -> (owner: AnyObject, accessor: Unmanaged<Accessor>)? {
    var objects = ObjectCursor(storage, count - 1, root, at: 0)
    defer { objects.end() }
    guard objects.advance(), let accessor = objects.leaf else { return nil }
    return (objects.object, accessor)
  }
}
