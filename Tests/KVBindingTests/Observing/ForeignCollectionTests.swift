import KVBinding
import Testing

@Suite("KVO collections of any type")
struct ForeignCollectionTests {
  private final class Desk: KVObject {
    @KVProperty var range = 1...3
    @KVProperty var slice = [KVRecord()].reversed() as ReversedCollection
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Desk.self) { key in
        key("range", \.range)
        key("slice", \.slice)
      }
    }
  }

  @Test("KVO.17, COL.7: a path through the elements of any collection is refused, an operator on it is not")
  func paths() throws {
    let desk = Desk()
    let error = #expect(throws: KVError.self) { try desk.observe("slice.n") { _ in } }
    #expect(error?.code == .notObservable)
    #expect(error?.message.contains("leads through the elements of a collection") == true)
    var counts: [Int] = []
    let token = try desk.observe("range.@count", options: [.new]) { counts.append($0.new as? Int ?? 0) }
    desk.range = 1...9
    #expect(counts == [9])
    token.cancel()
    var sums: [Int] = []
    let operands = try desk.observe("slice.@sum.n", options: [.new]) { sums.append($0.new as? Int ?? 0) }
    let first = try #require(desk.slice.first)
    first["n"] = 4
    #expect(sums == [4])
    operands.cancel()
  }
}
