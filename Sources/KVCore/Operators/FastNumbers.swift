/// A type that numbers are added to; `false` means that the number needs the general path.
protocol NumberSink {
  mutating func add(_ value: Int) -> Bool
  mutating func add(_ value: Double) -> Bool
}

/// Passes the integers or doubles of a table key to a sink, for all elements of an array and without boxing.
enum FastNumbers {
  /// Adds all numbers; returns `false` if an element needs the general path, and the sink is then invalid.
  static func add<Sink: NumberSink>(
    _ collection: any CollectionValue, _ call: OperatorCall, to sink: inout Sink
  ) throws(KVError) -> Bool {
    let hops = call.reader.hops
    guard call.next == call.reader.count - 1, hops.hops[call.next].isKey, let array = collection as? any OrderedValue
    else {
      return false
    }
    let hop = hops.hops + call.next
    let count = array.elementCount
    var complete = true
    if type(of: array).elementType is AnyClass {
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count {
          let reference = start.load(fromByteOffset: index * stride, as: UnsafeRawPointer.self)
          let added = Unmanaged<AnyObject>.fromOpaque(reference)._withUnsafeGuaranteedRef { object in
            hop.pointee.accessor(of: object).map { add(object, noAddress, $0, &sink) } ?? false
          }
          guard added else { return complete = false }
        }
      }
    } else {
      guard count > 0, let first = array.element(at: 0) else { return count == 0 }
      let info = TypeInfo.of(first)
      guard info.type == type(of: array).elementType, let accessor = try info.accessor(hop.pointee.key) else {
        return false
      }
      try array.withElementMemory { start, stride throws(KVError) in
        for index in 0..<count
        where !add(
          accessor, UnsafeMutableRawPointer(mutating: start + index * stride), .passUnretained(accessor), &sink)
        {
          return complete = false
        }
      }
    }
    return complete
  }

  @inline(__always)
  private static func add<Sink: NumberSink>(
    _ object: AnyObject, _ address: UnsafeMutableRawPointer, _ accessor: Unmanaged<Accessor>,
    _ sink: inout Sink
  ) -> Bool {
    accessor._withUnsafeGuaranteedRef { accessor in
      if accessor.valueID == ObjectIdentifier(Int.self) {
        return sink.add(accessor.readTyped(object, address, as: Int.self))
      }
      if accessor.valueID == ObjectIdentifier(Double.self) {
        return sink.add(accessor.readTyped(object, address, as: Double.self))
      }
      return false
    }
  }
}
