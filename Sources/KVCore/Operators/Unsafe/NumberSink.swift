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
    guard call.next == call.reader.count - 1, let array = collection.ordered else { return false }
    if call.isOfElements, call.elementLimit == nil { return add(elementsOf: array) }
    return hops.hops[call.next].isKey && Reader.visit(array, at: hops.hops + call.next, by: &self)
  }

  /// Adds the elements of an array of integers or doubles; returns `false` for another array.
  private mutating func add(elementsOf array: any OrderedValue) -> Bool {
    let (type, count) = (type(of: array).elementType, array.elementCount)
    guard type == Int.self || type == Double.self else { return false }
    var index = 0
    array.withElementMemory { start, stride in
      while index < count {
        let element = start + index * stride
        let isAdded = type == Int.self ? add(element.load(as: Int.self)) : add(element.load(as: Double.self))
        guard isAdded else { return }
        index += 1
      }
    }
    return index == count
  }
}
