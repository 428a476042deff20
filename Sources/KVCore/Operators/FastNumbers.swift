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
    guard call.next == call.reader.count - 1, hops.hops[call.next].isKey, let array = collection.ordered
    else {
      return false
    }
    let hop = hops.hops + call.next
    let areObjectsComplete = array.allObjects { object in
      hop.pointee.accessor(of: object).map { add(object, noAddress, $0, &sink) } ?? false
    }
    if let areObjectsComplete { return areObjectsComplete }
    guard array.elementCount > 0, let first = array.element(at: 0) else { return array.elementCount == 0 }
    let info = TypeInfo.of(first)
    guard info.type == type(of: array).elementType, let accessor = try info.accessor(hop.pointee.key) else {
      return false
    }
    var isComplete = true
    array.withElementMemory { start, stride in
      isComplete = (0..<array.elementCount).allSatisfy { index in
        let address = UnsafeMutableRawPointer(mutating: start + index * stride)
        return add(accessor, address, .passUnretained(accessor), &sink)
      }
    }
    return isComplete
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
