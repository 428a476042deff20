import Foundation
import KVBinding
import KVCore
import KVDefinitions
import KVDocuments
import KVQuery
import Testing

@Suite("Text from outside, without a policy")
struct OutsideTextTests {
  final class Account: KVObject {
    @KVProperty var name = "Ann"
    @KVProperty var count = 1
    private var pin = "1234"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Account.self) { key in
        key("name", \.name)
        key("count", \.count)
      }
    }
  }

  final class Listed: KVObject {
    @KVProperty var name = "Ann"
    private var pin = "1234"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Listed.self, listedKeysOnly: true) { key in key("name", \.name) }
    }
  }

  @Test("SEC.8: a key path reaches private stored properties, unless the table lists all keys")
  func reflection() throws {
    #expect(try Account().value(forKeyPath: "pin") as? String == "1234")
    let error = #expect(throws: KVError.self) { try Listed().value(forKeyPath: "pin") }
    #expect(error?.code == .undefinedKey && error?.knownKeys.contains("pin") == false)
    #expect(throws: KVError.self) { try Account().setValue("1", forKeyPath: "pin") }
    let path: KVKeyPath = "pin"
    let faults = #expect(throws: KVBindingFaults.self) {
      try KVBindingSet([KVBindingDefinition(path, to: "name")], owner: Account())
    }
    #expect((faults?.faults.first?.underlying as? KVError)?.code == .unlistedKey)
  }

  @Test("SEC.8: a predicate is limited to key paths, functions and operators that cannot take long")
  func predicates() throws {
    let limited = { (text: String) throws(KVError) in try KVPredicate(format: text).limited(toKeyPaths: ["name"]) }
    #expect(try limited("name LIKE 'A*'").evaluate(with: Account()))
    for text in [
      "pin == '1234'", "SELF.pin == '1234'", "name MATCHES '(a+)+b'", "count == 1", "name == $x", "random() > 1",
      "name.pin == 1", "self == 1",
    ] { #expect(throws: KVError.self, "\(text)") { try limited(text) } }
    for (text, code) in [
      ("name MATCHES '" + String(repeating: "(", count: 101) + "'", KVError.Code.limitExceeded),
      (String(repeating: "(", count: 10_000) + "1 == 1", .limitExceeded),
    ] {
      let error = #expect(throws: KVError.self) { try KVPredicate(format: text).evaluate(with: Account()) }
      #expect(error?.code == code || error?.code == .invalidPredicate)
    }
  }

  @Test("SEC.8: documents have limits, and create plain values only")
  func documents() throws {
    let deep = Data((String(repeating: "[", count: 201) + String(repeating: "]", count: 201)).utf8)
    #expect(#expect(throws: KVError.self) { try KVDocument(data: deep) }?.code == .limitExceeded)
    let typed = Data(#"{"$class": "Account", "name": "x"}"#.utf8)
    let root = try KVDocument(data: typed).root
    #expect((root as? [String: Any])?["$class"] as? String == "Account")
    let unarchive = try #require(KVTransformer.archive.inverted)
    let unarchived = try unarchive.transform(typed)
    #expect(unarchived is [String: Any])
    #expect(throws: (any Error).self) { try unarchive.transform(deep) }
  }

  @Test("SEC.8: definitions name registered transformers only")
  func transformers() throws {
    let definition = KVBindingDefinition("name", to: "name", transformerName: "Process")
    let faults = #expect(throws: KVBindingFaults.self) { try KVBindingSet([definition], owner: Account()) }
    #expect(faults?.faults.contains { $0.code == .unknownTransformer } == true)
  }

  @Test("SEC.8: paths have limits of length and of what they visit")
  func paths() {
    let long = String(repeating: "a.", count: 4_096) + "a"
    #expect(#expect(throws: KVError.self) { try KVKeyPath(long) }?.code == .invalidKeyPath)
    let nested = { (depth: Int) in (0..<depth).reduce([] as [Any]) { inner, _ in [inner] } }
    let error = #expect(throws: KVError.self) { try KVC.value(of: nested(300), forKeyPath: "a") }
    #expect(error?.code == .limitExceeded)
  }
}
