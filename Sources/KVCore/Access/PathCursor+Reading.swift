extension PathCursor {
  /// Advances by one component, or by an operator and its operand; false if the result is nil.
  @inline(__always)
  mutating func advance() throws(KVError) -> Bool {
    switch try next() {
    case .object, .value: true
    case .end: false
    case .collection, .operator: try compute()
    }
  }

  /// Returns the value at the end of the path, or nil if a value on the path is nil (KVC.7).
  @inline(__always)
  mutating func value() throws(KVError) -> Any? {
    while index < last {
      guard try advance() else { return nil }
    }
    if let accessor { return readAny(accessor) }
    if index > last { return owner }
    return try advance() ? owner : nil
  }
}
