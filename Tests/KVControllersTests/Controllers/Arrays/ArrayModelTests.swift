import Foundation
import KVCore
import TestModels
import Testing

@testable import KVControllers

/// Random edits of an array model beside a naive one, without a controller and without observers (CTR).
///
/// `KV_CONTROLLER_STEPS` sets another number of steps for each seed, for longer runs.
@Suite struct ArrayModelTests {
  private static var steps: Int {
    ProcessInfo.processInfo.environment["KV_CONTROLLER_STEPS"].flatMap { Int($0) } ?? Extent.rounds(200, of: 2000)
  }

  @Test(
    "CTR.9, CTR.11, CTR.17–31: each edit has the next state of the rules, and notifies of what differs",
    arguments: Array(51...58) as [UInt64])
  func objects(seed: UInt64) throws { try walk(seed, ModelRun<Tune>(seed: seed)) }

  @Test("CTR.2, CTR.9, CTR.28: the same of values, many of which are equal", arguments: Array(61...64) as [UInt64])
  func values(seed: UInt64) throws { try walk(seed, ModelRun<RandomNote>(seed: seed)) }

  private func walk<Element: RandomElement>(_ seed: UInt64, _ run: ModelRun<Element>) throws {
    for step in 0..<Self.steps {
      let faults = try run.step()
      if faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.log.suffix(6)): \(faults.joined(separator: "; "))")
      return
    }
  }
}

/// An array model and the oracle, which make the same random edits.
private final class ModelRun<Element: RandomElement>: ArrayModelHost {
  private typealias Keys = KVController.Keys

  private var random: SplitMix64
  private let model = ArrayModel<Element>()
  private let oracle = ArrayControllerOracle<Element>()
  private(set) var log: [String] = []
  /// The arrays as the notifications tell of them.
  private var replayed: (content: [Element], arranged: [Element]) = ([], [])
  private var faults: [String] = []
  private var made: [KeyChange] = []

  private(set) var isUpdating = false
  let canAdd = true
  let isSetByModel = false
  func isObserved(_ key: InternedKey) -> Bool { true }

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    model.host = self
  }

  /// Makes one edit, or an update of several.
  func step() throws -> [String] {
    faults = []
    let before = model.snapshot
    // A change of the whole arrangement is always part of an update.
    if random.below(4) == 0 {
      let count = 1 + random.below(4)
      log.append("update {")
      try update {
        for _ in 0..<count { try random.below(3) == 0 ? rearrange() : edit() }
      }
      log.append("}")
    } else {
      try edit()
    }
    compare(model.snapshot, since: before)
    return faults
  }

  private func update(_ body: () throws -> Void) throws {
    let before = model.snapshot
    isUpdating = true
    made = []
    var failure: Result<Void, any Error> = .success(())
    oracle.update { failure = Result { try body() } }
    isUpdating = false
    if case .failure(let error) = failure { throw error }
    let update = model.combined(made, since: before) { _, _ in }
    // Observers see the state before while the update is computed, as its old values are read then.
    model.present(before)
    deliver(update) { self.model.presented = nil }
  }

  // MARK: Edits

  private func edit() throws {
    switch random.below(10) {
    case 0, 1:
      let tunes = tunes()
      log.append("add \(tunes)")
      make(
        model.insertion(
          of: tunes, at: tunes.indices.map { model.content.count + $0 }, selection: model.effectOfInsertion))
      oracle.update {
        let slots = oracle.insertInContent(tunes, at: oracle.content.count)
        if oracle.selectsInserted { oracle.select(slots.filter(isArranged)) }
      }
    case 2, 3:
      let tunes = tunes()
      let index = random.below(model.content.count + 1)
      log.append("insert \(tunes) at \(index)")
      make(model.insertion(of: tunes, at: tunes.indices.map { index + $0 }))
      oracle.update { _ = oracle.insertInContent(tunes, at: index) }
    case 4, 5:
      let indexes = indexes(below: model.content.count)
      log.append("remove \(indexes)")
      make(model.removal(at: indexes.reversed()))
      oracle.update { oracle.removeFromContent(indexes.map { oracle.content[$0] }) }
    case 6:
      let indexes = indexes(below: model.content.count)
      let tunes = indexes.map { _ in tune() }
      log.append("replace \(indexes) by \(tunes)")
      make(model.replacement(at: indexes + [nil], with: tunes + [tune()]))
      oracle.update { oracle.replaceInContent(at: indexes, with: tunes) }
    case 7, 8:
      let indexes = indexes(below: model.arrangement.elements.count)
      log.append("select \(indexes)")
      make(model.selection(indexes + [model.arrangement.elements.count]))
      oracle.select(indexes.map { oracle.arranged[$0] })
    default:
      let (avoids, preserves) = (random.below(2) == 0, random.below(2) == 0)
      log.append("avoids \(avoids), preserves \(preserves)")
      make(model.avoidance(avoids))
      make(model.setting(Keys.preservesSelection) { $0.preservesSelection = preserves })
      make(model.setting(Keys.selectsInsertedObjects) { $0.selectsInsertedObjects = avoids })
      (oracle.avoidsEmpty, oracle.preserves, oracle.selectsInserted) = (avoids, preserves, avoids)
      oracle.update { if avoids { oracle.avoidEmpty() } }
    }
  }

  /// Makes a change of the whole arrangement.
  private func rearrange() throws {
    switch random.below(5) {
    case 0:
      let orders = random.below(3) == 0 ? [] : RandomOrder.allCases.shuffled(using: &random).prefix(2)
      log.append("sort by \(orders)")
      make(try model.descriptors(orders.map(\.descriptor), isStrict: true))
      oracle.update {
        oracle.orders = Array(orders)
        oracle.assignsOrders = true
        oracle.rearrange()
      }
    case 1:
      let limit = random.below(3) == 0 ? nil : random.below(Element.ranks)
      log.append("filter \(limit.map { "rank < \($0)" } ?? "nothing")")
      make(try model.predicate(limit.map { try KVPredicate(format: "rank < \(String($0))") }, isStrict: true))
      oracle.update {
        oracle.limit = limit
        oracle.rearrange()
      }
    case 2:
      let tunes = tunes() + model.content.shuffled(using: &random).prefix(3)
      log.append("assign \(tunes)")
      make(model.assignment(tunes, selectsAll: false))
      oracle.assign(tunes)
    case 3:
      log.append("rearrange")
      make(model.rearrangement())
      oracle.update { oracle.rearrange() }
    default:
      let isAutomatic = random.below(2) == 0
      log.append("automatic \(isAutomatic)")
      let isTurnedOn = isAutomatic && !oracle.isAutomatic
      make(model.automation(isAutomatic))
      if isTurnedOn { make(model.rearrangement()) }
      oracle.setAutomatic(isAutomatic)
    }
  }

  private func make(_ update: KeyUpdate?) {
    guard let update else { return }
    guard isUpdating else { return deliver(update) }
    if !update.first.isEmpty { update.applyFirst() }
    update.apply()
    made += update.first + update.changes
  }

  // MARK: Notifications

  /// Applies an update, and replays what it notifies of.
  private func deliver(_ update: KeyUpdate, _ present: () -> Void = {}) {
    let former = (model.presentedState.selection, model.presentedElements)
    if !update.first.isEmpty {
      update.applyFirst()
      update.first.forEach(replay)
      if !isSame(replayed.arranged, model.presentedElements) {
        faults.append("the first change is not the state between")
      }
    }
    present()
    update.apply()
    update.changes.forEach(replay)
    let keys = update.changes.map(\.key)
    if Set(keys).count != keys.count { faults.append("a key notifies twice: \(keys)") }
    let (old, new) = (former.0, model.state.selection)
    func expect(_ key: InternedKey, _ differs: Bool) {
      if keys.contains(key) != differs { faults.append("\(key) notifies: \(!differs)") }
    }
    let isSame = isSame(former.1[at: old.indexes], model.arrangement.elements[at: new.indexes])
    expect(Keys.selectionIndexes, !isSame || old != new)
    expect(Keys.selectedObjects, !isSame)
    expect(Keys.selection, !isSame)
    let count = model.arrangement.elements.count
    expect(Keys.canSelectNext, (old.next(count: former.1.count) == nil) != (new.next(count: count) == nil))
    expect(Keys.canSelectPrevious, (old.previous == nil) != (new.previous == nil))
  }

  private func replay(_ change: KeyChange) {
    if change.key == Keys.content { replay(change, &replayed.content, model.content) }
    if change.key == Keys.arrangedObjects { replay(change, &replayed.arranged, model.arrangement.elements) }
  }

  private func replay(_ change: KeyChange, _ array: inout [Element], _ final: [Element]) {
    guard change.kind != .setting, let indexes = change.indexes else {
      array = final
      return
    }
    let (old, new) = (change.old as? [Element] ?? [], change.new as? [Element] ?? [])
    if change.kind.removes, !isSame(array[at: indexes], old) {
      faults.append("\(change.key): the old elements are others")
    }
    if change.kind == .removal { for index in indexes.reversed() { array.remove(at: index) } }
    if change.kind == .insertion { for (index, element) in zip(indexes, new) { array.insert(element, at: index) } }
    if change.kind == .replacement { for (index, element) in zip(indexes, new) { array[index] = element } }
  }

  // MARK: Comparing

  private func compare(_ now: ArraySnapshot<Element>, since before: ArraySnapshot<Element>) {
    func expect(_ isRight: Bool, _ text: @autoclosure () -> String) { if !isRight { faults.append(text()) } }
    expect(isSame(now.content, oracle.content.map(\.tune)), "content \(now.content)")
    expect(
      isSame(now.arranged, oracle.arranged.map(\.tune)), "arranged \(now.arranged), not \(oracle.arranged.map(\.tune))")
    let (selected, right) = (now.state.selection.indexes, oracle.selectionIndexes)
    expect(selected == right, "selected \(selected), not \(right)")
    expect(isSame(replayed.content, now.content), "the changes of the content lead to \(replayed.content)")
    expect(isSame(replayed.arranged, now.arranged), "the changes of the arrangement lead to \(replayed.arranged)")
    let isChanged = now.state.selection != before.state.selection || !isSame(now.content, before.content)
    expect(!isChanged || now.state.version != before.state.version, "the version has not changed")
  }

  private func isSame(_ left: [Element], _ right: [Element]) -> Bool {
    left.count == right.count && zip(left, right).allSatisfy { $0.identity == $1.identity }
  }

  private func isArranged(_ slot: ArrayControllerOracle<Element>.Slot) -> Bool {
    oracle.arranged.contains { $0 === slot }
  }

  // MARK: Elements

  private func tune() -> Element {
    // Sometimes an object that is there already.
    if random.below(12) == 0, let slot = oracle.content.randomElement(using: &random) { return slot.tune }
    return Element(String(Element.titles.randomElement(using: &random) ?? "a"), rank: random.below(Element.ranks))
  }

  private func tunes() -> [Element] { (0...random.below(3)).map { _ in tune() } }

  private func indexes(below count: Int) -> [Int] { (0..<count).filter { _ in random.below(3) == 0 } }
}

extension RandomOrder {
  fileprivate var descriptor: KVSortDescriptor {
    switch self {
    case .rankUp: KVSortDescriptor("rank")
    case .rankDown: KVSortDescriptor("rank", ascending: false)
    case .titleUp: KVSortDescriptor("title")
    }
  }
}
