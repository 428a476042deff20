import Foundation
import KVCore
import Testing

@Suite("Key paths: values")
struct KeyPathValueTests {
  @Test("KP.1: equal paths are equal and hash alike, however they were made")
  func hashable() throws {
    let parsed: KVKeyPath = "a[0].b"
    let made = try KVKeyPath(components: [.key("a"), .index(0), .key("b")])
    #expect(parsed == made)
    #expect(Set([parsed, made]).count == 1)
    #expect(parsed != "a[1].b")
    #expect((#"a["0"]"# as KVKeyPath) != "a[0]")
  }

  @Test("KP.1: a path can cross to another task")
  func sendable() async throws {
    let path: KVKeyPath = "a.b"
    #expect(await Task.detached { path.description }.value == "a.b")
  }

  @Test("KP.1: a path is coded as its string")
  func codable() throws {
    let path: KVKeyPath = #"users["jane.doe"].name"#
    let data = try JSONEncoder().encode([path])
    #expect(try JSONDecoder().decode([String].self, from: data) == [#"users["jane.doe"].name"#])
    #expect(try JSONDecoder().decode([KVKeyPath].self, from: data) == [path])
  }

  @Test("KP.1: decoding a malformed string fails with the parser's sentence")
  func decodingFails() throws {
    let error = #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([KVKeyPath].self, from: Data(#"["a..b"]"#.utf8))
    }
    guard case .dataCorrupted(let context)? = error else { throw try #require(error) }
    #expect(context.debugDescription == #""a..b" is not a key path: at offset 2, expected a key."#)
  }

  @Test("KP.1: paths sort by component: prefixes first, indexes by number")
  func comparable() throws {
    let sorted: [KVKeyPath] = ["a", "a[2]", "a[10]", "a.b", "a.b.c", "b"]
    #expect(Set(sorted.reversed().sorted()) == Set(sorted))
    #expect("a" < "a.b" as KVKeyPath && "a[2]" < "a[10]" as KVKeyPath && "a.b" < "a.c" as KVKeyPath)
    for (earlier, left) in sorted.enumerated() {
      for (later, right) in sorted.enumerated() {
        #expect((left < right) != (right < left) || earlier == later)
      }
    }
  }

  @Test("KP.1: a path is printable")
  func printable() {
    let path: KVKeyPath = "a.b"
    #expect("\(path)" == "a.b")
    #expect(String(reflecting: path) == "KVKeyPath(\"a.b\")")
  }

  @Test(
    "KP.7: the description parses back to an equal path",
    arguments: [
      [.key("a"), .index(3), .entry("x.y[\"z\"]\\"), .key("b")], [.entry(""), .index(0)],
      [.operator("op", argument: ""), .key("a")], [.operator("op", argument: "a]\"["), .index(2)],
      [.operator("op", argument: " \\ "), .entry("q")],
      [.operator("a b", argument: nil), .operator("c", argument: "1")],
      [.entry("\u{301}"), .key("\u{301}x")], [.operator("o", argument: "\u{301}\"")],
    ] as [[KVKeyPath.Component]])
  func roundTrip(components: [KVKeyPath.Component]) throws {
    let path = try KVKeyPath(components: components)
    #expect(try KVKeyPath(path.description) == path)
    #expect(try KVKeyPath(path.description).components == components)
  }

  @Test("KP.7: components that no text could spell are refused")
  func unspellableComponents() throws {
    let negative: [KVKeyPath.Component] = [.index(-1)]
    #expect(
      failure { () throws(KVError) in try KVKeyPath(components: negative) }?.message
        == "An index in a key path counts from the start and is not negative, as -1 is.")
    let argument: [KVKeyPath.Component] = [.operator("lastObject", argument: nil), .index(0)]
    let sentence =
      "[0] cannot stand behind @lastObject, whose argument it would become; read in two steps, or put a key between."
    #expect(failure { () throws(KVError) in try KVKeyPath(components: argument) }?.message == sentence)
    let path: KVKeyPath = "a.@lastObject"
    #expect(failure { () throws(KVError) in try path.appending(.index(0)) }?.message == sentence)
    #expect(failure { () throws(KVError) in try path.appending("[0]") }?.message == sentence)
    #expect(failure { () throws(KVError) in try path.appending(.operator("", argument: nil)) }?.code == .invalidKeyPath)
  }

  @Test("KP.8: paths append, by path and by component")
  func appending() throws {
    let path: KVKeyPath = "a.b"
    #expect(try path.appending("c[0]") == "a.b.c[0]")
    #expect(try path.appending(.entry("x.y")) == #"a.b["x.y"]"#)
  }

  @Test("KP.8: paths split into parent and last component")
  func splitting() throws {
    let path: KVKeyPath = "a.b[0]"
    #expect(path.parent == "a.b")
    #expect(path.first == .key("a"))
    #expect(path.last == .index(0))
    #expect(path.components.count == path.count)
    #expect(("a" as KVKeyPath).parent == nil)
  }

  @Test("KP.8: paths compare by prefix, component by component")
  func prefixes() throws {
    let path: KVKeyPath = "ab.c[1]"
    #expect(path.hasPrefix("ab") && path.hasPrefix("ab.c") && path.hasPrefix(path))
    #expect(!path.hasPrefix("a") && !path.hasPrefix("ab.c[1].d") && !path.hasPrefix("c"))
    #expect(path.dropping(prefix: "ab.c") == "[1]")
    #expect(path.dropping(prefix: path) == nil)
    #expect(path.dropping(prefix: "x") == nil)
  }
}
