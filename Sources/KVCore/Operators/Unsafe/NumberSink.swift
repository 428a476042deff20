/// A type that numbers are added to; `false` means that the number needs the general path.
///
/// It visits the elements of an array, and takes the integers or doubles of a table key without boxing them.
protocol NumberSink: ElementVisitor {
  mutating func add(_ value: Int) -> Bool
  mutating func add(_ value: Double) -> Bool
}

extension NumberSink {
  @inline(__always)
  mutating func visit(_ accessor: Accessor, _ object: AnyObject, _ address: Address) -> Bool {
    if accessor.valueID == ObjectIdentifier(Int.self) { return add(accessor.readTyped(object, address, as: Int.self)) }
    if accessor.valueID == ObjectIdentifier(Double.self) {
      return add(accessor.readTyped(object, address, as: Double.self))
    }
    return false
  }

  /// Adds the numbers of the right path of all elements; returns `false` if an element needs the general path, and the
  /// sink is then invalid.
  mutating func add(_ collection: any CollectionValue, _ call: OperatorCall) -> Bool {
    let hops = call.reader.hops
    guard call.next == call.reader.count - 1, hops.hops[call.next].isKey, let array = collection.ordered
    else { return false }
    return Reader.visit(array, at: hops.hops + call.next, by: &self)
  }
}
