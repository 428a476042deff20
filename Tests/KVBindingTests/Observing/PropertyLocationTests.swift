import KVBinding
import KVCore
import Testing

@Suite("KVO.14: each property notifies of itself, wherever its value stands")
struct PropertyLocationTests {
  @Test("KVO.14: properties of a class and its subclass, with values of any size")
  func anySize() throws {
    let object = LocatedChild()
    var lines: [String] = []
    let keys = ["first", "nothing", "wide", "flag", "last", "own"]
    let tokens = try keys.map { key in try object.observe(key, options: []) { lines.append("\($0.keyPath)") } }
    for _ in 0..<3 {
      object.first = "b"
      object.nothing = ()
      object.wide = (1, 2, 3)
      object.flag.toggle()
      object.last = { 2 }
      object.own += 1
    }
    #expect(lines == keys + keys + keys)
    withExtendedLifetime(tokens) {}
  }

  @Test("KVO.14: the same property in generic classes of several types")
  func generic() throws {
    var lines: [String] = []
    func check<Value>(_ value: Value) throws {
      let object = LocatedBox(value)
      let tokens = try ["before", "content", "after"].map { key in
        try object.observe(key, options: []) { lines.append("\($0.keyPath)") }
      }
      for _ in 0..<2 {
        object.after += 1
        object.content = value
        object.before += 1
      }
      withExtendedLifetime(tokens) {}
    }
    for _ in 0..<2 {
      try check(1)
      try check("a")
      try check([1.0])
      try check(Nobody())
    }
    #expect(lines == Array(repeating: ["after", "content", "before"], count: 16).flatMap { $0 })
  }

  @Test("KVO.14: a set is reported whether or not another key needs willChange")
  func besidePrior() throws {
    let object = LocatedChild()
    var lines: [String] = []
    let plain = try object.observe("first", as: String.self) { lines.append("\($0.old ?? "–")\($0.new ?? "–")") }
    object.first = "b"
    var prior: KVObservation? = try object.observe("flag", options: [.prior]) { _ in lines.append("flag") }
    object.first = "c"
    object.flag.toggle()
    prior?.cancel()
    prior = nil
    object.first = "d"
    plain.cancel()
    object.first = "e"
    #expect(lines == ["ab", "bc", "flag", "flag", "cd"])
  }

  @Test("COA.3: repeated settings: the first old and the last new value, whatever comes between")
  func repeated() throws {
    let item = ScopeItem()
    var lines: [String] = []
    let tokens = [
      try item.observe("name", as: String.self, options: [.old, .new, .coalesced]) {
        lines.append("name \($0.old ?? "–") \($0.new ?? "–")")
      },
      try item.observe("note", as: String.self, options: [.old, .new, .coalesced]) {
        lines.append("note \($0.old ?? "–") \($0.new ?? "–")")
      },
    ]
    KVCoalescing.coalesce {
      for text in ["b", "c", "d", "e"] { item.name = text }
      for text in ["x", "y", nil, "z", nil] as [String?] { item.note = text }
      item.name = "f"
      item.name = "g"
      item.note = "last"
      item.name = "h"
    }
    #expect(lines == ["name a h", "note – last"])
    withExtendedLifetime(tokens) {}
  }

  @Test("COA.8: repeated settings that are undone leave what was set before them")
  func repeatedAndUndone() throws {
    struct Failed: Error {}
    let item = ScopeItem()
    var lines: [String] = []
    let token = try item.observe("name", as: String.self, options: [.old, .new, .coalesced]) {
      lines.append("\($0.old ?? "–") \($0.new ?? "–")")
    }
    KVCoalescing.coalesce {
      for text in ["b", "c", "d"] { item.name = text }
      _ = try? KVTransaction.run {
        for text in ["x", "y", "z"] { try item.setValue(text, forKey: "name") }
        throw Failed()
      }
      #expect(item.name == "d")
    }
    #expect(lines == ["a d"])
    withExtendedLifetime(token) {}
  }
}

private struct Nobody {}

private class LocatedParent: KVObject {
  @KVProperty var first = "a"
  @KVProperty var nothing: Void = ()
  @KVProperty var wide = (0, 0, 0)
  @KVProperty var flag = false
  @KVProperty var last: () -> Int = { 1 }
}

private final class LocatedChild: LocatedParent {
  @KVProperty var own = 0
}

private final class LocatedBox<Content>: KVObject {
  @KVProperty var before = 0
  @KVProperty var content: Content
  @KVProperty var after = 0

  init(_ content: Content) { self.content = content }
}
