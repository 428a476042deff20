import KVBinding
import KVCore
import Testing

@Suite("COA.8: transactions undo in the order of the writes")
struct TransactionOrderTests {
  private let item = ScopeItem()

  @Test("COA.8: a handler's write of the key that it observes is undone before the write that it was notified of")
  func clamping() throws {
    item.count = 3
    let token = try item.observe("count") { [item] change in
      guard let count = change.new as? Int, count > 10 else { return }
      try? item.setValue(10, forKey: "count")
    }
    undone {
      try item.setValue(99, forKey: "count")
      #expect(item.count == 10)
    }
    #expect(item.count == 3)
    token.cancel()
  }

  /// Writes a key in a transaction, inside of a handler that observes the same key, once.
  private func observeWriting(_ path: String, _ body: @escaping () throws -> Void) throws -> KVObservation {
    var isInside = false
    return try item.observe(path) { _ in
      if isInside { return }
      isInside = true
      defer { isInside = false }
      try? KVTransaction.run(body)
    }
  }

  @Test("COA.8: a transaction in a handler that fails undoes its own write of the key that is being written")
  func failedInHandler() throws {
    let token = try observeWriting("name") { [item] in
      try item.setValue("inner", forKey: "name")
      throw ScopeFailure()
    }
    try KVTransaction.run { try item.setValue("outer", forKey: "name") }
    #expect(item.name == "outer")
    token.cancel()
  }

  @Test("COA.8: a transaction in a handler that succeeds is undone by the outer one, to the value before both")
  func undoneByOuter() throws {
    let token = try observeWriting("name") { [item] in
      try item.setValue("inner", forKey: "name")
      try item.setValue(7, forKey: "count")
    }
    undone {
      try item.setValue("outer", forKey: "name")
      #expect(item.name == "inner" && item.count == 7)
      token.cancel()
    }
    #expect(item.name == "a" && item.count == 0)
  }

  @Test("COA.8: transactions three deep in handlers: each undoes what it wrote, and nothing of the others")
  func threeDeep() throws {
    let inner = try observeWriting("count") { [item] in
      try item.setValue("innermost", forKey: "name")
      throw ScopeFailure()
    }
    let middle = try observeWriting("name") { [item] in try item.setValue(5, forKey: "count") }
    try KVTransaction.run { try item.setValue("outer", forKey: "name") }
    #expect(item.name == "outer" && item.count == 5)
    inner.cancel()
    middle.cancel()
  }

  @Test("COA.8: a write that was refused is not undone")
  func refused() throws {
    var received: [Int?] = []
    let token = try item.observe("count") { received.append($0.new as? Int) }
    undone {
      try item.setValue(1, forKey: "count")
      #expect(throws: KVError.self) { try item.setValue("no number", forKey: "count") }
    }
    #expect(received == [1, 0])
    token.cancel()
  }

  @Test("COA.8: edits of an array that is edited in place elsewhere are put back", arguments: [1, 2, 3])
  func arrays(_ round: Int) throws {
    item.list = [1, 2, 3]
    let token = try item.observe("list") { _ in }
    let view = item.mutableArray(forKey: "list")
    // From the second edit on the array is edited where it is stored.
    for _ in 0..<round { try view.append(4) }
    let before = item.list
    undone {
      try view.insert(9, at: 1)
      try view.removeAll()
    }
    #expect(item.list == before)
    token.cancel()
  }
}
