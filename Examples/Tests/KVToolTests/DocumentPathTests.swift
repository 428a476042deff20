import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVTool

@Suite("A key that is not there is an error of the tool")
struct DocumentPathTests {
  private func read(_ path: String, _ json: String) throws -> Any? {
    try DocumentPath(path).value(in: try KVDocument(data: Data(json.utf8)).root)
  }

  @Test("A null is read where it is there, and behind it")
  func nulls() throws {
    #expect(try read("a", #"{"a": null}"#) == nil)
    #expect(try read("a.b.c", #"{"a": null}"#) == nil)
    #expect(try read("l.a", #"{"l": [{"a": 1}, {}, null]}"#) as? [Int?] == [1, nil, nil])
  }

  @Test(
    "The key self is the receiver, unless an object has a member of that name",
    arguments: [
      ("self.rows", "2"), ("o.self.x", "1"), (#"rows.@sum.self["a.b"]"#, "5"), ("rows[0].self", #"{"a.b":2}"#),
      ("n.self", "7"), ("z.self", "null"), (#"n["self"]"#, "7"), ("rows.@count", "2"),
    ])
  func receiver(path: String, value: String) throws {
    let text =
      #"{"o": {"x": 1}, "rows": [{"a.b": 2}, {"a.b": 3}], "n": {"self": 7}, "z": {"self": null}, "k": {"self": null}}"#
    var rest: Data? = Data(text.utf8)
    let source = try KVDocumentExcerpt(of: KVKeyPath(path)) {
      defer { rest = nil }
      return rest
    }
    let excerpt = try DocumentPath(path).value(in: source)
    let whole = try read(path, text)
    #expect(KVC.areEqual(excerpt, whole))
    let found = path == "self.rows" ? (whole as? [Any])?.count : whole
    #expect(String(decoding: try KVDocument(found).data(), as: UTF8.self) == value)
    #expect(throws: ToolFailure.self) { try read(#"o["self"]"#, text) }
  }

  @Test(
    "The line names the nearest key of the container",
    arguments: [
      ("nmae", "there is no \"nmae\" in the document. Did you mean \"name\"? Its keys: list, name."),
      ("list.pirce", "there is no \"pirce\" in \"list\". Did you mean \"price\"? Its keys: price, tag."),
      ("list.@sum.pirce", "there is no \"pirce\" in \"list.@sum\". Did you mean \"price\"? Its keys: price, tag."),
      ("list[0].x", "there is no \"x\" in \"list[0]\". Its keys: price."),
      ("name.first", "there is no \"first\" in \"name\", which is a string."),
      (
        "list.@firstObject.pric",
        "there is no \"pric\" in \"list.@firstObject\". Did you mean \"price\"? Its keys: price."
      ),
    ])
  func missing(path: String, line: String) {
    let error = #expect(throws: ToolFailure.self) {
      try read(path, #"{"name": "x", "list": [{"price": 1}, {"price": 2, "tag": null}]}"#)
    }
    #expect(error?.line == line)
  }

  @Test("The library's own errors come through")
  func others() {
    for path in ["list[5]", "list.@smu.price", "list.@sum", "a..b", "name[0]"] {
      #expect(throws: ToolFailure.self) { try read(path, #"{"name": "x", "list": [{"price": 1}]}"#) }
    }
  }
}
