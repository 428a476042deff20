import KVCore

/// To-many keys that count how often they are read and written.
final class CountingShelf: KVObject {
  var items: [Int]
  var kept: [Int]
  var marks: Set<Int> = [1, 2]
  var reads = 0
  var writes = 0

  init(_ items: [Int] = [1, 2, 3]) {
    self.items = items
    kept = items
  }

  /// Returns how often keys were read and written since the last call.
  func takeAll() -> [Int] {
    defer { (reads, writes) = (0, 0) }
    return [reads, writes]
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CountingShelf.self) { key in
      key(
        "items",
        { shelf in
          shelf.reads += 1
          return shelf.items
        },
        set: { shelf, value in
          shelf.writes += 1
          shelf.items = value
        })
      key(
        "kept",
        { shelf in
          shelf.reads += 1
          return shelf.kept
        },
        set: { shelf, value in
          shelf.writes += 1
          shelf.kept = value
        }
      ).indexed(insert: { $0.kept.insert($1, at: $2) }, remove: { $0.kept.remove(at: $1) })
      key(
        "marks",
        { shelf in
          shelf.reads += 1
          return shelf.marks
        },
        set: { shelf, value in
          shelf.writes += 1
          shelf.marks = value
        })
    }
  }
}
