import KVBinding
import KVCore
import TestModels

/// Stored keys, and keys that depend on two or more of them.
@KVModel final class WaveCell: KVObject {
  var s = 0
  var x = 0
  var y = 0
  var z = 0
  var items: [Int] = []
  var child: WaveCell?
  var sum: Int { x + y }
  var all: Int { s + x + y }

  /// A key that its setter makes of another one.
  var half: Int {
    get { x / 2 }
    set { x = newValue * 2 }
  }
}

/// What observers were notified of, in order.
final class WaveLog: LineLog {
  var lines: [String] = []

  func add(_ line: String) { lines.append(line) }

  func watch(_ object: some KVObservable, _ path: KVKeyPath, _ options: KVObservingOptions = [.old, .new]) throws
    -> KVObservation
  {
    try object.observe(path, options: options) { [self] change in
      let phase = change.isPrior ? " prior" : ""
      add("\(path)\(phase) \(change.old ?? "-") → \(change.new ?? "-")")
    }
  }
}
