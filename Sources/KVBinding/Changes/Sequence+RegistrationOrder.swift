import KVCore

extension Sequence {
  /// Returns the elements in the order of registrations that each has the number of.
  func ordered(by registration: (Element) -> UInt32) -> [Element] {
    let elements = Array(self)
    return elements[at: RegistrationOrder.distances(elements.map(registration)).indexesInOrder]
  }
}

extension ContiguousArray {
  /// Returns the index of the first element of a registration that is not earlier than another one.
  ///
  /// - Parameters:
  ///   - order: The number of the other registration.
  ///   - registration: Returns the number of an element's registration; the elements are in that order.
  @inline(__always)
  func firstIndex(notBefore order: UInt32, by registration: (Element) -> UInt32) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if RegistrationOrder.isEarlier(registration(self[middle]), than: order) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
