import KVTestSupport

// Models whose coding does not comply, each in one respect.

/// Depends on a key that does not exist.
final class UnknownDependency: KVObject {
  @KVProperty var price = 1.0
  var total: Double { price }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: UnknownDependency.self) { key in
      key("price", \.price)
      key("total", \.total).affected(by: "prise")
    }
  }
}

/// Shows its mirror a key that it cannot be asked for.
struct Elusive: KeyValueCoding, CustomReflectable {
  private final class Count {
    var shown = 0
  }
  private let count = Count()

  var customMirror: Mirror {
    count.shown += 1
    return Mirror(self, children: count.shown == 1 ? ["there": 1] : [:])
  }
}

/// Reads a key by a hook, and takes none.
final class HalfHooked: KVObject {
  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    guard key == "extra" else { return try super.value(forUndefinedKey: key) }
    return 1
  }
}

/// Its setters do not store what they are given.
final class Losing: KVObject {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Losing.self) { key in key("name", { _ in "Ada" }, set: { _, _ in }) }
  }
}

/// Its setter passes over nil.
final class KeepingNil: KVObject {
  @KVProperty private var note: String?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: KeepingNil.self) { key in
      key("note", { $0.note }, set: { if let note = $1 { $0.note = note } })
    }
  }
}

/// Holds a value that its validator refuses.
final class RefusedFromStart: KVObject {
  struct Negative: Error, CustomStringConvertible {
    let description = "it is negative"
  }
  @KVProperty var age = -1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RefusedFromStart.self) { key in
      key("age", \.age).validated { if $0 < 0 { throw Negative() } else { .valid } }
    }
  }
}

/// Holds a value that its validator replaces, unless it is given another one.
final class ReplacedFromStart: KVObject {
  @KVProperty var age: Int

  init(age: Int = -1) { self.age = age }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ReplacedFromStart.self) { key in
      key("age", \.age).validated { $0 < 0 ? .replaced(with: 0) : .valid }
    }
  }
}

/// One line names the property of the other one.
final class Swapped: KVObject {
  @KVProperty var width = 1.0
  @KVProperty var height = 2.0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Swapped.self) { key in
      key("width", \.height)
      key("height", \.height)
    }
  }
}

/// The same of a value, and of properties that are equal at the start.
struct SwappedSize: KeyValueCoding {
  var width = 1.0
  var height = 1.0

  static var keyTable: KVTable {
    KVTable(SwappedSize.self) { key in
      key("width", \.height)
      key("height", \.height)
    }
  }
}

/// Has a property that nothing reaches.
final class Forgotten: KVObject {
  @KVProperty var name = "a"
  @KVProperty var age = 1
  /// Reached by a key of another name.
  @KVProperty private var weight = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Forgotten.self) { key in
      key("name", \.name)
      key("mass", \.weight)
    }
  }
}
