import KVBinding
import KVCore
import Testing

@Suite("COA.1: scopes")
struct CoalescingScopeTests {
  private let item = ScopeItem()
  private let target = ScopeTarget()

  @Test("COA.1: delivery waits for the end of the outermost scope")
  func nesting() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
    KVCoalescing.coalesce {
      item.name = "b"
      KVCoalescing.coalesce { item.name = "c" }
      KVCoalescing.begin()
      KVCoalescing.commit()
      #expect(KVCoalescing.isCoalescing)
      #expect(target.lines.isEmpty)
    }
    #expect(!KVCoalescing.isCoalescing)
    #expect(target.lines == ["name setting a → c"])
  }

  @Test("COA.1: begin and commit pair up; a commit without a begin does nothing, before and after a scope")
  func unmatchedCommit() throws {
    try item.addTarget(target, ScopeTarget.count, forKeyPaths: ["name"], options: .coalesced)
    KVCoalescing.commit()
    KVCoalescing.begin()
    item.name = "b"
    #expect(target.lines.isEmpty)
    KVCoalescing.commit()
    #expect(target.take() == ["called"])
    KVCoalescing.commit()
    item.name = "c"
    #expect(target.take() == ["called"])
    KVCoalescing.coalesce { item.name = "d" }
    #expect(target.take() == ["called"])
  }

  @Test("COA.1: a scope that defers nothing is a scope, and ends as one", arguments: [1, 2, 3])
  func emptyScope(depth: Int) throws {
    try item.addTarget(target, ScopeTarget.count, forKeyPaths: ["name"], options: .coalesced)
    for _ in 0..<2 {
      for _ in 0..<depth { KVCoalescing.begin() }
      #expect(KVCoalescing.isCoalescing)
      for _ in 0..<depth { KVCoalescing.commit() }
      #expect(!KVCoalescing.isCoalescing)
    }
    item.name = "b"
    #expect(target.take() == ["called"])
    for _ in 0..<depth { KVCoalescing.begin() }
    for _ in 1..<depth { KVCoalescing.commit() }
    item.name = "c"
    #expect(target.lines.isEmpty)
    KVCoalescing.commit()
    #expect(target.lines == ["called"])
  }

  @Test("COA.3: the last of many values counts, whichever registrations are set in turn")
  func manyValues() throws {
    var lines: [String] = []
    let tokens = [
      try item.observe("name", as: String.self, options: [.old, .new, .coalesced]) {
        lines.append("\($0.old ?? "") → \($0.new ?? "")")
      },
      try item.observe("count", as: Int.self, options: [.old, .new, .coalesced]) {
        lines.append("\($0.old ?? -1) → \($0.new ?? -1)")
      },
    ]
    KVCoalescing.coalesce {
      for round in 1...3 {
        for number in 1...4 { item.name = String(repeating: "long ", count: 4) + "\(round * number)" }
        for number in 1...4 { item.count = round * number }
      }
    }
    #expect(lines == ["a → long long long long 12", "0 → 12"])
    tokens.forEach { $0.cancel() }
  }

  @Test("COA.1: a body that throws still delivers, and leaves no scope behind")
  func throwingBody() throws {
    try item.addTarget(target, ScopeTarget.count, forKeyPaths: ["name"], options: .coalesced)
    #expect(throws: ScopeFailure.self) {
      try KVCoalescing.coalesce {
        item.name = "b"
        try KVCoalescing.coalesce { throw ScopeFailure() }
      }
    }
    #expect(target.lines == ["called"])
    #expect(!KVCoalescing.isCoalescing)
  }

  @Test("COA.1: the body's result is returned, and its error is typed")
  func typedThrows() {
    #expect(KVCoalescing.coalesce { 5 } == 5)
    func failing() throws(ScopeFailure) {
      try KVCoalescing.coalesce { () throws(ScopeFailure) in throw ScopeFailure() }
    }
    #expect(throws: ScopeFailure.self) { try failing() }
  }

  @Test("COA.2: only coalesced observers are deferred")
  func optIn() throws {
    let owner = LifeOwner()
    let log = LifeLog()
    try item.addTarget(target, ScopeTarget.count, forKeyPath: "name")
    let plain = try item.observe("name") { _ in log.lines.append("closure") }
    let deferred = try item.observe("name", options: [.new, .coalesced]) { _ in log.lines.append("deferred closure") }
    try owner.observe(item, "name", options: .distinct) { _, _, _ in log.lines.append("owner") }
    try owner.observe(item, "name", options: [.distinct, .coalesced]) { _, _, _ in log.lines.append("deferred owner") }
    KVCoalescing.coalesce {
      item.name = "b"
      item.name = "c"
      #expect(target.take() == ["called", "called"])
      #expect(log.take() == ["closure", "owner", "closure", "owner"])
    }
    #expect(log.lines == ["deferred closure", "deferred owner"])
    withExtendedLifetime((plain, deferred)) {}
  }

  @Test("COA.2, KVO.4: prior records cannot wait; what follows them does")
  func prior() throws {
    let log = LifeLog()
    let token = try item.observe("name", options: [.old, .new, .prior, .coalesced]) { change in
      log.lines.append(
        change.isPrior ? "prior \(change.old ?? "nil")" : "\(change.old ?? "nil") → \(change.new ?? "nil")")
    }
    KVCoalescing.coalesce {
      item.name = "b"
      item.name = "c"
      #expect(log.take() == ["prior a", "prior b"])
    }
    #expect(log.lines == ["a → c"])
    withExtendedLifetime(token) {}
  }

  @Test("COA.2: outside of a scope coalesced observers are notified at once")
  func outside() throws {
    try item.addTarget(target, ScopeTarget.note, forKeyPaths: ["name"], options: .coalesced)
    item.name = "b"
    item.name = "b"
    #expect(target.lines == ["name setting a → b", "name setting b → b"])
  }

  @Test("COA.5: delivery is in the order of the first change; what handlers change is delivered at once")
  func order() throws {
    let log = LifeLog()
    let name = try item.observe("name", options: [.new, .coalesced]) { [item] change in
      log.lines.append("name \(change.new ?? "nil")")
      item.note = "written"
      log.lines.append("written \(KVCoalescing.isCoalescing)")
    }
    let note = try item.observe("note", options: [.new, .coalesced]) { log.lines.append("note \($0.new ?? "nil")") }
    let count = try item.observe("count", options: [.new, .coalesced]) { log.lines.append("count \($0.new ?? "nil")") }
    KVCoalescing.coalesce {
      item.count = 1
      item.name = "b"
      item.count = 2
      item.name = "c"
    }
    #expect(log.lines == ["count 2", "name c", "note written", "written false"])
    withExtendedLifetime((name, note, count)) {}
  }

  @Test("COA.5: a scope that a handler opens is one of its own")
  func scopeInHandler() throws {
    let log = LifeLog()
    let name = try item.observe("name", options: [.new, .coalesced]) { [item] _ in
      KVCoalescing.coalesce {
        item.count += 1
        item.count += 1
        log.lines.append("inside")
      }
    }
    let count = try item.observe("count", options: [.new, .coalesced]) { log.lines.append("count \($0.new ?? "nil")") }
    KVCoalescing.coalesce { item.name = "b" }
    #expect(log.lines == ["inside", "count 2"])
    withExtendedLifetime((name, count)) {}
  }
}
