extension PathCursor {
  /// The result of reading the components after an array.
  enum ArrayStep {
    /// No value was read: the path does not continue through the array, or needs the array in a frame.
    case nothing
    /// The next owner: the cursor has advanced.
    case owner
    /// The value of the path.
    case value(Any?)
    /// The value of the path, which was moved into memory.
    case moved
  }

  /// Reads what follows an array that a table lists and an object holds.
  ///
  /// That is an element, the values of a key of the elements, or the result of an operator. The array is read as its own
  /// type and is never boxed.
  @inline(never)
  mutating func readThroughArray(
    as type: ObjectIdentifier?, into memory: Address
  ) throws(KVError) -> ArrayStep {
    guard let accessor = objectAccessor, let arrayType = accessor.value.ordered, accessor.declaration.counted == nil
    else { return .nothing }
    let hop = hops + index + 1
    if let count = objects.elementCount {
      objects.found = nil
      guard type == ObjectIdentifier(Int.self) else { return .value(count) }
      memory.initialize(as: Int.self, to: count)
      return .moved
    }
    switch hop.pointee.component {
    case .entry: return .nothing
    case .key(let key) where key == "self" || key.utf8.first == UInt8(ascii: "@"): return .nothing
    case .key where index + 1 < last && hops[index + 2].isSubscript: return .nothing
    case .key(let key):
      let array = arrayType.read(by: accessor, of: object)
      if index + 1 == last, let type, Reader.read(array, at: hop, as: type, into: memory) { return .moved }
      return try enter(arrayElement: try Reader.mapped(key, over: array, hop: hop, nesting))
    case .index(let number):
      let array = arrayType.read(by: accessor, of: object)
      guard number < array.elementCount else {
        throw Failure.indexOutOfRange(number, count: array.elementCount)
      }
      if index + 1 < last, let element = array.object(at: number) {
        objects.index += 1
        enter(retained: .retaining(element))
        return .owner
      }
      return try enter(arrayElement: array.element(at: number))
    case .operator(let name, let argument):
      let array = arrayType.read(by: accessor, of: object)
      let reader = Reader(objects.path.object, last + 1, nesting: nesting.inner)
      let call = OperatorCall(
        name: name, argument: argument, builtIn: hop.pointee.builtIn, reader: reader, next: index + 2,
        collection: array)
      switch try call.evaluate(on: array) {
      case .continuing(let value): return try enter(arrayElement: value)
      case .complete(let value):
        // The line of the array converts elements, and not what is computed of them.
        objects.found = nil
        return .value(value)
      }
    }
  }

  /// Advances to a value behind the array, unless the path ends there.
  private mutating func enter(arrayElement value: Any?) throws(KVError) -> ArrayStep {
    if index + 1 == last {
      // The line of the array converts its elements, and not what is read of them.
      if hops[last].element == nil { objects.found = nil }
      return .value(value)
    }
    objects.index += 1
    return enter(value) == .end ? .value(nil) : .owner
  }
}
