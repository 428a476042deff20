import KVCore
import Testing

@Suite("KP.3: a key that begins with @")
struct OperatorKeyTests {
  private struct Tag: KeyValueCoding {
    var name = "a"
  }

  private final class Answering: KVObject {
    override func value(forUndefinedKey key: String) throws(KVError) -> Any? { "any" }
    override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {}
  }

  @Test("KP.3: it is an error whose cure is forKeyPath:, whatever is read")
  func reading() throws {
    let record: KVRecord = ["items": [1, 2]]
    let roots: [any KeyValueCoding] = [
      ShopItem(), Tag(), ["a": 1], ["@count": 1], [1, 2], Set([1]), record, Answering(),
    ]
    for root in roots {
      let error = failure { () throws(KVError) in try root.value(forKey: "@count") }
      #expect(error?.code == .undefinedKey, "\(type(of: root))")
      #expect(error?.message.contains("Use forKeyPath: \"@count\"") == true, "\(type(of: root))")
      #expect(
        failureCode { () throws(KVError) in _ = try root.dictionaryWithValues(forKeys: ["@count"]) } == .undefinedKey)
    }
    #expect(failureCode { () throws(KVError) in _ = try ShopItem().value(forKey: "@a", as: Int.self) } == .undefinedKey)
    #expect(
      failureCode { () throws(KVError) in _ = try ShopItem().mutableArray(forKey: "@a").elements() } == .undefinedKey)
  }

  @Test("KP.3: it is an error whose cure is forKeyPath:, whatever is written")
  func writing() throws {
    var (tag, dictionary) = (Tag(), ["a": 1])
    let record: KVRecord = [:]
    let codes = [
      failureCode { () throws(KVError) in try tag.setValue(1, forKey: "@id") },
      failureCode { () throws(KVError) in try dictionary.setValue(1, forKey: "@id") },
      failureCode { () throws(KVError) in try record.setValue(1, forKey: "@id") },
      failureCode { () throws(KVError) in try ShopItem().setValue(1, forKey: "@id") },
      failureCode { () throws(KVError) in try Answering().setValue(1, forKey: "@id") },
      failureCode { () throws(KVError) in try record.setValues(forKeys: ["a": 1, "@id": 2]) },
    ]
    #expect(codes == Array(repeating: .undefinedKey, count: 6))
    #expect(dictionary == ["a": 1])
    #expect(record.keys == [])
  }

  @Test("KP.3: the cure works: operators and entries are reached by paths, and a record lists its entry")
  func cures() throws {
    #expect(try [1, 2].value(forKeyPath: "@count") as? Int == 2)
    var dictionary = ["@id": 1]
    #expect(try dictionary.value(forKeyPath: "[\"@id\"]") as? Int == 1)
    try dictionary.setValue(2, forKeyPath: "[\"@id\"]")
    #expect(dictionary == ["@id": 2])
    let record: KVRecord = ["@id": [1]]
    #expect(try KVC.keys(of: record).map(\.name) == ["@id"])
    try record.mutableArray(forKeyPath: "[\"@id\"]").append(2)
    #expect(record["@id"] as? [Int] == [1, 2])
    let error = failure { () throws(KVError) in try record.value(forKey: "@id") }
    #expect(error?.message.contains(#"or forKeyPath: "["@id"]" for the entry of that name"#) == true)
  }
}

@Suite("KVC.6: the names of entries")
struct EntryNameTests {
  private enum Level: Int { case low = 1 }

  @Test("KVC.6: an integer key has one name, by which it is read, written and compared")
  func integers() throws {
    var entries = [1: "a"]
    for name in ["01", "+1", " 1", "1.0", ""] where !name.isEmpty {
      #expect(try entries.value(forKeyPath: "[\"\(name)\"]") == nil)
      #expect(
        failureCode { () throws(KVError) in try entries.setValue("b", forKeyPath: "[\"\(name)\"]") } == .unsupported)
      #expect(!KVC.areEqual(entries, [name: "a"]))
    }
    #expect(entries == [1: "a"])
    #expect(try entries.value(forKey: "1") as? String == "a")
    try entries.setValue("b", forKey: "1")
    try entries.setValue("c", forKey: "-2")
    #expect(entries == [1: "b", -2: "c"])
    #expect(KVC.areEqual(entries, ["1": "b", "-2": "c"]))
    #expect(
      failureCode { () throws(KVError) in try KVC.setValue(["01": "x"], forKeyPath: "self", in: &entries) } != nil)
    let small: [UInt8: Int] = [7: 1]
    #expect(try small.value(forKey: "007") == nil)
    #expect(try [Level.low: 1].value(forKey: "+1") == nil)
    #expect(try [Level.low: 1].value(forKey: "1") as? Int == 1)
  }
}
