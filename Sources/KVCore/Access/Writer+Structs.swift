// The way up through structs in memory.

extension Writer {
  /// Sets a key of the topmost struct.
  @inline(__always)
  func setInMemory(_ value: inout NewValue, at index: Int, _ cursor: inout PathCursor) throws(KVError) {
    if let accessor = cursor.accessorInMemory(at: index),
      value.move(by: accessor, to: cursor.object, cursor.address)
    {
      return
    }
    let owner = cursor.unboxedOwner
    if case .copy(let changed) = try set(value.any, at: index, in: owner, depth: 0) {
      cursor.frames.replaceTop(by: changed)
    }
  }

  /// Writes the structs in memory back, each into the one below it, and the lowest into the object.
  @inline(__always)
  func writeBack(_ cursor: inout PathCursor, from last: Int) throws(KVError) -> Outcome {
    var index = last
    while let frame = cursor.frames.top {
      index -= 1
      guard frame.pointee.accessor._withUnsafeGuaranteedRef({ $0.flags.contains(.isWritable) }) else {
        throw unwritable(&cursor, at: index)
      }
      if frame.pointee.below != nil {
        cursor.frames.moveBack(to: cursor.object)
      } else {
        try writeBack(&cursor, to: cursor.object, at: index)
      }
    }
    return .inPlace
  }

  @inline(__always)
  private func writeBack(_ cursor: inout PathCursor, to object: AnyObject, at index: Int) throws(KVError) {
    guard let accessor = cursor.frames.top?.pointee.accessor else { return }
    if WriteLog.isActive {
      let value = cursor.frames.topValue
      cursor.frames.pop()
      _ = try set(value, at: index, in: object, depth: 0)
    } else if accessor._withUnsafeGuaranteedRef({ $0.canBeSetInSilence(of: object) }) {
      cursor.frames.moveBack(to: object)
    } else {
      cursor.frames.popValue { NotifyingWrite.write($0, by: accessor.takeUnretainedValue(), to: object) }
    }
  }

  @inline(never)
  private func unwritable(_ cursor: inout PathCursor, at index: Int) -> KVError {
    guard let accessor = cursor.frames.top?.pointee.accessor.takeUnretainedValue() else {
      return operatorInPath(index)
    }
    cursor.frames.pop()
    return Failure.notSettable(accessor, hops.components[index].description, of: cursor.unboxedOwner)
  }
}
