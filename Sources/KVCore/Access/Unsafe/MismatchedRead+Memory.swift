extension MismatchedRead {
  /// Returns the value that a function has moved to memory, or the converted value that it has returned instead.
  @inlinable @inline(__always)
  static func value<Value>(
    as type: Value.Type, _ read: (Address) throws(KVError) -> MismatchedRead?
  ) throws(KVError) -> Value {
    try withUnsafeTemporaryAllocation(of: Value.self, capacity: 1) { buffer throws(KVError) in
      let memory = buffer.baseAddress.unsafelyUnwrapped
      if let unread = try read(Address(memory)) { return try unread.converted(to: type) }
      return memory.move()
    }
  }
}
