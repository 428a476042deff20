import KVCore

extension ArrangedContent {
  /// Returns a slot with an element.
  func makeSlot(_ element: Element) -> Int {
    if let slot = freeSlots.popLast() {
      items[Int(slot)] = element
      return Int(slot)
    }
    items.append(element)
    content.reserve(items.count)
    order.reserve(items.count)
    keys.reserve(items.count)
    return items.count - 1
  }

  func release(_ slot: Int) {
    var old: Element?
    // The element is released after the access, since its deinit can run any code.
    swap(&items[slot], &old)
    endPlace(of: slot)
    keys.clear(slot)
    failures[slot] = nil
    content.release(slot)
    order.release(slot)
    freeSlots.append(Int32(slot))
  }

  // MARK: Objects

  /// Returns the slots of an object of the content, in an unspecified order.
  func slots(of object: ObjectIdentifier) -> [Int] {
    switch slotsOfObjects[object] {
    case .one(let slot): [Int(slot)]
    case .several(let slots): slots.map { Int($0) }
    case nil: []
    }
  }

  func index(_ slot: Int) {
    guard isAutomatic, let element = items[slot], let id = Self.identity(of: element) else { return }
    switch slotsOfObjects[id] {
    case nil: slotsOfObjects[id] = .one(Int32(slot))
    case .one(let other): slotsOfObjects[id] = .several([other, Int32(slot)])
    case .several(var slots):
      slotsOfObjects[id] = nil
      slots.insert(Int32(slot))
      slotsOfObjects[id] = .several(slots)
    }
  }

  func unindex(_ slot: Int) {
    guard isAutomatic, let element = items[slot], let id = Self.identity(of: element) else { return }
    guard case .several(var slots) = slotsOfObjects.removeValue(forKey: id) else { return }
    slots.remove(Int32(slot))
    if slots.count > 1 {
      slotsOfObjects[id] = .several(slots)
    } else if let last = slots.first {
      slotsOfObjects[id] = .one(last)
    }
  }

  func indexObjects() {
    slotsOfObjects = [:]
    guard isAutomatic else { return }
    slotsOfObjects.reserveCapacity(content.count)
    for slot in content.slots { index(Int(slot)) }
  }

  static func identity(of element: Element) -> ObjectIdentifier? {
    if Element.self is AnyClass { return ObjectIdentifier(element as AnyObject) }
    guard let value = unwrappingOptionals(element), type(of: value) is AnyClass else { return nil }
    return ObjectIdentifier(value as AnyObject)
  }
}
