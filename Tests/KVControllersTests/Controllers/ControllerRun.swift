import KVControllers
import TestModels

/// A controller, its model and the oracle, which make the same random steps.
final class ControllerRun<Element: RandomElement> {
  var random: SplitMix64
  let list = KVArrayController { Element("new", rank: 0) }
  let oracle = ArrayControllerOracle<Element>()
  let makeShelf: ([Element]) -> RandomShelf<Element>
  var shelf: RandomShelf<Element>?
  var isBound = false
  var history: RandomHistory<Element>?
  /// What the model has inserted last.
  var latest: [Element] = []
  /// What may notify several times of the step, since it makes several updates.
  var repeated = Repeated.none

  enum Repeated {
    case none
    /// Paths that read a key of the elements which also moves or hides them.
    case readingElements
    /// All paths but the one that is written.
    case writing
    case all
  }
  private let watcher: ControllerWatcher<Element>?
  private let paths: PathWatcher<Element>?
  private var made = 0
  private(set) var isInUpdate = false
  var log: [String] = []

  init(
    seed: UInt64, isObserved: Bool, makeShelf: @escaping ([Element]) -> RandomShelf<Element> = { RandomShelf($0) }
  ) throws {
    random = SplitMix64(seed: seed)
    self.makeShelf = makeShelf
    watcher = isObserved ? try ControllerWatcher(list) : nil
    paths = isObserved ? try PathWatcher(list, oracle) : nil
  }

  /// Makes a step, and returns what is wrong.
  func step() throws -> [String] {
    // A released slot could have the identity of a new one.
    let slots = oracle.content
    defer { withExtendedLifetime(slots) {} }
    let before = Set(oracle.arranged.map { ObjectIdentifier($0) })
    let tunes = Set(oracle.arranged.map { $0.tune.identity })
    let content = oracle.content.map { ObjectIdentifier($0) }
    let formerOrder = oracle.arranged.map { ObjectIdentifier($0) }
    repeated = .none
    let start = log.count
    var faults = try random.below(9) == 0 ? replay() ?? change(history) : change(history)
    let wasUpdate = log[start...].contains("update {")
    if !faults.isEmpty { return faults }
    if dropRepeated() { repeated = .all }
    faults = compare() + (history?.faults() ?? [])
    if isBound, let shelf, history == nil {
      history = try RandomHistory(shelf) { [unowned self] edit in follow(edit) }
    }
    guard let watcher, let paths, faults.isEmpty else { return faults }
    var wrong = try paths.check(oracle, repeated)
    guard repeated != .all else {
      watcher.forget()
      return wrong
    }
    let after = oracle.arranged
    let isAssigned = oracle.assignsContent || oracle.assignsOrders
    let sharesSlot = after.contains { before.contains(ObjectIdentifier($0)) }
    let sharesTune = after.contains { tunes.contains($0.tune.identity) }
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
    wrong += watcher.check(mustSet: mustSet)
    let isChanged =
      oracle.assignsContent || oracle.isEditedByModel || oracle.content.map { ObjectIdentifier($0) } != content
    if watcher.notified.contains("content") != isChanged { wrong.append("content notified wrongly") }
    if watcher.notified.contains("sortDescriptors") != oracle.assignsOrders { wrong.append("sortDescriptors") }
    if watcher.notified.contains("filterPredicate") != oracle.assignsLimit { wrong.append("filterPredicate") }
    return wrong
  }

  /// Tells what may notify several times of a change, unless it is part of an update.
  func repeats(_ repeated: Repeated) { if !isInUpdate { self.repeated = repeated } }

  /// Makes random changes, which are one step of the history.
  private func change(_ history: RandomHistory<Element>?) throws -> [String] {
    let isUpdate = random.below(8) == 0
    let isGroup = isUpdate || random.below(2) == 0
    var faults: [String] = []
    func change() throws {
      guard isUpdate else { return faults = try act() }
      // The oracle's update has to be open while the controller's is, so that both make the same steps.
      try update {
        for _ in 0..<(1 + random.below(4)) { faults += try act() }
      }
    }
    if let history { try history.record(isGroup: isGroup, change) } else { try change() }
    return faults
  }

  func update(_ body: () throws -> Void) throws {
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
    if let shelf, isBound {
      let isRight =
        hasSet
        ? Set(shelf.elements.map(\.identity)) == Set(content.map(\.identity)) : isSame(shelf.elements, content)
      expect("model", isRight, "\(shelf.elements)")
    }
    return faults
  }

  func isSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.identity == $1.identity }
  }

  // MARK: Steps

  func tune() -> Element {
    // Sometimes an object that is there already.
    if random.below(12) == 0, let slot = oracle.content.randomElement(using: &random) { return slot.tune }
    made += 1
    return Element(String(Element.titles.randomElement(using: &random) ?? "a"), rank: random.below(Element.ranks))
  }

  func tunes(_ limit: Int) -> [Element] {
    var result: [Element] = []
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
    try inOracleUpdate { faults = try change() }
    return faults
  }

  func inOracleUpdate(_ body: () throws -> Void) throws {
    var failure: (any Error)?
    oracle.update {
      do { try body() } catch { failure = error }
    }
    if let failure { throw failure }
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
    case 18...23: return try editModel()
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
