/// Visits the integers or doubles that a table's key has for all elements of an array, without boxing them.
enum FastNumbers {
  /// Calls a function with each number; false if some element needs the common way, after which what was visited is void.
  static func each(
    of collection: any CollectionValue, _ call: OperatorCall, _ body: (KVNumber) -> Void
  ) throws(KVError) -> Bool {
    let hops = call.reader.hops
    guard call.next == hops.count - 1, hops.hops[call.next].isKey, let array = collection as? any OrderedValue else {
      return false
    }
    let hop = hops.hops + call.next
    let count = array.elementCount
    var complete = true
    if type(of: array).elementType is AnyClass {
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count {
          let base = start.load(fromByteOffset: index * stride, as: UnsafeRawPointer.self)
          let accessor = Unmanaged<AnyObject>.fromOpaque(base)._withUnsafeGuaranteedRef {
            FastAccess.accessor(at: hop, of: $0)
          }
          guard let accessor, visit(base, accessor, body) else { return complete = false }
        }
      }
    } else {
      guard count > 0, let first = array.element(at: 0) else { return count == 0 }
      let info = TypeInfo.of(first)
      guard info.type == type(of: array).elementType, let accessor = try info.accessor(hop.pointee.key) else {
        return false
      }
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count where !visit(start + index * stride, .passUnretained(accessor), body) {
          return complete = false
        }
      }
    }
    return complete
  }

  @inline(__always)
  private static func visit(
    _ base: UnsafeRawPointer, _ accessor: Unmanaged<Accessor>, _ body: (KVNumber) -> Void
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      if accessor.valueID == ObjectIdentifier(Int.self) {
        body(.integer(Int128(accessor.readTyped(base, as: Int.self))))
        return true
      }
      if accessor.valueID == ObjectIdentifier(Double.self) {
        body(.floating(accessor.readTyped(base, as: Double.self)))
        return true
      }
      return false
    }
  }
}
