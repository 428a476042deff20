extension Array {
  /// Returns whether two arrays, neither of which is empty, share their storage, so that they are equal; in O(1).
  func sharesStorage(with other: [Element]) -> Bool {
    withUnsafeBufferPointer { own in
      other.withUnsafeBufferPointer { other in
        !own.isEmpty && own.count == other.count && own.baseAddress == other.baseAddress
      }
    }
  }
}
