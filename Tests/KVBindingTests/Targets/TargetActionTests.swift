import KVBinding
import KVCore
import KVTestSupport
import Testing

/// What actions are called with, and when.
@Suite("TGT.1, TGT.2, TGT.4: targets and actions")
struct TargetActionTests {
  private let item = TargetItem()
  private let target = TargetView()

  @Test("TGT.1: an action takes nothing or the record; methods and closures do")
  func kinds() throws {
    let actions = [TargetView.reload, TargetView.nameDidChange, TargetView.touch, TargetView.inspect]
    for action in actions {
      try item.addTarget(target, action, forKeyPath: "name")
    }
    item.name = "b"
    #expect(target.lines == ["reload", "name a → b", "touch", "inspected name a → b"])
    #expect(actions.map(\.takesChange) == [false, true, false, true])
  }

  @Test("TGT.1: the target is referenced weakly, and so is the object")
  func weak() throws {
    var target: TargetView? = TargetView()
    try item.addTarget(#require(target), TargetView.reload, forKeyPath: "name")
    expectReleased(&target)
    item.name = "b"
    #expect(isUnobserved(item))
  }

  @Test("TGT.2: called immediately over several paths: once in total without a parameter")
  func immediatelyWithoutParameter() throws {
    try item.addTarget(target, TargetView.reload, forKeyPaths: ["name", "count", "other.name"], options: .initial)
    #expect(target.take() == ["reload"])
    try item.addTarget(target, TargetView.reload, forKeyPaths: ["name"])
    #expect(target.lines.isEmpty)
  }

  @Test("KVO.1, TGT.2, OBS.1: an empty list of key paths is an error: nothing would be observed")
  func noPath() throws {
    let none: [any KVKeyPathConvertible] = []
    for body in [
      { try item.addTarget(target, TargetView.reload, forKeyPaths: none, options: .initial) },
      { try item.observe(none) { _ in } },
      { try item.observe(none, owner: target) { _, _ in } },
      { try KVObject().observe(item, none) { _, _, _, _ in } },
    ] as [() throws -> KVObservation] {
      let error = #expect(throws: KVError.self) { _ = try body() }
      #expect(error?.code == .invalidKeyPath)
      #expect(error?.message == "the list of key paths is empty; name one key path or more.")
    }
    #expect(target.lines.isEmpty)
    #expect(isUnobserved(item))
  }

  @Test("TGT.2, TGT.4: with a record once a path, in their order, with the value as new and no old")
  func immediatelyWithRecord() throws {
    item.count = 5
    try item.addTarget(
      target, TargetView.nameDidChange, forKeyPaths: ["count", "other.name", "name"], options: .initial)
    #expect(target.take() == ["count nil → 5", "other.name nil → nil", "name nil → a"])
    item.count = 6
    #expect(target.lines == ["count 5 → 6"])
  }

  @Test("TGT.2: every registration is there when the action is called immediately")
  func immediatelyIsLast() throws {
    let listing = KVAction<TargetView>("list") { [item] target in
      target.lines.append("\(KVDiagnostics.observations(of: item).count)")
    }
    try item.addTarget(target, listing, forKeyPaths: ["name", "count"], options: .initial)
    #expect(target.lines == ["2"])
  }

  @Test("TGT.4: equal values call, too")
  func equalValues() throws {
    try item.addTarget(target, TargetView.reload, forKeyPath: "count")
    try item.addTarget(target, TargetView.nameDidChange, forKeyPath: "name")
    item.count = 0
    item.name = "a"
    try item.setValue(0, forKey: "count")
    #expect(target.lines == ["reload", "name a → a", "reload"])
  }

  @Test("TGT.4: the record's object is the root, and its path the whole path")
  func rootObject() throws {
    let other = TargetItem()
    item.other = other
    var roots: [ObjectIdentifier] = []
    let action = KVAction<TargetView>("root") { _, change in
      roots.append(ObjectIdentifier(change.object))
      #expect(change.keyPath == "other.name")
    }
    try item.addTarget(target, action, forKeyPath: "other.name")
    other.name = "x"
    item.other = nil
    #expect(roots == [ObjectIdentifier(item), ObjectIdentifier(item)])
  }

  @Test("TGT.1, KVO.9: the same action registered twice is called twice")
  func duplicates() throws {
    try item.addTarget(target, TargetView.reload, forKeyPath: "name")
    try item.addTarget(target, TargetView.reload, forKeyPaths: ["name"])
    item.name = "b"
    #expect(target.lines == ["reload", "reload"])
  }

  @Test("TGT.1, KVO.13: one bad path of several: nothing is registered, nothing is called")
  func badPath() throws {
    for isImmediate in [true, false] {
      #expect(throws: KVError.self) {
        try item.addTarget(
          target, TargetView.reload, forKeyPaths: ["name", "nome"], options: isImmediate ? .initial : [])
      }
    }
    #expect(target.lines.isEmpty)
    #expect(isUnobserved(item))
  }

  @Test("TGT.1, THR.3: actions of targets of the main actor") @MainActor
  func mainActor() throws {
    let target = MainTarget()
    try item.addTarget(target, MainTarget.reload, forKeyPath: "name", options: .initial)
    try item.addTarget(target, KVAction("note", perform: { $0.note($1) }), forKeyPath: "name")
    try item.addTarget(target, KVAction("method", MainTarget.reloadData), forKeyPath: "name")
    item.name = "b"
    #expect(target.lines == ["reload", "reload", "b", "reload"])
    try item.removeTarget(target, forKeyPath: "name")
    #expect(isUnobserved(item))
  }
}

/// A target of the main actor.
@MainActor
private final class MainTarget {
  var lines: [String] = []

  static var reload: KVAction<MainTarget> { KVAction("reload", perform: { $0.reloadData() }) }

  func reloadData() { lines.append("reload") }

  func note(_ change: KVChange) { lines.append("\(change.new ?? "nil")") }
}
