/// The values that a cursor has passed since the last object, each in its own memory: a stack, with the innermost value
/// on top.
///
/// All of the cursor's work on raw memory is here. It assumes that
/// - the scratch memory is aligned to 16 bytes, and outlives the frames;
/// - the function of an accessor initialises the memory that it is given with a value of the accessor's type.
///
/// A value that does not fit into the scratch memory has a frame on the heap. Nothing is assumed of the layout of
/// optionals: a value is moved out of one and into one.
struct CursorFrames {
  /// One value.
  struct Frame {
    fileprivate let below: AddressOf<Frame>?
    /// The accessor that has read the value; nil for an element, an entry and a reflected value.
    var accessor: _KVReference<Accessor>?
    /// The boxer of the value's type.
    let boxer: any ValueBoxing.Type
    /// The address of the value, without the optional that contained it.
    let address: Address
    /// The index of the component whose value it is; one less than that of the first component for the root of a walk.
    let index: Int
    fileprivate let isOnHeap: Bool
    /// Whether the value is that of whoever walks, who destroys it.
    fileprivate let isBorrowed: Bool

    /// The value, boxed.
    var value: Any { boxer.boxWhole(address) }

    /// The value as one to set, moved back into the optional that it was taken out of.
    var newValue: NewValue {
      if let accessor = accessor?.object, accessor.unwrappedBoxer == boxer {
        accessor.value.optional?.wrap(address, to: address)
        return NewValue(address, accessor.valueID, accessor.value.boxer)
      }
      return NewValue(address, nil, boxer)
    }
  }

  /// The size of a cursor's scratch memory in bytes.
  static var scratchSize: Int { 512 }

  private(set) var top: AddressOf<Frame>?
  /// The address of the topmost value.
  private(set) var address = noAddress
  private var free: UnsafeMutableRawPointer
  private let limit: UnsafeMutableRawPointer

  @inline(__always)
  init(_ scratch: Address) {
    free = scratch.raw
    limit = free + Self.scratchSize
  }

  /// The value below the topmost one, boxed.
  var valueBelow: Any? { top?.pointee.below?.pointee.value }

  // MARK: Pushing

  /// Reads the value of a component, which is a struct or an optional one, and pushes it; false if it is nil.
  @inline(never)
  mutating func push(reading accessor: _KVReference<Accessor>, from object: AnyObject, at index: Int) -> Bool {
    accessor.borrow { reader in
      let (start, memory) = reserve(reader.valueSize, reader.valueAlignmentMask)
      reader.read(object, address, Address(memory))
      if reader.value.optional?.unwrap(Address(memory), to: Address(memory)) == false {
        if start != free { start.deallocate() }
        return false
      }
      push(accessor, reader.unwrappedBoxer, start, value: Address(memory), end: memory + reader.valueSize, index)
      return true
    }
  }

  /// Pushes a value that stays where it is: a walk that writes changes it there.
  mutating func push(borrowed value: Address, _ boxer: any ValueBoxing.Type, at index: Int) {
    let (start, end) = reserve(0, 0)
    push(nil, boxer, start, value: value, end: end, index, isBorrowed: true)
  }

  /// Pushes a value in a box.
  mutating func push(
    _ value: Any, _ boxer: any ValueBoxing.Type, readBy accessor: _KVReference<Accessor>?, at index: Int
  ) {
    let layout = boxer.layout
    // The value may be moved into the optional of the accessor.
    let size = max(layout.size, accessor?.object.valueSize ?? 0)
    let (start, memory) = reserve(size, layout.alignmentMask)
    boxer.unbox(value, to: Address(memory))
    push(accessor, boxer, start, value: Address(memory), end: memory + size, index)
  }

  /// Returns the memory of a frame, which is not in the scratch memory if that is full, and of its value.
  @inline(__always)
  private func reserve(_ size: Int, _ mask: Int) -> (frame: UnsafeMutableRawPointer, value: UnsafeMutableRawPointer) {
    let memory = Self.aligned(free + MemoryLayout<Frame>.stride, mask)
    if memory + size <= limit { return (free, memory) }
    let start = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<Frame>.stride + mask + size, alignment: MemoryLayout<Frame>.alignment)
    return (start, Self.aligned(start + MemoryLayout<Frame>.stride, mask))
  }

  @inline(__always)
  private mutating func push(
    _ accessor: _KVReference<Accessor>?, _ boxer: any ValueBoxing.Type, _ start: UnsafeMutableRawPointer,
    value: Address, end: UnsafeMutableRawPointer, _ index: Int, isBorrowed: Bool = false
  ) {
    let isOnHeap = start != free
    address = value
    let frame = Frame(
      below: top, accessor: accessor, boxer: boxer, address: value, index: index, isOnHeap: isOnHeap,
      isBorrowed: isBorrowed)
    top = AddressOf(start.initializeMemory(as: Frame.self, to: frame))
    if !isOnHeap { free = Self.aligned(end, MemoryLayout<Frame>.alignment - 1) }
  }

  @inline(__always)
  private static func aligned(_ address: UnsafeMutableRawPointer, _ mask: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: address) &+ UInt(mask)) & ~UInt(mask)).unsafelyUnwrapped
  }

  // MARK: Popping

  /// Pops and destroys all values.
  @inline(__always)
  mutating func removeAll() {
    while let frame = top {
      if !frame.pointee.isBorrowed { frame.pointee.boxer.destroy(frame.pointee.address) }
      remove(frame)
      if frame.pointee.isOnHeap { frame.deallocate() }
    }
  }

  /// Pops the topmost value, if it is that of a component from one on.
  ///
  /// It stays in its memory until ``end(_:)``. Nothing must be pushed, and its new value must have ended, before that.
  @inline(__always)
  mutating func pop(from start: Int) -> AddressOf<Frame>? {
    guard let frame = top, frame.pointee.index >= start else { return nil }
    remove(frame)
    return frame
  }

  /// Frees a popped frame.
  @inline(__always)
  static func end(_ frame: AddressOf<Frame>) { if frame.pointee.isOnHeap { frame.deallocate() } }

  @inline(__always)
  private mutating func remove(_ frame: AddressOf<Frame>) {
    top = frame.pointee.below
    address = top?.pointee.address ?? noAddress
    if !frame.pointee.isOnHeap { free = UnsafeMutableRawPointer(frame.pointer) }
  }

  /// Replaces the topmost value by a changed copy of it.
  func replaceTop(by copy: Any) {
    guard let frame = top else { return }
    frame.pointee.boxer.destroy(frame.pointee.address)
    frame.pointee.boxer.unbox(copy, to: frame.pointee.address)
  }
}
