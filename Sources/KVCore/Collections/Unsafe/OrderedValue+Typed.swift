// Access to arrays whose type the caller knows, and to their elements where these lie in memory: for arrays only, since
// code that is generic in the collection looks up the types and conformances that it is made of.

extension Array {
  static func read(by accessor: Accessor, of object: AnyObject) -> any OrderedValue {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment) {
      let memory = Address($0.baseAddress.unsafelyUnwrapped)
      accessor.read(object, noAddress, memory)
      return memory.of(Self.self).move()
    }
  }

  func withElementMemory(_ body: (Address, Int) -> Void) {
    withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { body(Address(start), MemoryLayout<Element>.stride) }
    }
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

  static func isElement(_ any: Any) -> Bool {
    func open<T>(_ value: T) -> Bool { T.self == Element.self }
    return _openExistential(any, do: open)
  }

  static func edit(
    _ address: Address, at index: Int, removing: Bool, inserting new: Any?
  ) -> (isValid: Bool, removed: Any?) {
    let array = address.of(Self.self)
    guard index < array.pointee.count + (removing ? 0 : 1) else { return (false, nil) }
    guard let new else { return (true, array.pointee.remove(at: index)) }
    func open<T>(_ value: T) -> Any? {
      withAddress(of: value) { value in
        guard T.self == Element.self else { return nil }
        let element = Address(value).of(Element.self)
        guard removing else {
          array.pointee.insert(copyOf: element, at: index)
          return nil
        }
        let old = array.pointee[index]
        array.pointee[index] = element.pointee
        return old
      }
    }
    return (true, _openExistential(new, do: open))
  }

  /// Inserts an element; `insert(_:at:)` looks up the conformances of a collection of one.
  private mutating func insert(copyOf element: AddressOf<Element>, at index: Int) {
    append(element.pointee)
    let last = count - 1
    if index == last { return }
    withUnsafeMutableBufferPointer { buffer in
      guard let place = buffer.baseAddress.map({ $0 + index }) else { return }
      let new = (place + (last - index)).move()
      (place + 1).moveInitialize(from: place, count: last - index)
      place.initialize(to: new)
    }
  }
}

extension OrderedValue where Self: RandomAccessCollection & MutableCollection & RangeReplaceableCollection {
  @inline(__always)
  func withElementMemory(_ body: (Address, Int) -> Void) {
    // All three types store their elements contiguously.
    _ = withContiguousStorageIfAvailable { buffer in
      if let start = buffer.baseAddress { body(Address(start), MemoryLayout<Element>.stride) }
    }
  }
}
