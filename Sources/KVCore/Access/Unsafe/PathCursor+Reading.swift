extension PathCursor {
  /// Moves the value at the end of the path into memory if it is of a type; else returns it.
  mutating func value(as type: ObjectIdentifier, into memory: Address) throws(KVError) -> TypedRead {
    switch try advanceToLast(as: type, into: memory) {
    case .moved: return .moved
    case .value(let value): return Self.moving(value, as: type, into: memory, declaration)
    case .nothing, .owner: break
    }
    guard let accessor else {
      let value = try endValue()
      return Self.moving(value, as: type, into: memory, declaration)
    }
    return objects.with(accessor) { accessor, object in
      guard accessor.valueID == type else {
        return accessor.readOther(object, frames.address, as: type, into: memory)
      }
      accessor.read(object, frames.address, memory)
      return .moved
    }
  }

  /// Moves a value in a box into memory if it is of a type; else returns it.
  static func moving(
    _ value: Any?, as type: ObjectIdentifier, into memory: Address, _ declaration: @autoclosure () -> KeyDeclaration?
  ) -> TypedRead {
    func move<T>(_ value: T) -> Bool {
      guard ObjectIdentifier(T.self) == type else { return false }
      memory.initialize(as: T.self, to: value)
      return true
    }
    if let value, _openExistential(value, do: move) { return .moved }
    return .other(value, declaration())
  }

  /// Returns the value at the end of the path, or nil if a value on the path is nil (KVC.7).
  @inline(__always)
  mutating func value() throws(KVError) -> Any? {
    if case .value(let value) = try advanceToLast() { return value }
    return try endValue()
  }

  /// Returns the value of the last component.
  @inline(__always)
  private mutating func endValue() throws(KVError) -> Any? { index > last ? owner : try read() }

  /// Advances to the last component; returns the value of the path if it ends before: nil, the result of an operator, or
  /// what is read behind an array.
  @inline(__always)
  mutating func advanceToLast(
    as type: ObjectIdentifier? = nil, into memory: Address = noAddress
  ) throws(KVError) -> ArrayStep {
    while index < last {
      if accessor?.borrow({ $0.value.ordered != nil }) ?? false {
        switch try readThroughArray(as: type, into: memory) {
        case .owner: continue
        case .nothing: break
        case let end: return end
        }
      }
      switch try next() {
      case .object, .value: break
      case .end: return .value(nil)
      case .collection, .operator:
        let value = try read()
        if index == last { return .value(value) }
        if enter(value) == .end { return .value(nil) }
      }
    }
    return .owner
  }
}
