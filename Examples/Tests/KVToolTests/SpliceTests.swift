import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVTool

@Suite("kv set replaces the text of a value in JSON, and nothing else")
struct SpliceTests {
  private func set(_ path: String, _ value: String, in document: String) throws -> String {
    String(
      decoding: JSONSplice.data(Data(document.utf8), setting: try KVKeyPath(path), to: Data(value.utf8)), as: UTF8.self)
  }

  @Test(
    "A value is replaced at its place",
    arguments: [
      ("a", "2", #"{"b": null, "a" :  1 , "c":1.50}"#, #"{"b": null, "a" :  2 , "c":1.50}"#),
      (
        "a.b", #""x""#, "{\n  \"a\" : {\"b\":[1, {}], \"c\" : 1e2}\n}\n", "{\n  \"a\" : {\"b\":\"x\", \"c\" : 1e2}\n}\n"
      ),
      ("l[1].n", "0", #"{"l": [{"n": "]"}, {"n": "\"}"}]}"#, #"{"l": [{"n": "]"}, {"n": 0}]}"#),
      ("l.n", "0", #"{"l": [{"n": 1},null,{"n":{"n":2}}]}"#, #"{"l": [{"n": 0},null,{"n":0}]}"#),
      (#"["\u00e9 b"]"#, "0", #"{"\u00e9 b": true}"#, #"{"\u00e9 b": 0}"#),
      ("self.a", "0", #"{"a": 1}"#, #"{"a": 0}"#),
      ("self.a", "0", #"{"self": {"a": 1}}"#, #"{"self": {"a": 0}}"#),
      ("new", "0", "{\n  \"a\" : 1\n}", "{\n  \"a\" : 1,\n  \"new\" : 0\n}"),
      ("new", "0", #"{"a":1}"#, #"{"a":1,"new":0}"#), ("e.new", "0", #"{"e":{}}"#, #"{"e":{"new":0}}"#),
      ("a", "0", "\u{FEFF}{\"a\": 1}", "\u{FEFF}{\"a\": 0}"),
    ])
  func places(path: String, value: String, document: String, result: String) throws {
    #expect(try set(path.replacingOccurrences(of: "\\u00e9", with: "é"), value, in: document) == result)
  }

  @Test("Random documents have the value that KVC sets, and no other change")
  func randomDocuments() throws {
    var documents = RandomDocument(seed: 6)
    for index in 0..<300 {
      let object = documents.object()
      let data = try KVDocument(object).data(isPretty: index % 2 == 0)
      let root = try #require(try KVDocument(data: data).root as? [String: Any])
      for name in root.keys + ["new"] {
        let path = try KVKeyPath(components: [.entry(name)])
        var document = Document(root: root, format: .json)
        try document.set([1, "x"] as [Any], at: path)
        let spliced = JSONSplice.data(data, setting: path, to: Data(#"[1,"x"]"#.utf8))
        #expect(DocumentContent(try KVDocument(data: spliced).root) == DocumentContent(document.root))
        // Setting the old text again makes the old document.
        if let old = root[name] {
          let text = try KVDocument(old).data()
          let compact = try KVDocument(root).data()
          let changed = JSONSplice.data(compact, setting: path, to: Data("0".utf8))
          #expect(JSONSplice.data(changed, setting: path, to: text) == compact)
        }
      }
    }
  }

  @Test(
    "Real files keep every byte outside of the value",
    arguments: ["iso_3166-1.json", "iso_639-3.json", "iso_4217.json", "iso_15924.json"])
  func realFiles(name: String) throws {
    // Of the package iso-codes, which not every machine has.
    let file = URL(fileURLWithPath: "/usr/share/iso-codes/json/\(name)")
    guard let data = try? Data(contentsOf: file) else { return }
    let root = try #require(try KVDocument(data: data).root as? [String: Any])
    let list = try #require(root.keys.first { !$0.hasPrefix("$") })
    let count = try #require(root[list] as? [Any]).count
    for index in [0, count / 2, count - 1] {
      let path = try KVKeyPath(components: [.entry(list), .index(index), .key("name")])
      let old = try KVDocument(try KVC.value(of: root, forKeyPath: path)).data()
      let changed = JSONSplice.data(data, setting: path, to: Data(#""changed""#.utf8))
      #expect(changed.count == data.count - old.count + 9)
      #expect(JSONSplice.data(changed, setting: path, to: old) == data)
      #expect(try KVC.value(of: try KVDocument(data: changed).root as Any, forKeyPath: path) as? String == "changed")
    }
  }

  @Test("Of a property list, every other value is kept, in binary if XML has no text for it")
  func propertyLists() throws {
    let precise: [String: Any] = ["d": Date(timeIntervalSinceReferenceDate: 0.5), "z": -0.0, "data": Data([1]), "n": 1]
    let plain: [String: Any] = [
      "d": Date(timeIntervalSinceReferenceDate: 1), "r": 1.0, "data": Data([1]), "n": UInt64.max,
    ]
    for (root, format) in [(precise, KVDocument.Format.binary), (plain, .xml)] {
      var document = Document(root: root, format: .binary)
      try document.set("new", at: "new")
      let copy = try KVDocument(data: try document.propertyList())
      #expect(copy.format == format)
      #expect(DocumentContent(copy.root) == DocumentContent(document.root))
    }
  }
}
