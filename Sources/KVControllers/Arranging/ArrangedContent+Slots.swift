import KVBinding
import KVCore

extension ArrangedContent {
  /// Returns the element of a slot.
  func element(_ slot: Int) -> Element {
    guard let item = items[slot] else { preconditionFailure("slot without element") }
    return element(of: item)
  }

  func element(of item: AnyObject) -> Element {
    if areObjects { return asValue(item) }
    guard let box = item as? ElementBox<Element> else { preconditionFailure("slot of another type") }
    return box.value
  }

  /// Returns what stands for an element in its slot.
  func item(_ element: Element) -> AnyObject { areObjects ? asObject(element) : ElementBox(element) }

  // MARK: Objects

  /// Returns the slots of an object of the content, in an unspecified order.
  func slots(of object: ObjectIdentifier) -> [Int] { slotsOfObjects.slots(of: object, identity) }

  private var keepsSlotsOfObjects: Bool { isAutomatic || findsObjects }

  func index(_ slot: Int) {
    guard keepsSlotsOfObjects, let id = identity(slot) else { return }
    slotsOfObjects.insert(slot, of: id, identity)
  }

  func unindex(_ slot: Int) {
    guard keepsSlotsOfObjects, let id = identity(slot) else { return }
    slotsOfObjects.remove(slot, of: id, identity)
  }

  /// Replaces the slot of an object by another slot of it.
  func reindex(_ slot: Int, as new: Int) {
    guard keepsSlotsOfObjects, let id = identity(slot) else { return }
    slotsOfObjects.replace(slot, by: new, of: id, identity)
  }

  func indexObjects() {
    slotsOfObjects = SlotTable(capacity: keepsSlotsOfObjects ? content.count : 0)
    guard keepsSlotsOfObjects else { return }
    for slot in content.slots { index(Int(slot)) }
  }

  private func identity(_ slot: Int) -> ObjectIdentifier? {
    guard let item = items[slot] else { return nil }
    return areObjects ? ObjectIdentifier(item) : Self.identity(of: element(of: item))
  }

  static func identity(of element: Element) -> ObjectIdentifier? {
    if Element.self is AnyClass { return ObjectIdentifier(asObject(element)) }
    guard let value = unwrappingOptionals(element), type(of: value) is AnyClass else { return nil }
    return ObjectIdentifier(object(in: value))
  }
}
