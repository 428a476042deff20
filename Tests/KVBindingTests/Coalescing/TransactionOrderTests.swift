import KVBinding
import KVCore
import Testing

@Suite("COA.8 transactions undo in the order of the writes")
struct TransactionOrderTests {
  private let item = ScopeItem()

  private func fail(after body: () throws -> Void) {
    #expect(throws: ScopeFailure.self) {
      try KVTransaction.run {
        try body()
        throw ScopeFailure()
      }
    }
  }

  @Test("COA.8 a handler that writes the key it hears of is undone before the write that it heard")
  func clamping() throws {
    item.count = 3
    let token = try item.observe("count") { [item] change in
      guard let count = change.new as? Int, count > 10 else { return }
      try? item.setValue(10, forKey: "count")
    }
    fail {
      try item.setValue(99, forKey: "count")
      #expect(item.count == 10)
    }
    #expect(item.count == 3)
    token.cancel()
  }

  @Test("COA.8 a write that was refused is not undone")
  func refused() throws {
    var heard: [Int?] = []
    let token = try item.observe("count") { heard.append($0.new as? Int) }
    fail {
      try item.setValue(1, forKey: "count")
      #expect(throws: KVError.self) { try item.setValue("no number", forKey: "count") }
    }
    #expect(heard == [1, 0])
    token.cancel()
  }

  @Test("COA.8 edits of an array that is edited in place elsewhere are put back", arguments: [1, 2, 3])
  func arrays(_ round: Int) throws {
    item.list = [1, 2, 3]
    let token = try item.observe("list") { _ in }
    let view = item.mutableArray(forKey: "list")
    // From the second edit on the array is edited where it is stored.
    for _ in 0..<round { try view.append(4) }
    let before = item.list
    fail {
      try view.insert(9, at: 1)
      try view.removeAll()
    }
    #expect(item.list == before)
    token.cancel()
  }
}
