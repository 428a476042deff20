// Structs that are read and changed where they are: they are neither boxed nor copied.

extension TypeInfo {
  /// Returns the info of a type of structs; nil for another type, and if none has been created yet.
  @usableFromInline
  static func ofStructs(_ type: Any.Type) -> TypeInfo? {
    guard let info = existing(type), info.kind == .structure else { return nil }
    return info
  }

  /// Returns the value of a path of a struct in memory.
  @usableFromInline
  func value(_ path: KVKeyPath, at address: Address) throws(KVError) -> Any? {
    try KVError.locating(path.description, of: type) { () throws(KVError) in
      try Reader(path).value(ofStructAt: address, self)
    }
  }

  /// Moves the value of a path of a struct in memory to other memory, if it is of a type; else returns it.
  @usableFromInline
  func read(
    _ path: KVKeyPath, at address: Address, as type: ObjectIdentifier, into memory: Address
  ) throws(KVError) -> MismatchedRead? {
    if path.count == 1, let accessor = path.storage.hops.pointee.accessor(in: self),
      accessor.borrow({ $0.valueID == type })
    {
      accessor.borrow { $0.read($0, address, memory) }
      return nil
    }
    return try KVError.locating(path.description, of: self.type) { () throws(KVError) in
      try Reader(path).value(ofStructAt: address, self, as: type, into: memory)
        .unread(.path(path.storage), of: boxer.boxWhole(address))
    }
  }

  /// Sets a key of a struct in memory, if a table has it and the value needs no conversion; returns whether it is set.
  func set(_ value: Any?, forKey key: String, at address: Address) throws(KVError) -> Bool {
    guard let accessor = unmanagedAccessor(key) else { return false }
    return try NewValue.with(boxed: value) { value throws(KVError) in
      accessor.borrow { value.move(by: $0, to: $0, address) }
    }
  }
}

/// Calls a function with the memory within a box that has a struct in it; nil if it has none, or one in another box.
@inline(__always)
func withStruct<Result>(
  in any: Any, _ body: (Address, TypeInfo) throws(KVError) -> Result
) throws(KVError) -> Result? {
  guard let info = TypeInfo.ofStructs(type(of: any)) else { return nil }
  func open<T>(_ value: T) throws(KVError) -> Result? {
    guard T.self == info.type else { return nil }
    return try withAddress(of: value) { address throws(KVError) in try body(Address(address), info) }
  }
  return try _openExistential(any, do: open)
}
