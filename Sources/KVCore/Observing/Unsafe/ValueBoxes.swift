/// The boxes of the values of one notice, for observers without a type.
///
/// A value that fits into an `Any` is lent to it: the box has the bits of the value and owns nothing, since the notice
/// keeps the value until it has been delivered. All other values are boxed as usual. The code that stores a box copies it, and the
/// copy is retained as usual.
@usableFromInline
package struct ValueBoxes {
  /// The memory of two boxes.
  @usableFromInline let memory: AddressOf<Any?>
  @usableFromInline private(set) var isMade = false
  private var ownsValues = false

  /// Calls a function with boxes that are made when they are first asked for.
  @inline(__always)
  static func with(_ body: (AddressOf<ValueBoxes>) -> Void) {
    withUnsafeTemporaryAllocation(of: Any?.self, capacity: 2) { memory in
      var boxes = ValueBoxes(memory: AddressOf(memory.baseAddress.unsafelyUnwrapped))
      withAddress(of: &boxes, body)
      if boxes.ownsValues { boxes.memory.deinitialize(count: 2) }
    }
  }

  @inline(__always)
  private init(memory: AddressOf<Any?>) { self.memory = memory }

  /// Makes the boxes of the old and the new value of the notice.
  @usableFromInline
  mutating func make(of notice: borrowing _KVChangeNotice) {
    isMade = true
    if let boxer = notice.boxer {
      ownsValues = boxer.initializeBoxes(notice.oldAddress, notice.newAddress, to: memory)
    } else {
      memory.initialize(to: nil)
      (memory + 1).initialize(to: nil)
    }
  }
}

extension _KVChangeNotice {
  /// Calls a function with the addresses of the old and the new value in boxes, which are valid meanwhile.
  ///
  /// The boxes may own nothing: they must not be destroyed.
  @inlinable @inline(__always)
  package borrowing func withBoxes(_ body: (AddressOf<Any?>, AddressOf<Any?>) -> Void) {
    guard let boxes else { return withOwnBoxes(body) }
    if !boxes.pointee.isMade { boxes.pointee.make(of: self) }
    body(boxes.pointee.memory, boxes.pointee.memory + 1)
  }

  @usableFromInline @inline(never)
  borrowing func withOwnBoxes(_ body: (AddressOf<Any?>, AddressOf<Any?>) -> Void) {
    ValueBoxes.with { boxes in
      boxes.pointee.make(of: self)
      body(boxes.pointee.memory, boxes.pointee.memory + 1)
    }
  }

  /// Calls a function with the notice, whose observers share their boxes.
  package borrowing func sharingBoxes(_ body: (borrowing _KVChangeNotice) -> Void) {
    ValueBoxes.with { boxes in body(copy(for: phase, boxes: boxes)) }
  }
}
