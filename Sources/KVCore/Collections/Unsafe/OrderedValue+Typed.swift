// Access to arrays whose type the caller knows, and to their elements where these lie in memory: for arrays only, since
// code that is generic in the collection looks up the types and conformances that it is made of.

extension Array {
  static func read(by accessor: Accessor, of object: AnyObject) -> any OrderedValue {
    withUnsafeTemporaryAllocation(byteCount: MemoryLayout<Self>.size, alignment: MemoryLayout<Self>.alignment) {
      let memory = $0.baseAddress.unsafelyUnwrapped
      accessor.read(object, noAddress, memory)
      return memory.assumingMemoryBound(to: Self.self).move()
    }
  }

  func withElementMemory(_ body: (UnsafeRawPointer, Int) -> Void) {
    withUnsafeBufferPointer { buffer in
      if let start = buffer.baseAddress { body(UnsafeRawPointer(start), MemoryLayout<Element>.stride) }
    }
  }

  func object(at index: Int) -> AnyObject? {
    Element.self is AnyClass ? unsafeBitCast(self[index], to: AnyObject.self) : nil
  }

  static func initialize(
    _ memory: UnsafeMutableRawPointer, count: Int, _ fill: (UnsafeMutableRawPointer, Int) -> Int
  ) -> Bool {
    let array = [Element](unsafeUninitializedCapacity: count) { buffer, filled in
      guard let start = buffer.baseAddress else { return }
      filled = fill(UnsafeMutableRawPointer(start), MemoryLayout<Element>.stride)
    }
    guard array.count == count else { return false }
    memory.initializeMemory(as: [Element].self, to: array)
    return true
  }

  static func isElement(_ any: Any) -> Bool {
    func open<T>(_ value: T) -> Bool { T.self == Element.self }
    return _openExistential(any, do: open)
  }

  static func edit(
    _ address: UnsafeMutableRawPointer, at index: Int, removing: Bool, inserting new: Any?
  ) -> (isValid: Bool, removed: Any?) {
    let array = address.assumingMemoryBound(to: Self.self)
    guard index < array.pointee.count + (removing ? 0 : 1) else { return (false, nil) }
    guard let new else { return (true, array.pointee.remove(at: index)) }
    func open<T>(_ value: T) -> Any? {
      withUnsafePointer(to: value) { value in
        guard T.self == Element.self else { return nil }
        let element = UnsafeRawPointer(value).assumingMemoryBound(to: Element.self)
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
  private mutating func insert(copyOf element: UnsafePointer<Element>, at index: Int) {
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
