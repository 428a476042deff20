import Foundation
import KVTestSupport

// Correct models of many kinds, which `expectCompliant` must not find fault with.

/// A generic class.
final class Box<Content>: KVObject {
  @KVProperty var content: Content
  @KVProperty var title = "box"
  init(_ content: Content) { self.content = content }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Box.self) { key in
      key("content", \.content)
      key("title", \.title)
    }
  }
}

enum Shape {
  case circle(Double)
  case square(side: Double)
  case none
}

/// Nothing but what is hard: payloads, closures, lazy and weak properties, tuples, and types of which nothing is known.
final class Curious: KVObject {
  @KVProperty var shape = Shape.circle(1)
  @KVProperty var closure: () -> Int = { 1 }
  @KVProperty var handler: ((String) -> Void)?
  @KVProperty var any: Any = 1
  @KVProperty var text: Substring = "a"
  @KVProperty var letter: Character = "a"
  @KVProperty var range = 1...3
  @KVProperty var span: Duration = .seconds(1)
  @KVProperty var outcome: Result<Int, KVFixtures.Fault> = .success(1)
  @KVProperty var float: Float = 0.1
  @KVProperty var big = Int.max
  @KVProperty var tiny = Int8.min
  @KVProperty var odd = Double.nan
  @KVProperty var infinite = Double.infinity
  @KVProperty var nested: [[Int]] = [[1], []]
  @KVProperty var byName: [String: [Int]] = ["a": [1]]
  @KVProperty var deep: Int?? = .some(nil)
  @KVProperty var maybe: [Int?] = [1, nil]
  @KVProperty var type: Any.Type = Int.self
  weak var other: Curious?
  lazy var late = 3

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Curious.self) { key in
      key("shape", \.shape)
      key("closure", \.closure)
      key("handler", \.handler)
      key("any", \.any)
      key("text", \.text)
      key("letter", \.letter)
      key("range", \.range)
      key("span", \.span)
      key("outcome", \.outcome)
      key("float", \.float)
      key("big", \.big)
      key("tiny", \.tiny)
      key("odd", \.odd)
      key("infinite", \.infinite)
      key("nested", \.nested)
      key("byName", \.byName)
      key("deep", \.deep)
      key("maybe", \.maybe)
      key("type", \.type)
    }
  }
}

/// Each kind of optional.
final class Hollow: KVObject {
  @KVProperty var number: Int?
  @KVProperty var text: String?
  @KVProperty var truth: Bool?
  @KVProperty var list: [Int]?
  @KVProperty var set: Set<Int>?
  @KVProperty var table: [String: Int]?
  @KVProperty var date: Date?
  @KVProperty var shape: Shape?
  @KVProperty var next: Hollow?
  @KVProperty var hand: KVFixtures.Hand?
  @KVProperty var mood: KVFixtures.Mood?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Hollow.self) { key in
      key("number", \.number)
      key("text", \.text)
      key("truth", \.truth)
      key("list", \.list)
      key("set", \.set)
      key("table", \.table)
      key("date", \.date)
      key("shape", \.shape)
      key("next", \.next)
      key("hand", \.hand)
      key("mood", \.mood)
    }
  }
}

/// Three levels of dependence, across objects, and values that are computed for reading and writing.
final class Leaf: KVObject {
  @KVProperty var celsius = 20.0
  var fahrenheit: Double {
    get { celsius * 9 / 5 + 32 }
    set { celsius = (newValue - 32) * 5 / 9 }
  }
  var text: String { "\(celsius)°" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Leaf.self) { key in
      key("celsius", \.celsius)
      key("fahrenheit", \.fahrenheit).affected(by: "celsius")
      key("text", \.text).affected(by: "celsius")
    }
  }
}

final class Branch: KVObject {
  @KVProperty var leaf = Leaf()
  @KVProperty var spare: Leaf?
  var text: String { "[\(leaf.text)\(spare?.text ?? "")]" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Branch.self) { key in
      key("leaf", \.leaf)
      key("spare", \.spare)
      key("text", \.text).affected(by: "leaf.text", "spare.text")
    }
  }
}

final class Trunk: KVObject {
  @KVProperty var branch: Branch? = Branch()
  @KVProperty var branches: [Branch] = [Branch()]
  var text: String { "(\(branch?.leaf.text ?? "-")\(branches.count))" }
  var shout: String { "\(text)!" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Trunk.self) { key in
      key("branch", \.branch)
      key("branches", \.branches)
      key("text", \.text).affected(by: "branch.leaf.text", "branches.@count")
      key("shout", \.shout).affected(by: "text")
    }
  }
}

/// Limits that depend on another key: what is made up has to respect them.
final class Bounds: KVObject {
  @KVProperty var low = 0
  @KVProperty var high = 10
  var isOpen: Bool {
    get { high > low }
    set { high = newValue ? low + 1 : low }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Bounds.self) { key in
      key("low", \.low)
      key("high", \.high)
      key("isOpen", \.isOpen).affected(by: "low", "high")
    }
  }
}

/// Only what is listed, and values that a setter moves into bounds.
final class Strict: KVObject {
  @KVProperty var percent = 50.0
  @KVProperty var code = "AB"
  var secret = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Strict.self, listedKeysOnly: true) { key in
      key("percent", { $0.percent }, set: { $0.percent = min(max($1, 0), 100) })
      key("code", \.code).validated { code in
        if code.count != 2 { throw KVFixtures.Fault() }
        return .replaced(with: code.uppercased())
      }
    }
  }
}

/// Sixty keys.
final class Wide: KVObject {
  @KVProperty var values = [Int](repeating: 0, count: 60)

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Wide.self) { key in
      key("values", \.values)
      for number in 0..<60 {
        key("value\(number)", { $0.values[number] }, set: { $0.values[number] = $1 }).affected(by: "values")
      }
    }
  }
}

@MainActor
final class Screen: KVObject {
  @KVProperty var title = "screen"
  @KVProperty var rows: [String] = ["a"]
  @KVProperty var detail: Screen?
  var count: Int { rows.count }

  override nonisolated init() {}

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: Screen.self) { @MainActor key in
      key("title", \.title)
      key("rows", \.rows)
      key("detail", \.detail)
      key("count", \.count).affected(by: "rows")
    }
  }
}

/// A value with a table, and values in it.
struct Postcard: KeyValueCoding {
  struct Stamp: KeyValueCoding {
    var cents = 50
    static var keyTable: KVTable { KVTable(Stamp.self) { key in key("cents", \.cents) } }
  }
  var text = "hello"
  var stamp = Stamp()
  var lines: [String] = []
  var length: Int { text.count }
  let id = UUID()

  static var keyTable: KVTable {
    KVTable(Postcard.self) { key in
      key("text", \.text)
      key("stamp", \.stamp)
      key("lines", \.lines)
      key("length", \.length)
      key("id", \.id)
    }
  }
}
