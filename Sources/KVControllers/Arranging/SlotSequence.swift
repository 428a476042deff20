import KVBinding
import KVCore

/// A sequence of slots that finds the index of a slot in O(log *n*).
///
/// A slot is a small number that stands for an element. Each slot in the sequence has a label, and the labels ascend. They
/// leave gaps, so that an insertion labels the inserted slots only; where a gap is used up, all slots are labelled anew.
struct SlotSequence {
  private(set) var slots: [Int32] = []
  /// The labels, by slot; 0 for a slot that is not in the sequence.
  private var labels: [UInt64] = []

  /// The distance of labels where there is room: 2³² slots fit.
  private static let step: UInt64 = 1 << 32
  private static let middle: UInt64 = 1 << 63

  var count: Int { slots.count }
  subscript(index: Int) -> Int { Int(slots[index]) }

  /// Makes room for the labels of slots.
  mutating func reserve(_ slotCount: Int) {
    if labels.count < slotCount { labels.append(contentsOf: repeatElement(0, count: slotCount - labels.count)) }
  }

  func contains(_ slot: Int) -> Bool { labels[slot] != 0 }

  /// Returns whether a slot precedes another one; a removed slot has its place until it is released.
  func precedes(_ left: Int, _ right: Int) -> Bool { labels[left] < labels[right] }

  /// Returns the index of a slot; nil if it is not in the sequence.
  ///
  /// For a slot whose place another one has taken by ``replace(at:with:)``, that is the index of the other one.
  ///
  /// - Complexity: O(log *n*).
  func index(of slot: Int) -> Int? {
    let label = labels[slot]
    if label == 0 { return nil }
    let index = lowerBound { labels[$0] < label }
    return index < slots.count && labels[Int(slots[index])] == label ? index : nil
  }

  /// Returns the index of the first slot that does not precede, in a sequence where those that precede come first.
  @inline(__always)
  func lowerBound(_ precedes: (Int) -> Bool) -> Int {
    var (low, high) = (0, slots.count)
    while low < high {
      let middle = (low + high) / 2
      if precedes(Int(slots[middle])) { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Editing

  /// Replaces all slots.
  mutating func assign(_ new: [Int]) {
    for slot in slots { labels[Int(slot)] = 0 }
    slots = new.map { Int32($0) }
    label()
  }

  /// Inserts slots, which have the ascending indexes afterwards.
  mutating func insert(_ new: [Int], at indexes: [Int]) {
    if new.count == 1 {
      slots.insert(Int32(new[0]), at: indexes[0])
      if !label(indexes[0]...indexes[0]) { label() }
      return
    }
    slots.insert(new.map { Int32($0) }, at: indexes)
    var first = 0
    while first < indexes.count {
      var last = first
      while last + 1 < indexes.count, indexes[last + 1] == indexes[last] + 1 { last += 1 }
      if !label(indexes[first]...indexes[last]) { return label() }
      first = last + 1
    }
  }

  /// Removes the slots at ascending indexes; each has its label until it is released.
  mutating func remove(at indexes: [Int]) { slots.remove(at: indexes) }

  /// Replaces a slot at an index; the old one has the same label until it is released.
  mutating func replace(at index: Int, with slot: Int) {
    labels[slot] = labels[Int(slots[index])]
    slots[index] = Int32(slot)
  }

  /// Forgets the label of a slot that was removed.
  mutating func release(_ slot: Int) { labels[slot] = 0 }

  // MARK: Labels

  /// Labels all slots.
  private mutating func label() {
    var label = Self.middle - UInt64(slots.count / 2) * Self.step
    for slot in slots {
      labels[Int(slot)] = label
      label += Self.step
    }
  }

  /// Labels adjacent slots between their neighbours; false if there is no room.
  private mutating func label(_ range: ClosedRange<Int>) -> Bool {
    let before = range.lowerBound == 0 ? nil : labels[Int(slots[range.lowerBound - 1])]
    let after = range.upperBound + 1 == slots.count ? nil : labels[Int(slots[range.upperBound + 1])]
    let count = UInt64(range.count)
    var step = Self.step
    var label: UInt64
    switch (before, after) {
    case (nil, nil):
      self.label()
      return true
    case (let before?, nil):
      guard (.max - before) / step > count else { return false }
      label = before + step
    case (nil, let after?):
      guard after / step > count else { return false }
      label = after - count * step
    case (let before?, let after?):
      guard after > before, case let gap = (after - before) / (count + 1), gap > 0 else { return false }
      step = gap
      label = before + step
    }
    for index in range {
      labels[Int(slots[index])] = label
      label += step
    }
    return true
  }
}
