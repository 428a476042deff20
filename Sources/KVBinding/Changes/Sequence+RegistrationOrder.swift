import KVCore

extension Sequence {
  /// Returns the elements in the order of registrations that each has the number of.
  func ordered(by registration: (Element) -> UInt32) -> [Element] {
    let elements = Array(self)
    return elements[at: RegistrationOrder.distances(elements.map(registration)).indexesInOrder]
  }
}
