/// Adds up the integers or doubles that a table's key has for all elements of an array, without boxing them.
enum FastNumbers {
  /// Returns the total; nil if some element needs the common way.
  static func total(of collection: any CollectionValue, _ call: OperatorCall) throws(KVError) -> NumberTotal? {
    let hops = call.reader.hops
    guard call.next == hops.count - 1, hops.hops[call.next].isKey, let array = collection as? any OrderedValue else {
      return nil
    }
    var total = NumberTotal()
    let hop = hops.hops + call.next
    let count = array.elementCount
    var complete = true
    if type(of: array).elementType is AnyClass {
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count {
          let reference = start.load(fromByteOffset: index * stride, as: UnsafeRawPointer.self)
          let added = Unmanaged<AnyObject>.fromOpaque(reference)._withUnsafeGuaranteedRef { object in
            FastAccess.accessor(at: hop, of: object).map { add(object, noAddress, $0, &total) } ?? false
          }
          guard added else { return complete = false }
        }
      }
    } else {
      guard count > 0, let first = array.element(at: 0) else { return count == 0 ? total : nil }
      let info = TypeInfo.of(first)
      guard info.type == type(of: array).elementType, let accessor = try info.accessor(hop.pointee.key) else {
        return nil
      }
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count where !add(
          accessor, UnsafeMutableRawPointer(mutating: start + index * stride), .passUnretained(accessor), &total) {
          return complete = false
        }
      }
    }
    return complete ? total : nil
  }

  @inline(__always)
  private static func add(
    _ object: AnyObject, _ address: UnsafeMutableRawPointer, _ accessor: Unmanaged<Accessor>,
    _ total: inout NumberTotal
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      if accessor.valueID == ObjectIdentifier(Int.self) {
        total.add(accessor.readTyped(object, address, as: Int.self))
        return true
      }
      if accessor.valueID == ObjectIdentifier(Double.self) {
        total.add(accessor.readTyped(object, address, as: Double.self))
        return true
      }
      return false
    }
  }
}
