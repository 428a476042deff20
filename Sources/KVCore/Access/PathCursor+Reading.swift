extension PathCursor {
  /// Goes on by one component, or by an operator and all that it takes; false if that comes to a nil.
  @inline(__always)
  mutating func advance() throws(KVError) -> Bool {
    switch try next() {
    case .object, .value: true
    case .end: false
    case .collection, .operator: try compute()
    }
  }

  /// Returns the value at the end of the path, or nil if a nil ends the way (KVC.7).
  @inline(__always)
  mutating func value() throws(KVError) -> Any? {
    while index < last {
      guard try advance() else { return nil }
    }
    if let accessor { return readAny(accessor) }
    if index > last { return owner }
    return try advance() ? owner : nil
  }

  /// Moves the value at the end of the path into memory, if it is of a type; else returns it.
  @inline(__always)
  mutating func read(
    as type: ObjectIdentifier, into memory: UnsafeMutableRawPointer, _ root: AnyObject
  ) throws(KVError) -> Unread? {
    while index < last {
      guard try advance() else { return unread(nil, root) }
    }
    if let accessor, accessor._withUnsafeGuaranteedRef({ $0.valueID == type }) {
      read(accessor, into: memory)
      return nil
    }
    return try unread(root)
  }

  @inline(never)
  private mutating func unread(_ root: AnyObject) throws(KVError) -> Unread { unread(try value(), root) }

  @inline(never)
  private func unread(_ value: Any?, _ root: AnyObject) -> Unread {
    Unread(value, .path(path.takeUnretainedValue()), type(of: root))
  }
}
