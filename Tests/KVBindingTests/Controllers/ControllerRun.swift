import KVBinding

/// A controller, its model and the oracle, which make the same random steps.
final class ControllerRun {
  var random: SplitMix64
  let list = KVArrayController { Tune() }
  let oracle = ArrayControllerOracle()
  var shelf: Shelf? = Shelf()
  var isBound = false
  private let watcher: ControllerWatcher?
  private var made = 0
  private(set) var isInUpdate = false
  var log: [String] = []

  init(seed: UInt64, isObserved: Bool) throws {
    random = SplitMix64(seed: seed)
    watcher = isObserved ? try ControllerWatcher(list) : nil
  }

  /// Makes a step, and returns what is wrong.
  func step() throws -> [String] {
    let before = Set(oracle.arranged.map { ObjectIdentifier($0) })
    let tunes = Set(oracle.arranged.map { ObjectIdentifier($0.tune) })
    let content = oracle.content.map { ObjectIdentifier($0) }
    let formerOrder = oracle.arranged.map { ObjectIdentifier($0) }
    let wasUpdate = random.below(8) == 0
    if wasUpdate {
      // The oracle's update has to be open while the controller's is, so that both make the same steps.
      var faults: [String] = []
      try update {
        for _ in 0..<(1 + random.below(4)) { faults += try act() }
      }
      if !faults.isEmpty { return faults }
    } else {
      let faults = try act()
      if !faults.isEmpty { return faults }
    }
    let faults = compare()
    guard let watcher, faults.isEmpty else { return faults }
    let after = oracle.arranged
    let isAssigned = oracle.assignsContent || oracle.assignsOrders
    let sharesSlot = after.contains { before.contains(ObjectIdentifier($0)) }
    let sharesTune = after.contains { tunes.contains(ObjectIdentifier($0.tune)) }
    let kept = Set(after.map { ObjectIdentifier($0) }).intersection(before)
    let isReordered = after.map { ObjectIdentifier($0) }.filter(kept.contains) != formerOrder.filter(kept.contains)
    // An update may have changed the order and restored it.
    let mayBeReordered = oracle.rearranges && (isReordered || wasUpdate)
    let mustSet: Bool? =
      isAssigned
      ? true
      : mayBeReordered
        ? nil
        : after.isEmpty || before.isEmpty
          ? false
          : !sharesTune ? true : !sharesSlot ? nil : false
    var wrong = watcher.check(mustSet: mustSet)
    let isChanged = oracle.assignsContent || oracle.content.map { ObjectIdentifier($0) } != content
    if watcher.notified.contains("content") != isChanged { wrong.append("content notified wrongly") }
    if watcher.notified.contains("sortDescriptors") != oracle.assignsOrders { wrong.append("sortDescriptors") }
    if watcher.notified.contains("filterPredicate") != oracle.assignsLimit { wrong.append("filterPredicate") }
    return wrong
  }

  private func update(_ body: () throws -> Void) throws {
    log.append("update {")
    isInUpdate = true
    defer { isInUpdate = false }
    var failure: (any Error)?
    oracle.update {
      list.update {
        do { try body() } catch { failure = error }
      }
    }
    if let failure { throw failure }
    log.append("}")
  }

  // MARK: Comparing

  private func compare() -> [String] {
    var faults: [String] = []
    func expect(_ key: String, _ isRight: Bool, _ text: @autoclosure () -> String) {
      if !isRight { faults.append("\(key): \(text())") }
    }
    let content = oracle.content.map(\.tune)
    expect("content", isSame(list.content, content), "\(list.content), not \(content)")
    let arranged = oracle.arranged.map(\.tune)
    expect("arranged", isSame(list.arrangedObjects, arranged), "\(list.arrangedObjects), not \(arranged)")
    expect(
      "indexes", list.selectionIndexes == oracle.selectionIndexes,
      "\(list.selectionIndexes), not \(oracle.selectionIndexes)")
    expect("index", list.selectionIndex == oracle.selectionIndexes.first, "\(String(describing: list.selectionIndex))")
    expect("selected", isSame(list.selectedObjects, oracle.selectedTunes), "\(list.selectedObjects)")
    expect("canAdd", list.canAdd == oracle.isEditable, "\(list.canAdd)")
    expect("canInsert", list.canInsert == oracle.isEditable, "\(list.canInsert)")
    expect("canRemove", list.canRemove == oracle.canRemove, "\(list.canRemove)")
    expect("canSelectNext", list.canSelectNext == oracle.canSelectNext, "\(list.canSelectNext)")
    expect("canSelectPrevious", list.canSelectPrevious == oracle.canSelectPrevious, "\(list.canSelectPrevious)")
    if let shelf, isBound { expect("model", isSame(shelf.tunes, content), "\(shelf.tunes)") }
    return faults
  }

  func isSame(_ left: [Tune], _ right: [Tune]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0 === $1 }
  }

  // MARK: Steps

  func tune() -> Tune {
    // Sometimes an object that is there already.
    if random.below(12) == 0, let slot = oracle.content.randomElement(using: &random) { return slot.tune }
    made += 1
    return Tune(String("abcdefghij".randomElement(using: &random) ?? "a"), rank: random.below(10))
  }

  func tunes(_ limit: Int) -> [Tune] {
    var result: [Tune] = []
    for _ in 0..<(1 + random.below(limit)) { result.append(tune()) }
    return result
  }

  func indexes(below count: Int) -> [Int] {
    (0..<count).filter { _ in random.below(3) == 0 }
  }

  /// Makes one random change of both.
  private func act() throws -> [String] {
    // Outside an update, each change is one.
    if oracle.depth > 0 { return try change() }
    var faults: [String] = []
    var failure: (any Error)?
    oracle.update {
      do { faults = try change() } catch { failure = error }
    }
    if let failure { throw failure }
    return faults
  }

  private func change() throws -> [String] {
    switch random.below(36) {
    case 0...3: try add()
    case 4...6: return try insert()
    case 7, 8: try remove()
    case 9...12: return try select()
    case 13, 14: sort()
    case 15, 16: filter()
    case 17: rearrange()
    case 18...23: try editModel()
    case 24...28: editElement()
    case 29, 30: setFlag()
    case 31: assign()
    case 32: try bind()
    case 33, 34: try write()
    default: return refuse()
    }
    return []
  }
}
