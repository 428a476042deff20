// Access to arrays whose type the caller knows, and to their elements where these lie in memory: for arrays only, since
// code that is generic in the collection looks up the types and conformances that it is made of.

extension OrderedValue {
  // Not of `Array`, which would look up its own type: here it is passed.
  static func read(by accessor: Accessor, of object: AnyObject) -> any OrderedValue {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment) {
      let memory = Address($0.baseAddress.unsafelyUnwrapped)
      accessor.read(object, noAddress, memory)
      return memory.of(Self.self).move()
    }
  }

  static func elementCount(by accessor: Accessor, of object: AnyObject) -> Int {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment) {
      let memory = Address($0.baseAddress.unsafelyUnwrapped)
      accessor.read(object, noAddress, memory)
      let array = memory.of(Self.self).move()
      return array.elementCount
    }
  }
}

/// Returns the number of elements of an array where it lies: to read the property there would copy the array.
///
/// It is no method, to which the metadata of the array would be passed, which the runtime would have to find.
@inline(never)
private func elementCount<Element>(of array: inout [Element]) -> Int { array.count }

extension Array {
  static var isOrdered: Bool { true }
  static var elementType: Any.Type { Element.self }
  var elementCount: Int { count }

  // An array of any type is a reference, as the compiler knows here.
  static func elementCount(by accessor: Accessor, of object: AnyObject) -> Int {
    withMemory(size: MemoryLayout<Int>.size, alignmentMask: MemoryLayout<Int>.alignment - 1) { memory in
      accessor.read(object, noAddress, memory)
      let array = memory.of([Element].self)
      // Moving the array out of the memory would need the metadata.
      defer { array.pointee = [] }
      return KVCore.elementCount(of: &array.pointee)
    }
  }

  func withElementMemory(_ body: (Address, Int) -> Void) {
    withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { body(Address(start), MemoryLayout<Element>.stride) }
    }
  }

  func withObjects(_ body: (AddressOf<_KVReference<AnyObject>>, Int) -> Void) -> Bool {
    guard Element.self is AnyClass else { return false }
    withElementMemory { start, _ in body(start.of(_KVReference<AnyObject>.self), count) }
    return true
  }

  func object(at index: Int) -> AnyObject? {
    Element.self is AnyClass ? unsafeBitCast(self[index], to: AnyObject.self) : nil
  }

  static func initialize(
    _ memory: Address, count: Int, _ fill: (Address, Int) -> Int
  ) -> Bool {
    let array = [Element](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      filled = fill(Address(start), MemoryLayout<Element>.stride)
    }
    guard array.count == count else { return false }
    memory.initialize(as: [Element].self, to: array)
    return true
  }

  static func exchanges(_ type: ObjectIdentifier?) -> Bool { type == nil || type == ObjectIdentifier(Element.self) }

  mutating func exchange(at index: Int, removing: Bool, _ box: AddressOf<Any?>) -> Bool {
    guard index < count + (removing ? 0 : 1) else { return false }
    if box.boxedType == nil {
      box.initialize(to: remove(at: index))
    } else if removing {
      var element = box.take(Element.self)
      swap(&self[index], &element)
      box.initialize(to: element)
    } else {
      append(box.take(Element.self))
      moveLast(to: index)
    }
    return true
  }

  /// Moves the last element; `insert(_:at:)` looks up the conformances of a collection of one.
  private mutating func moveLast(to index: Int) {
    let last = count - 1
    if index == last { return }
    withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress else { return }
      let element = (start + last).move()
      (start + index + 1).moveInitialize(from: start + index, count: last - index)
      (start + index).initialize(to: element)
    }
  }
}

extension OrderedValue where Self: RandomAccessCollection & MutableCollection & RangeReplaceableCollection {
  func withObjects(_ body: (AddressOf<_KVReference<AnyObject>>, Int) -> Void) -> Bool {
    guard Element.self is AnyClass else { return false }
    withElementMemory { start, _ in body(start.of(_KVReference<AnyObject>.self), count) }
    return true
  }

  @inline(__always)
  func withElementMemory(_ body: (Address, Int) -> Void) {
    // All three types store their elements contiguously.
    _ = withContiguousStorageIfAvailable { buffer in
      if let start = buffer.baseAddress { body(Address(start), MemoryLayout<Element>.stride) }
    }
  }
}
