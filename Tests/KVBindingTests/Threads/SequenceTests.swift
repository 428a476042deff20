import KVBinding
import KVCore
import Testing

@Suite("THR.4: changes as a sequence")
struct SequenceTests {
  @Test(
    "THR.4: all changes come in order, those before the first iteration too; it ends when the object is deallocated")
  func orderAndEnd() async throws {
    var item: StormItem? = StormItem()
    let changes = try #require(item).changes(of: "count", as: Int.self)
    for number in 1...1_000 { item?.count = number }
    item = nil
    var seen: [Int] = []
    for await change in changes {
      #expect(change.old == (change.new ?? 0) - 1)
      seen.append(change.new ?? -1)
    }
    #expect(seen == Array(1...1_000))
  }

  @Test("THR.4: the first so many or the last so many are kept where that was requested")
  func buffering() async throws {
    let item = StormItem()
    let oldest = try item.changes(of: "count", as: Int.self, buffering: .oldest(2))
    let newest = try item.changes(of: "count", as: Int.self, buffering: .newest(2))
    for number in 1...5 { item.count = number }
    var first = oldest.makeAsyncIterator()
    var last = newest.makeAsyncIterator()
    #expect(await [first.next()?.new, first.next()?.new] == [1, 2])
    #expect(await [last.next()?.new, last.next()?.new] == [4, 5])
    item.count = 6
    #expect(await [first.next()?.new, last.next()?.new] == [6, 6])
  }

  @Test("THR.4: initial and prior records, and untyped ones of a path")
  func options() async throws {
    let root = LifeNode("root", next: LifeNode("a"))
    let changes = try root.changes(of: "next.name", options: [.old, .new, .initial, .prior])
    root.next?.name = "b"
    root.next = nil
    var iterator = changes.makeAsyncIterator()
    var lines: [String] = []
    for _ in 0..<5 {
      guard let change = await iterator.next() else { break }
      lines.append("\(change.isInitial) \(change.isPrior) \(change.old ?? "nil") \(change.new ?? "nil")")
    }
    #expect(
      lines == [
        "true false nil a", "false true a nil", "false false a b", "false true b nil", "false false b nil",
      ])
  }

  @Test("THR.4: typed values go to another actor")
  func acrossActors() async throws {
    let item = StormItem()
    let changes = try item.changes(of: "label", as: String.self)
    let collector = Collector()
    async let collected = collector.collect(changes, 3)
    for text in ["a", "b", "c"] { item.label = text }
    #expect(await collected == ["a", "b", "c"])
  }

  @Test("THR.4, KVO.13: a path that cannot be observed is an error at once, and nothing stays registered")
  func badPath() {
    let item = StormItem()
    #expect(throws: KVError.self) { try item.changes(of: "nothing") }
    #expect(isUnobserved(item))
  }

  @Test("THR.4, COA.2: in a scope a sequence gets the merged record")
  func coalesced() async throws {
    let item = StormItem()
    let changes = try item.changes(of: "count", as: Int.self, options: [.old, .new, .coalesced])
    KVCoalescing.coalesce { for number in 1...5 { item.count = number } }
    var iterator = changes.makeAsyncIterator()
    let change = await iterator.next()
    #expect(change?.old == 0 && change?.new == 5)
  }
}

private actor Collector {
  func collect(_ changes: KVChanges<KVValueChange<String>>, _ count: Int) async -> [String] {
    var result: [String] = []
    for await change in changes {
      result.append(change.new ?? "nil")
      if result.count == count { break }
    }
    return result
  }
}
