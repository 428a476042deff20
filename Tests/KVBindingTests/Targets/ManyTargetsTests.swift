import KVBinding
import Testing

@Suite("TGT.3: many targets of an object, and many objects of a target")
struct ManyTargetsTests {
  /// A target that is an object of the program or an observable one.
  private func makeTarget(isObservable: Bool) -> AnyObject & TargetCounting {
    isObservable ? ObservableTarget() : PlainTarget()
  }

  private func add(_ target: AnyObject & TargetCounting, to item: TargetItem, _ path: String) throws {
    if let target = target as? ObservableTarget {
      try item.addTarget(target, KVAction("count") { $0.calls += 1 }, forKeyPath: path)
    } else if let target = target as? PlainTarget {
      try item.addTarget(target, KVAction("count") { $0.calls += 1 }, forKeyPath: path)
    }
  }

  @Test("TGT.3: each of many targets is removed, and the others stay", arguments: [false, true])
  func manyTargets(isObservable: Bool) throws {
    let item = TargetItem()
    let targets = (0..<50).map { _ in makeTarget(isObservable: isObservable) }
    for target in targets { try add(target, to: item, "name") }
    try item.removeTarget(targets[20], forKeyPath: "name")
    #expect(item.removeObservations(ownedBy: targets[30]) == 1)
    #expect(item.removeObservations(ownedBy: targets[30]) == 0)
    item.name = "b"
    #expect(targets.map(\.calls).reduce(0, +) == 48)
    #expect(targets[20].calls == 0 && targets[30].calls == 0)
    for target in targets { item.removeTarget(target) }
    #expect(isUnobserved(item))
  }

  @Test("TGT.3: one target is removed from one of many objects only", arguments: [false, true])
  func manyObjects(isObservable: Bool) throws {
    let target = makeTarget(isObservable: isObservable)
    let items = (0..<50).map { _ in TargetItem() }
    for item in items {
      item.other = items[0]
      for path in ["name", "count", "other.name"] { try add(target, to: item, path) }
    }
    try items[7].removeTarget(target, forKeyPath: "name")
    items[8].removeTarget(target)
    // A path of another object leads through the first one.
    #expect(items[0].removeObservations(ownedBy: target) == 3)
    for item in items[1...] { item.name = "b" }
    #expect(target.calls == 47)
    target.calls = 0
    items[0].name = "b"
    #expect(target.calls == 48)
    for item in items { item.removeTarget(target) }
    #expect(items.allSatisfy { isUnobserved($0) })
    items[0].other = nil
  }

  @Test("TGT.3: a target of many objects is removed from one with many targets")
  func manyOfBoth() throws {
    let item = TargetItem()
    let targets = (0..<20).map { _ in makeTarget(isObservable: false) }
    let others = (0..<20).map { _ in TargetItem() }
    for target in targets {
      try add(target, to: item, "name")
      for other in others { try add(target, to: other, "name") }
    }
    for target in targets { item.removeTarget(target) }
    #expect(isUnobserved(item))
    for other in others { other.name = "b" }
    #expect(targets.map(\.calls) == Array(repeating: 20, count: 20))
  }
}

private protocol TargetCounting: AnyObject {
  var calls: Int { get set }
}

private final class PlainTarget: TargetCounting {
  var calls = 0
}

private final class ObservableTarget: KVObject, TargetCounting {
  var calls = 0
}
