import KVControllers

/// Observes all keys of an array controller, and checks the notifications of a step against its end (CTR.6–11).
final class ControllerWatcher<Element: RandomElement> {
  /// The keys in the order of registration.
  private let keys = [
    "canAdd", "content", "selectionIndex", "arrangedObjects", "canRemove", "selectedObjects", "selectionIndexes",
    "sortDescriptors", "canInsert", "filterPredicate", "selection", "canSelectNext", "canSelectPrevious",
    "arrangementError",
  ]

  /// What a handler can read of a controller.
  struct Snapshot: Equatable {
    let content: [AnyHashable]
    let arranged: [AnyHashable]
    let indexes: [Int]
    let index: Int?
    let selected: [AnyHashable]
    let flags: [Bool]
    let orders: [KVSortDescriptor]
    let filter: KVPredicate?
    let error: String?

    init(_ list: KVArrayController<Element>) {
      content = list.content.map(\.identity)
      arranged = list.arrangedObjects.map(\.identity)
      indexes = list.selectionIndexes
      index = list.selectionIndex
      selected = list.selectedObjects.map(\.identity)
      flags = [list.canAdd, list.canInsert, list.canRemove, list.canSelectNext, list.canSelectPrevious]
      orders = list.sortDescriptors
      filter = list.filterPredicate
      error = list.arrangementError?.message
    }
  }

  private struct Record {
    let key: String
    let change: KVChange
    let snapshot: Snapshot
  }

  private let list: KVArrayController<Element>
  private var tokens: [KVObservation] = []
  private var records: [Record] = []
  private var before: Snapshot
  private(set) var faults: [String] = []

  init(_ list: KVArrayController<Element>) throws {
    self.list = list
    before = Snapshot(list)
    for key in keys {
      tokens.append(
        try list.observe(key) { [unowned self] change in
          records.append(Record(key: key, change: change, snapshot: Snapshot(self.list)))
        })
    }
  }

  /// The keys that the last step has notified of, each once.
  private(set) var notified: Set<String> = []

  /// Checks the notifications since the last call, and returns what is wrong.
  ///
  /// - Parameter mustSet: Whether `arrangedObjects` has to notify of a setting; nil if either is right.
  func check(mustSet: Bool?) -> [String] {
    faults = []
    let after = Snapshot(list)
    let records = records
    self.records = []
    notified = Set(records.map(\.key))
    for key in keys {
      let own = records.filter { $0.key == key }
      if own.count > (key == "arrangedObjects" ? 2 : 1) { faults.append("\(key) notified \(own.count) times") }
      for record in own { check(record, after) }
    }
    checkArrangement(records.filter { $0.key == "arrangedObjects" }, after, mustSet)
    checkOrder(records)
    let isFirst = records.first.map { $0.key == "arrangedObjects" && $0.change.kind == .removal } ?? false
    for (index, record) in records.enumerated() where record.snapshot != after {
      if index == 0, isFirst, records.dropFirst().contains(where: { $0.key == "arrangedObjects" }) { continue }
      faults.append("a handler of \(record.key) reads another state than the final one")
    }
    checkMissing(after)
    before = after
    return faults
  }

  /// Forgets what several updates have notified of.
  func forget() {
    records = []
    before = Snapshot(list)
  }

  private func identities(_ value: Any?) -> [AnyHashable]? { (value as? [Element])?.map(\.identity) }

  private func check(_ record: Record, _ after: Snapshot) {
    let (old, new) = (record.change.old, record.change.new)
    let isRight =
      switch record.key {
      case "selectionIndexes": old as? [Int] == before.indexes && new as? [Int] == after.indexes
      case "selectionIndex": old as? Int == before.index && new as? Int == after.index
      case "selectedObjects": identities(old) == before.selected && identities(new) == after.selected
      case "sortDescriptors": old as? [KVSortDescriptor] == before.orders && new as? [KVSortDescriptor] == after.orders
      case "filterPredicate": old as? KVPredicate == before.filter && new as? KVPredicate == after.filter
      case "canAdd": old as? Bool == before.flags[0] && new as? Bool == after.flags[0]
      case "canInsert": old as? Bool == before.flags[1] && new as? Bool == after.flags[1]
      case "canRemove": old as? Bool == before.flags[2] && new as? Bool == after.flags[2]
      case "canSelectNext": old as? Bool == before.flags[3] && new as? Bool == after.flags[3]
      case "canSelectPrevious": old as? Bool == before.flags[4] && new as? Bool == after.flags[4]
      case "content": replay(record.change, on: before.content) == after.content
      default: true
      }
    if !isRight { faults.append("\(record.key): wrong values in \(record.change)") }
  }

  /// Applies a record to a copy of an array; nil if its old elements are not there.
  private func replay(_ change: KVChange, on array: [AnyHashable]) -> [AnyHashable]? {
    var array = array
    let (old, new) = (identities(change.old) ?? [], identities(change.new) ?? [])
    guard change.kind != .setting else { return old == array ? new : nil }
    guard let indexes = change.indexes, !indexes.isEmpty else { return nil }
    switch change.kind {
    case .insertion:
      guard indexes.count == new.count else { return nil }
      for (index, object) in zip(indexes, new) where index <= array.count { array.insert(object, at: index) }
    case .removal:
      guard (indexes.last ?? 0) < array.count, indexes.map({ array[$0] }) == old else { return nil }
      for index in indexes.reversed() { array.remove(at: index) }
    default:
      guard (indexes.last ?? 0) < array.count, indexes.map({ array[$0] }) == old, indexes.count == new.count
      else { return nil }
      for (index, object) in zip(indexes, new) { array[index] = object }
    }
    return array
  }

  private func checkArrangement(_ records: [Record], _ after: Snapshot, _ mustSet: Bool?) {
    var array: [AnyHashable]? = before.arranged
    for (position, record) in records.enumerated() {
      array = array.flatMap { replay(record.change, on: $0) }
      if position == 0, records.count == 2 {
        if record.change.kind != .removal { faults.append("the first of two records is no removal") }
        if array != record.snapshot.arranged { faults.append("handlers of the removal read another arrangement") }
        if record.snapshot.selected != record.snapshot.indexes.map({ record.snapshot.arranged[$0] }) {
          faults.append("the selection during the removal is no part of the arrangement")
        }
      } else if position == 1, record.change.kind != .insertion {
        faults.append("the second of two records is no insertion")
      }
    }
    if array != after.arranged {
      faults.append("replaying \(records.map(\.change)) on \(before.arranged.count) objects yields another arrangement")
    }
    if let mustSet, !records.isEmpty || mustSet, (records.first?.change.kind == .setting) != mustSet {
      faults.append("the arrangement notified of \(records.map(\.change.kind)), a setting: \(mustSet)")
    }
  }

  /// Observers are called in the order of registration, except by the removal that precedes all others.
  private func checkOrder(_ records: [Record]) {
    var order = records.compactMap { keys.firstIndex(of: $0.key) }
    if records.count > 1, records[0].key == "arrangedObjects", records[0].change.kind == .removal,
      records.dropFirst().contains(where: { $0.key == "arrangedObjects" })
    {
      order.removeFirst()
    }
    if order != order.sorted() { faults.append("the order of delivery is \(records.map(\.key))") }
  }

  /// Compares which keys have notified with those whose values differ (CTR.9).
  private func checkMissing(_ after: Snapshot) {
    let objects = after.selected != before.selected
    let indexes = objects || after.indexes != before.indexes
    var expected: [String: Bool] = [
      "selectionIndexes": indexes, "selectionIndex": objects || after.index != before.index,
      "selectedObjects": objects, "selection": objects,
    ]
    for (index, key) in ["canAdd", "canInsert", "canRemove", "canSelectNext", "canSelectPrevious"].enumerated() {
      expected[key] = after.flags[index] != before.flags[index]
    }
    expected["arrangementError"] = after.error != before.error
    for (key, isExpected) in expected where notified.contains(key) != isExpected {
      faults.append("\(key) \(isExpected ? "did not notify" : "notified without need")")
    }
  }
}
