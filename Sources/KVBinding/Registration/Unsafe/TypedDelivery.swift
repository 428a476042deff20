import KVCore

/// Returns the function that passes the values of notices to a typed handler; inlined where the type is known.
///
/// Values that are not bitwise takable, such as a struct with a weak reference, are copied; all others are passed
/// unretained.
@inlinable
func typedDelivery<Value>(
  _ type: Value.Type, _ handler: @escaping (KVValueChange<Value>) -> Void
) -> Sink.Delivery {
  { notice, registration in
    guard
      _isBitwiseTakable(Value.self), notice.phase == .change, notice.kind == .setting, notice.valueType == Value.self,
      let old = notice.oldAddress, let new = notice.newAddress
    else { return deliverConverted(notice, registration, handler) }
    deliverUnretained(from: old, to: new, registration, handler)
  }
}

/// Delivers a change of a value that is in memory before and after it.
@inlinable @inline(__always)
func deliverUnretained<Value>(
  from old: Address, to new: Address, _ registration: Registration, _ handler: (KVValueChange<Value>) -> Void
) {
  let options = registration.options
  withAddress(of: registration.path) { path in
    withUnretainedChange(handler) {
      KVValueChange(
        keyPath: unretainedValue(at: Address(path), as: KVKeyPath.self),
        old: options.contains(.old) ? unretainedValue(at: old, as: Value.self) : nil,
        new: options.contains(.new) ? unretainedValue(at: new, as: Value.self) : nil)
    }
  }
}

/// Delivers a record of any kind, with values that are converted if necessary.
@inlinable @inline(never)
func deliverConverted<Value>(
  _ notice: borrowing _KVChangeNotice, _ registration: Registration, _ handler: (KVValueChange<Value>) -> Void
) {
  // The values of a path are read before and after a change, and are in boxes.
  if _isBitwiseTakable(Value.self), isBoxed(inline: Value.self), notice.phase == .change, notice.kind == .setting,
    notice.hasBoxes(of: ObjectIdentifier(Value.self)), let old = notice.oldAddress, let new = notice.newAddress
  {
    return deliverUnretained(from: old, to: new, registration, handler)
  }
  let options = registration.options
  let wantsOld = options.contains(.old) && notice.phase != .initial
  let wantsNew = options.contains(.new) && notice.phase != .prior
  let old: Value? = wantsOld ? typedValue(notice, isOld: true, Value.self, registration) : nil
  let new: Value? = wantsNew ? typedValue(notice, isOld: false, Value.self, registration) : nil
  handler(
    KVValueChange(
      keyPath: registration.path, kind: notice.kind, old: old, new: new, indexes: notice.indexes,
      isPrior: notice.phase == .prior, isInitial: notice.phase == .initial))
}

/// Returns a value of a notice as a type, without a box if the value is of the type or an optional of it.
@inlinable @inline(__always)
func typedValue<Value>(
  _ notice: borrowing _KVChangeNotice, isOld: Bool, _ type: Value.Type, _ registration: Registration
) -> Value? {
  guard let address = isOld ? notice.oldAddress : notice.newAddress, let valueType = notice.valueType else {
    return nil
  }
  if valueType == type { return address.of(type).pointee }
  if valueType == Value?.self { return address.of(Value?.self).pointee }
  if valueType == Any?.self {
    // The box is used where it is.
    guard let value = address.of(Any?.self).pointee else { return nil }
    if let exact = exactCast(value, type) { return exact }
  }
  let value = isOld ? notice.oldValue : notice.newValue
  if let value, let exact = exactCast(value, type) { return exact }
  return converted(value, of: notice, to: type, registration)
}

/// Returns a boxed value as a type, by the conversions of its key; a failed conversion is reported.
@usableFromInline @inline(never)
func converted<Value>(
  _ value: Any?, of notice: borrowing _KVChangeNotice, to type: Value.Type, _ registration: Registration
) -> Value? {
  // A marker of a selection stands for no value, and is no fault (CTR.34).
  guard let value, !(value is KVSelectionMarker) else { return nil }
  let leaf = registration.path.leaf(of: registration.chain?.root ?? notice.object)?.accessor
  let coercion = leaf?.object.declaration.readingCoercion ?? Coercion()
  do throws(CoercionFailure) { return try coercion.convert(value, to: type) } catch {
    registration.reportFaultyValue(value, type)
    return nil
  }
}
