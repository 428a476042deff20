/// A copy of the new value of a notice.
///
/// Its type is the static type of the notice, so no box is needed to replace it.
package struct RetainedValue: ~Copyable {
  private let memory: Address
  private let type: Any.Type
  private let boxer: any ValueBoxing.Type

  /// Copies the new value of a notice; `nil` if the notice does not carry a new value.
  package init?(_ notice: borrowing _KVChangeNotice) {
    guard let address = notice.newAddress, let type = notice.valueType, let boxer = notice.boxer else { return nil }
    memory = boxer.copy(address)
    self.type = type
    self.boxer = boxer
  }

  deinit { boxer.free(memory) }

  /// Replaces the value by the new value of another notice.
  ///
  /// - Returns: Whether the notice carries a new value of the same type.
  @inline(__always)
  package borrowing func replace(from notice: borrowing _KVChangeNotice) -> Bool {
    guard let address = notice.newAddress, notice.valueType == type else { return false }
    boxer.replace(memory, by: address)
    return true
  }

  /// The value, erased.
  package var value: Any? { boxer.box(memory) }
}
