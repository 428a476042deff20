import KVBinding
import Testing

@Suite("KVO.19, COL.1: arrays of records")
struct RecordArrayTests {
  @Test("COL.1: edits do not wrap the elements of an array of anything")
  func unwrapped() throws {
    let record: KVRecord = ["values": [1, "two"] as [Any]]
    let values = record.mutableArray(forKey: "values")
    for number in 0..<10 { try values.append(number) }
    let stored = try #require(record["values"])
    #expect(type(of: stored) == [Any].self)
    #expect(try record.value(forKeyPath: "values[11]", as: Int.self) == 9)
  }

  @Test("COL.1: a nil may be inserted")
  func nilElement() throws {
    let record: KVRecord = ["values": [1, "two"] as [Any]]
    try record.mutableArray(forKey: "values").insert(Any?.none as Any, at: 1)
    #expect(try record.value(forKeyPath: "values[1]") == nil)
    #expect(try record.value(forKeyPath: "values[2]", as: String.self) == "two")
  }

  @Test("KVO.17, KVO.18: a dictionary that is inserted is reported as the record that is stored")
  func insertedDictionary() throws {
    let record: KVRecord = ["items": [["price": 1]] as [Any]]
    var received: [String] = []
    let sum = try record.observe("items.@sum.price", options: [.new]) {
      received.append("sum \($0.new ?? 0)")
    }
    let each = try record.observeElements(of: "items", "price") { received.append("price \($0.new ?? 0)") }
    try record.mutableArray(forKey: "items").append(["price": 2])
    try record.setValue(10, forKeyPath: "items[1].price")
    #expect(received.contains("sum 3"))
    #expect(received.contains("sum 11"))
    #expect(received.contains("price 10"))
    sum.cancel()
    each.cancel()
  }
}
