/// The structs that a cursor has read, each in its own memory: a stack, with the innermost struct on top.
///
/// All of the cursor's work on raw memory is here. It assumes that
/// - the scratch memory is aligned to 16 bytes, and outlives the frames that ``push(reading:from:_:)`` puts into it;
/// - the function of an accessor initialises the memory that it is given with a value of the accessor's type;
/// - that type (``ValueType``) knows its size, its alignment, and how its values are destroyed.
///
/// A value that does not fit into the scratch memory has a frame on the heap. Nothing is assumed of the layout of
/// optionals: a value is moved out of one and into one.
struct CursorFrames {
  /// One struct.
  struct Frame {
    let below: UnsafeMutablePointer<Frame>?
    /// The accessor that has read the value, and writes it back.
    let accessor: Unmanaged<Accessor>
    /// The address of the value, without the optional that contained it.
    let address: UnsafeMutableRawPointer
    let isOnHeap: Bool

    @inline(__always)
    var type: ValueType { accessor._withUnsafeGuaranteedRef { $0.value } }
  }

  /// The size of a cursor's scratch memory in bytes.
  static var scratchSize: Int { 512 }

  private(set) var top: UnsafeMutablePointer<Frame>?
  /// The memory for a value in a box, at the start of the scratch memory.
  private let box: UnsafeMutablePointer<Any>
  private(set) var hasBox = false
  private var free: UnsafeMutableRawPointer
  private let limit: UnsafeMutableRawPointer

  @inline(__always)
  init(_ scratch: UnsafeMutableRawBufferPointer) {
    let start = scratch.baseAddress.unsafelyUnwrapped
    box = start.assumingMemoryBound(to: Any.self)
    free = start + MemoryLayout<Any>.stride
    limit = start + Self.scratchSize
  }

  // MARK: The box

  /// The value in the box.
  var boxed: Any? { hasBox ? box.pointee : nil }

  /// Stores a value in the box, and destroys the one that was in it.
  mutating func setBox(_ value: Any) {
    removeBox()
    box.initialize(to: value)
    hasBox = true
  }

  /// Empties the box.
  @inline(__always)
  mutating func removeBox() {
    if hasBox { box.deinitialize(count: 1) }
    hasBox = false
  }

  // MARK: The structs

  /// Reads the struct that is the value of a key, and pushes it.
  ///
  /// - Returns: The address of the struct; nil if the value is nil.
  @inline(never)
  mutating func push(
    reading accessor: Unmanaged<Accessor>, from object: AnyObject, _ owner: UnsafeMutableRawPointer
  ) -> UnsafeMutableRawPointer? {
    accessor._withUnsafeGuaranteedRef { reader in
      let (size, mask) = (reader.valueSize, reader.valueAlignmentMask)
      var start = free
      var address = Self.address(behind: start, mask)
      let isOnHeap = address + size > limit
      if isOnHeap {
        start = .allocate(
          byteCount: MemoryLayout<Frame>.stride + mask + size, alignment: MemoryLayout<Frame>.alignment)
        address = Self.address(behind: start, mask)
      }
      reader.read(object, owner, address)
      if reader.value.optional?.unwrap(in: address) == false {
        if isOnHeap { start.deallocate() }
        return nil
      }
      let frame = start.initializeMemory(
        as: Frame.self, to: Frame(below: top, accessor: accessor, address: address, isOnHeap: isOnHeap))
      if !isOnHeap { free = Self.aligned(address + size, MemoryLayout<Frame>.alignment - 1) }
      top = frame
      return address
    }
  }

  @inline(__always)
  private static func address(behind start: UnsafeMutableRawPointer, _ mask: Int) -> UnsafeMutableRawPointer {
    aligned(start + MemoryLayout<Frame>.stride, mask)
  }

  @inline(__always)
  private static func aligned(_ address: UnsafeMutableRawPointer, _ mask: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: address) &+ UInt(mask)) & ~UInt(mask)).unsafelyUnwrapped
  }

  /// Pops and destroys all structs.
  @inline(__always)
  mutating func removeAll() { while top != nil { pop() } }

  /// Pops and destroys the topmost struct.
  @inline(__always)
  mutating func pop() {
    guard let frame = top else { return }
    frame.pointee.accessor._withUnsafeGuaranteedRef { $0.destroyUnwrapped(frame.pointee.address) }
    popMoved()
  }

  /// Pops the topmost frame, whose value was moved away.
  @inline(__always)
  private mutating func popMoved() {
    guard let frame = top else { return }
    top = frame.pointee.below
    if frame.pointee.isOnHeap {
      UnsafeMutableRawPointer(frame).deallocate()
    } else {
      free = UnsafeMutableRawPointer(frame)
    }
  }

  /// Moves the topmost struct back into its owner, which is the struct below it or an object.
  @inline(__always)
  mutating func moveBack(to object: AnyObject) {
    guard let frame = top else { return }
    frame.pointee.accessor._withUnsafeGuaranteedRef { accessor in
      accessor.value.optional?.wrap(in: frame.pointee.address)
      accessor.write(object, frame.pointee.below?.pointee.address ?? noAddress, frame.pointee.address)
    }
    popMoved()
  }

  /// Calls a function with the address of the topmost struct, as a value of the accessor's type, and pops it.
  mutating func popValue(_ body: (UnsafeRawPointer) -> Void) {
    guard let frame = top else { return }
    let type = frame.pointee.type
    type.optional?.wrap(in: frame.pointee.address)
    body(frame.pointee.address)
    type.destroy(frame.pointee.address)
    popMoved()
  }

  /// The topmost struct, boxed.
  var topValue: Any? { top.map { $0.pointee.type.boxUnwrapped($0.pointee.address) } }

  /// Replaces the topmost struct by a changed copy.
  func replaceTop(by copy: Any) {
    guard let frame = top else { return }
    let type = frame.pointee.type.unwrappedType
    func open<T>(_ value: T) {
      precondition(T.self == type, "a copy is of the type of what was copied")
      frame.pointee.address.assumingMemoryBound(to: T.self).pointee = value
    }
    _openExistential(copy, do: open)
  }
}

extension Accessor {
  /// Calls a function with the address of a copy of the value of a struct in memory.
  func withValue(at owner: UnsafeRawPointer, _ body: (UnsafeRawPointer) -> Void) {
    withUnsafeTemporaryAllocation(byteCount: max(valueSize, 1), alignment: valueAlignmentMask + 1) { memory in
      let memory = memory.baseAddress.unsafelyUnwrapped
      read(self, UnsafeMutableRawPointer(mutating: owner), memory)
      body(memory)
      value.destroy(memory)
    }
  }
}
