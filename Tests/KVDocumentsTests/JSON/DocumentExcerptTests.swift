import Foundation
import KVBinding
import KVDocuments
import TestModels
import Testing

@Suite("The part of a document that a path reads")
struct DocumentExcerptTests {
  private let shop = Data(
    """
    {"name": "shop", "none": null, "owner": {"name": "Ada", "age": 36, "note": null},
     "items": [{"name": "tea", "price": 3, "tags": ["a", "b"]}, {"price": 2.5, "name": "jam", "tags": []},
               {"name": "mate", "price": 4, "tags": ["c"], "box": [{"n": 1}, {"n": 2}]}],
     "rows": [[1, 2], [3], []], "a.b": {"self": 7, "": 8}}
    """.utf8)

  private func excerpt(_ path: String, _ data: Data? = nil, size: Int = 7) throws -> KVDocumentExcerpt {
    try KVDocumentExcerpt(of: try KVKeyPath(path), from: Chunks(data ?? shop, size).next)
  }

  @Test(
    "DOC.4: the value is that of the whole document",
    arguments: [
      "name", "none", "none.x.y", "owner.name", "owner.note", "owner", "items", "items[1]", "items[2].box[1].n",
      "items.name", "items.price", "items.tags", "items.box", "items.box.n", "items.@count", "items[0].tags.@count",
      "items.@lastObject.tags.@count", "rows.@lastObject.@count", "rows.@firstObject.@count", "rows.@self.@count",
      "items.@sum.price", "items.@avg.price", "items.@max.price", "items.@min.name", "items.tags.@count",
      "items.@unionOfArrays.tags", "items.@distinctUnionOfObjects.name", "items.@firstObject.name", "items.@lastObject",
      "items.@lastObject.box.n", "rows", "rows[0][1]", "rows.@count", #"["a.b"]"#, #"["a.b"]["self"]"#,
      #"["a.b"].self"#,
      #"["a.b"][""]"#, "@self", "owner.self.name", "items.@self.name", "missing", "owner.missing", "items.missing",
    ])
  func values(path: String) throws {
    let whole = try KVC.value(of: try KVDocument(data: shop).root as Any, forKeyPath: path)
    for size in [1, 7, 4_096] { #expect(KVC.areEqual(try excerpt(path, size: size).value(), whole), "\(size)") }
  }

  @Test(
    "DOC.4: what the path meets is an error as in the whole document",
    arguments: ["items[3]", "name[0]", "owner[0]", "items.@sum.name", "name.@count", "items.@nonsense"])
  func errors(path: String) throws {
    let root = try KVDocument(data: shop).root as Any
    let whole = #expect(throws: KVError.self) { try KVC.value(of: root, forKeyPath: path) }
    let part = #expect(throws: KVError.self) { try excerpt(path).value() }
    #expect(part?.code == whole?.code)
    if !path.hasPrefix("owner") { #expect(part?.message == whole?.message) }
  }

  @Test("DOC.4: only what the path reads is built")
  func building() throws {
    let one = try excerpt("owner.name")
    #expect(one.depth == 2 && one.root as? String == "Ada" && one.format == .json)
    let items = try excerpt("items.@sum.price")
    #expect(items.depth == 1)
    #expect(try #require(items.root as? [[String: Any]]).allSatisfy { Array($0.keys) == ["price"] })
    let count = try excerpt("items.@count")
    #expect(count.root is [Bool])
    let missing = try excerpt("owner.nmae")
    #expect(missing.depth == 1 && (missing.root as? [String: Any])?.isEmpty == true)
    #expect(missing.names(beside: 1) == ["name", "age", "note"])
    #expect(missing.names(beside: 0).isEmpty && missing.names(beside: 2).isEmpty && missing.names(beside: -1).isEmpty)
  }

  // In a process of its own: other tests allocate at the same time.
  @Test(
    "DOC.4: a document of 20 MB is read in little memory",
    .disabled(
      if: ProcessInfo.processInfo.environment.keys.contains { $0.hasSuffix("SAN_OPTIONS") },
      "a sanitizer needs memory of its own"))
  func memory() async {
    await #expect(processExitsWith: .success) {
      let element = "{\"id\": 1, \"text\": \"\(String(repeating: "x", count: 4_000))\"},"
      let chunk = Data(String(repeating: element, count: 100).utf8)
      var count = 0
      let before = residentBytes()
      let excerpt = try KVDocumentExcerpt(of: "wanted") {
        defer { count += 1 }
        if count == 0 { return Data("{\"rows\": [".utf8) }
        return count <= 50 ? chunk : count == 51 ? Data("0], \"wanted\": 5}".utf8) : nil
      }
      #expect(try excerpt.value() as? Int == 5)
      if let before, let after = residentBytes() { #expect(after - before < 10_000_000) }
    }
  }

  @Test("DOC.4: an error of the source is the cause of the error, and the fault is not blamed on the document")
  func source() throws {
    struct Broken: Error {}
    for start in ["", "{\"a\": ", "12", String(repeating: " ", count: 600) + "[1"] {
      var first = true
      let error = #expect(throws: KVError.self) {
        try KVDocumentExcerpt(of: "a") {
          defer { first = false }
          if first, !start.isEmpty { return Data(start.utf8) }
          throw Broken()
        }
      }
      #expect(error?.code == .custom && error?.underlying is Broken)
      #expect(error?.message.hasPrefix("the document cannot be read to its end: ") == true)
    }
  }

  @Test("DOC.4: a property list is read as a whole", arguments: [KVDocument.Format.xml, .binary])
  func propertyLists(format: KVDocument.Format) throws {
    let data = try KVDocument(["items": [["n": 1], ["n": 2]]], format: format).data()
    let part = try excerpt("items.@sum.n", data)
    #expect(part.format == format && part.depth == 0)
    #expect(try part.value() as? Int == 3)
  }
}
