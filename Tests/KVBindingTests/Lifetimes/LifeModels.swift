import KVBinding
import KVCore
import TestModels
import Testing

/// A node of the graphs that live and die here.
class LifeNode: KVObject {
  @KVProperty var name: String
  @KVProperty var next: LifeNode?
  @KVProperty var items: [Int] = []
  @KVProperty var tags: Set<Int> = []
  /// Not retained, and told of when it is written by key.
  weak var companion: LifeNode?
  /// Called at the start of `deinit`, which is the only moment when a dying node still runs code of its own.
  var whenDying: ((String) -> Void)?

  init(_ name: String = "", next: LifeNode? = nil) {
    self.name = name
    self.next = next
  }

  deinit { whenDying?(name) }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: LifeNode.self) { key in
      key("name", \.name)
      key("next", \.next)
      key("items", \.items)
      key("tags", \.tags)
      key("companion", \.companion)
    }
  }
}

/// An owner that is no object of ours.
final class LifeOwner: KVObserver {}

/// Counts itself: what a handler captured is gone when the count is back at zero.
///
/// What has no owner any more can be released by any thread that registers.
final class LifeCapture {
  final class Count: Sendable {
    private let number = Mutexed(0)
    var alive: Int { number.withLock { $0 } }

    func add(_ difference: Int) { number.withLock { $0 += difference } }
  }

  private let count: Count

  init(_ count: Count) {
    self.count = count
    count.add(1)
  }

  deinit { count.add(-1) }
}

/// What was heard, in order.
final class LifeLog: LineLog {
  var lines: [String] = []

  func note(_ change: KVChange) { lines.append("\(text(change.old)) → \(text(change.new))") }

  private func text(_ value: Any?) -> String { value.map { "\($0)" } ?? "nil" }
}

/// Whether an object has no entry of any kind left: nor one of its own, nor one of a path that passes through it.
func isUnobserved(_ object: some KVObservable) -> Bool {
  // Listing ends what belonged to owners that are gone.
  guard KVDiagnostics.observations(of: object).isEmpty else { return false }
  return (object.registrarSlot.registrar?.masks ?? (0, 0, 0, 0)) == (0, 0, 0, 0)
}
