import KVBinding
import KVCore
import TestModels
import Testing

/// What is changed inside of scopes.
final class ScopeItem: KVObject {
  struct Size: KeyValueCoding, Equatable {
    var width = 1
    var height = 2
    static var keyTable: KVTable {
      KVTable(Size.self) { key in
        key("width", \.width)
        key("height", \.height)
      }
    }
  }

  @KVProperty var name = "a"
  @KVProperty var count = 0
  @KVProperty var note: String?
  @KVProperty var list: [Int] = []
  @KVProperty var members: Set<Int> = []
  @KVProperty var size = Size()
  @KVProperty var other: ScopeItem?
  @KVProperty var others: [ScopeItem] = []
  /// Edited by functions of its own.
  var shelf: [Int] = []
  var bag: Set<Int> = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ScopeItem.self) { key in
      key("name", \.name).alias("title")
      key("count", \.count)
      key("note", \.note)
      key("list", \.list)
      key("members", \.members)
      key("size", \.size)
      key("other", \.other)
      key("others", \.others)
      key("shelf", \.shelf).indexed(
        insert: { $0.shelf.insert($1, at: $2) }, remove: { $0.shelf.remove(at: $1) },
        replace: { $0.shelf[$1] = $2 }
      ).alias("rack")
      key("bag", \.bag).unordered(add: { $0.bag.formUnion($1) }, remove: { $0.bag.subtract($1) })
    }
  }
}

/// A target that notes what it is called for.
final class ScopeTarget: LineLog {
  var lines: [String] = []

  static var count: KVAction<ScopeTarget> { KVAction("count", perform: { $0.lines.append("called") }) }
  static var again: KVAction<ScopeTarget> { KVAction("again", perform: { $0.lines.append("again") }) }
  static var note: KVAction<ScopeTarget> {
    KVAction("note") { target, change in
      target.lines.append("\(change.keyPath) \(change.kind) \(change.old ?? "nil") → \(change.new ?? "nil")")
    }
  }
}

struct ScopeFailure: Error {}

/// Runs a body in a transaction that fails afterwards.
func undone(_ body: () throws -> Void) {
  #expect(throws: ScopeFailure.self) {
    try KVTransaction.run {
      try body()
      throw ScopeFailure()
    }
  }
}
