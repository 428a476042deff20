import Foundation
import KVBinding
import KVTestSupport
import Testing

/// The options of keys that ask for more than a word (MOD.5).
@Suite struct OptionTests {
  private func changes(of object: some KVObservable, _ keys: String..., during body: () throws -> Void) throws
    -> [String]
  {
    var seen: [String] = []
    let tokens = try keys.map { key in
      try object.observe(key) { seen.append("\(key) \($0.kind) \($0.new ?? "nil")") }
    }
    try body()
    tokens.forEach { $0.cancel() }
    return seen
  }

  @Test("MOD.5: a view calls the methods that edit an array, also the one that replaces an element")
  func indexed() throws {
    let queue = Queue()
    let names = queue.mutableArray(forKey: "names")
    #expect(
      try changes(of: queue, "names") {
        try names.append("b")
        try names.replace(at: 0, with: "c")
        try names.remove(at: 1)
      } == ["names insertion [\"b\"]", "names replacement [\"c\"]", "names removal nil"])
    #expect(queue.names == ["c"])
    #expect(queue.calls == ["insert b 1", "replace 0 c", "remove 1"])
  }

  @Test("MOD.5: a view calls the methods that edit an array in bulk once for each edit, and not in place")
  func indexedInBulk() throws {
    let queue = Queue()
    let numbers = queue.mutableArray(forKey: "numbers")
    #expect(
      try changes(of: queue, "numbers") {
        try numbers.append(contentsOf: [4, 5])
        try numbers.replace(at: [0, 1], with: [8, 9])
        try numbers.remove(at: [0, 4])
      }.count == 3)
    #expect(queue.numbers == [9, 3, 4])
    #expect(queue.calls == ["insert [4, 5] [3, 4]", "replace [0, 1] [8, 9]", "remove [0, 4]"])
  }

  @Test("MOD.5: a key is written as a value of another type, and read as one")
  func converted() throws {
    let paint = Paint()
    try paint.setValue("green", forKey: "color")
    #expect(paint.color == .green)
    #expect(try paint.value(forKey: "color", as: String.self) == "green")
    #expect(throws: KVError.self) { try paint.setValue("blue", forKey: "color") }
    try paint.setValue(["a", "b"], forKey: "size")
    #expect(paint.count == 2)
    try paint.setValue(URL(filePath: "/a/b"), forKey: "depth")
    #expect(paint.depth == 3)
  }

  @Test("MOD.5: the validator of a struct is a static function or a closure")
  func validators() throws {
    var rating = Rating()
    guard case .replaced(let stars) = try rating.validate(9, forKeyPath: "stars"),
      case .replaced(let text) = try rating.validate("", forKeyPath: "text")
    else {
      Issue.record("not replaced")
      return
    }
    #expect(stars as? Int == 5 && text as? String == "none")
    try rating.setValue(4, forKey: "stars")
    #expect(rating.stars == 4)
  }

  @Test("MOD.1: a deprecated property that is ignored makes no warning")
  func deprecated() {
    #expect(Account.keyTable.keys.map(\.name) == ["name"])
  }
}
