import KVBinding
import KVCore
import TestModels

/// What targets listen to.
final class TargetItem: KVObject {
  @KVProperty var name = "a"
  @KVProperty var count = 0
  @KVProperty var other: TargetItem?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TargetItem.self) { key in
      key("name", \.name)
      key("count", \.count)
      key("other", \.other)
    }
  }
}

/// A target that notes what it is called for.
final class TargetView: LineLog {
  var lines: [String] = []

  static var reload: KVAction<TargetView> { KVAction("reload", TargetView.reloadData) }
  static var nameDidChange: KVAction<TargetView> { KVAction("nameDidChange", TargetView.noteChange) }
  static var touch: KVAction<TargetView> { KVAction("touch", perform: { $0.lines.append("touch") }) }
  static var inspect: KVAction<TargetView> {
    KVAction("inspect") { target, change in
      target.lines.append("inspected \(change.keyPath) \(change.old ?? "nil") → \(change.new ?? "nil")")
    }
  }

  func reloadData() { lines.append("reload") }

  func noteChange(_ change: KVChange) {
    lines.append("\(change.keyPath) \(change.old ?? "nil") → \(change.new ?? "nil")")
  }
}
