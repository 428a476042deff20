extension _KVRegistrar {
  /// Notifies of a setting before and after a function that makes it.
  ///
  /// The value is read at most once before and once after, and only if an observer may want it (KVO.1). The setter may
  /// have stored something else than the new value. All values are in memory: generic code would look up the types that
  /// it is made of.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - object: The object.
  ///   - new: The address of the new value.
  ///   - type: The type of the values.
  ///   - boxer: The boxer of the type.
  ///   - layout: The size of the values, and their alignment less one.
  ///   - storesIt: Whether the object has the new value as it is afterwards, which is not read then.
  ///   - read: Reads the present value into memory.
  ///   - set: Sets the value, with memory for a copy of it, which it leaves uninitialized. It returns whether it did; if
  ///     not, only observers that were called before are called after it.
  @inline(__always)
  final func notifySetting<Failure: Error>(
    _ key: InternedKey, of object: AnyObject, to new: Address, _ type: Any.Type, _ boxer: any ValueBoxing.Type,
    _ layout: (size: Int, alignmentMask: Int), storesIt: Bool = false,
    reading read: (Address) throws(Failure) -> Void, _ set: (Address) -> Bool
  ) throws(Failure) {
    let stride = max(1, (layout.size + layout.alignmentMask) & ~layout.alignmentMask)
    try withUnsafeTemporaryAllocation(byteCount: 3 * stride, alignment: layout.alignmentMask + 1) {
      memory throws(Failure) in
      let old = Address(memory.baseAddress.unsafelyUnwrapped)
      let (copy, stored) = (old + stride, old + 2 * stride)
      // An object whose last reference is stored ends after the access of the setter: that is notified of, and then the
      // property is read. A property that is not stored is read for observers alone.
      let hasOld = wantsOldValue(key) || storesIt && needsWillChange(key)
      if hasOld { try read(old) }
      defer { if hasOld { boxer.destroy(old) } }
      let oldAddress = hasOld ? old : nil
      let beginning =
        needsWillChange(key)
        ? willChange(
          _KVChangeNotice(
            object: object, key: key, valueType: type, oldAddress: oldAddress, newAddress: new, boxer: boxer))
        : nil
      if !set(copy), beginning.map({ isAbandoned($0) }) ?? true { return }
      let isRead = !storesIt && wantsNewValue(key) && (try? read(stored)) != nil
      defer { if isRead { boxer.destroy(stored) } }
      didChange(
        _KVChangeNotice(
          object: object, key: key, valueType: type, oldAddress: oldAddress,
          newAddress: storesIt ? new : isRead ? stored : nil, boxer: boxer), since: beginning)
    }
  }

  /// Notifies of a setting of a value in a box.
  final func notifySetting<Failure: Error>(
    _ key: InternedKey, of object: AnyObject, to new: Any?, reading read: () throws(Failure) -> Any?, _ set: () -> Void
  ) throws(Failure) {
    let boxer = Boxer<Any?>.self
    try withAddress(of: new) { new throws(Failure) in
      try notifySetting(
        key, of: object, to: Address(new), Any?.self, boxer, boxer.layout,
        reading: { memory throws(Failure) in memory.initialize(as: Any?.self, to: try read()) }
      ) { _ in
        set()
        return true
      }
    }
  }
}
