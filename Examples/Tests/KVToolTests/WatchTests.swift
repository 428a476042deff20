import Foundation
import KVBinding
import KVDocuments
import Testing

@testable import KVTool

@Suite("What the watch of a document reports")
struct WatchTests {
  private func record(_ json: String) throws -> KVRecord { try KVRecord(json: Data(json.utf8)) }

  /// A document as it is read: a member that is null is none.
  private func record(_ plain: [String: Any]) throws -> KVRecord {
    try KVRecord(json: KVDocument(plain).data())
  }

  private func lines(_ old: String, _ new: String, paths: [String] = []) throws -> [String] {
    let watch = try DocumentWatch(try record(old), paths: paths.map { try KVKeyPath($0) })
    return try watch.merge(try record(new)).map(\.text)
  }

  @Test("Settings, and members that come and go")
  func members() throws {
    #expect(
      try lines(#"{"a": 1, "b": "x", "c": {"d": 1}}"#, #"{"a": true, "c": {"d": 1, "e": null, "f g": []}, "h": 0.5}"#)
        == [
          #"- b: "x""#, "~ a: 1 → true", #"+ c["f g"]: []"#, "+ h: 0.5",
        ])
  }

  @Test("An equal document reports nothing, whatever its spelling")
  func equal() throws {
    #expect(try lines(#"{"a": [1, {"b": null}], "c": 2.0}"#, #"{"c": 2, "a": [1.0, {}]}"#) == [])
  }

  @Test("Elements come and go by their indexes, and objects change in place")
  func elements() throws {
    #expect(
      try lines(
        #"{"l": [{"n": "a", "v": 1}, {"n": "b", "v": 2}, {"n": "c", "v": 3}, {"n": "d", "v": 4}]}"#,
        #"{"l": [{"n": "z", "v": 0}, {"n": "a", "v": 1}, {"n": "c", "v": 9}, {"n": "d", "v": 4}]}"#) == [
          #"- l[1]: {"n":"b","v":2}"#, #"+ l[0]: {"n":"z","v":0}"#, "~ l[2].v: 3 → 9",
        ])
    #expect(try lines(#"{"l": [1, null, 3]}"#, #"{"l": [1, 3, null]}"#) == ["- l[1]: null", "+ l[2]: null"])
    #expect(try lines(#"{"l": [[1], [2]]}"#, #"{"l": [[1], [2, 3]]}"#) == ["~ l[1]: [2] → [2,3]"])
  }

  @Test("A change reports the index that its element has by then")
  func movedElements() throws {
    let watch = try DocumentWatch(try record(#"{"l": [{"n": 1, "v": 1}]}"#))
    _ = try watch.merge(try record(#"{"l": [{"n": 0, "v": 0}, {"n": 1, "v": 1}]}"#))
    #expect(
      try watch.merge(try record(#"{"l": [{"n": 0, "v": 0}, {"n": 1, "v": 2}]}"#)).map(\.text) == ["~ l[1].v: 1 → 2"])
  }

  @Test("With paths only what is at or below them is reported")
  func paths() throws {
    let old = #"{"o": {"n": "a", "m": 1}, "l": [{"p": 1}, {"p": 2}], "x": 1}"#
    let new = #"{"o": {"n": "b", "m": 1}, "l": [{"p": 1}, {"p": 5}, {"p": 7}], "x": 2}"#
    #expect(try lines(old, new, paths: ["o"]) == [#"~ o.n: "a" → "b""#])
    #expect(try lines(old, new, paths: ["o.n"]) == [#"~ o.n: "a" → "b""#])
    #expect(try lines(old, new, paths: ["l[1]"]) == ["~ l[1].p: 2 → 5"])
    #expect(try lines(old, new, paths: ["l.@sum.p", "l.@count"]) == ["~ l.@sum.p: 3 → 13", "~ l.@count: 2 → 3"])
    #expect(try lines(old, new, paths: ["y.z"]) == [])
    #expect(try lines(old, #"{"y": {"z": 1}}"#, paths: ["y.z", "o.n"]) == ["- o.n: \"a\"", "+ y.z: 1"])
  }

  @Test("A path that cannot be observed is refused")
  func refused() throws {
    #expect(throws: KVError.self) { try lines(#"{"l": [{"p": 1}]}"#, "{}", paths: ["l.p"]) }
  }

  @Test("After a merge the document is the new one, and the lines lead there", arguments: 0..<500)
  func random(seed: UInt64) throws {
    var random = RandomDocument(seed: seed)
    var plain = random.object()
    let watch = try DocumentWatch(try record(plain))
    for _ in 0..<4 {
      let before = DocumentContent(watch.document)
      plain = random.changed(plain)
      let lines = try watch.merge(try record(plain)).map(\.text)
      let after = DocumentContent(watch.document)
      #expect(after == DocumentContent(try record(plain)))
      #expect(try Replay(before).following(lines) == after, "\(lines)")
      #expect(lines.isEmpty == (before == after))
    }
  }
}

extension WatchTests {
  @Test("A watch of one member reports what the watch of everything reports of it", arguments: 0..<200)
  func pathsOfRandom(seed: UInt64) throws {
    var random = RandomDocument(seed: seed)
    var plain = random.object()
    let everything = try DocumentWatch(try record(plain))
    let paths = try [#"["a"]"#, "é", #"["odd.key"]"#, "count"].map { try KVKeyPath($0) }
    let members = try paths.map { try DocumentWatch(try record(plain), paths: [$0]) }
    for _ in 0..<4 {
      plain = random.changed(plain)
      let all = try everything.merge(try record(plain)).map(\.text)
      for (path, watch) in zip(paths, members) {
        let key = try #require(Line.name(path))
        let own = all.filter { Line.first(of: $0) == key }
        let reported = try watch.merge(try record(plain)).map(\.text)
        #expect(reported.map(Line.rest) == own.map(Line.rest))
      }
    }
  }
}

/// The parts of lines.
private enum Line {
  static func name(_ path: KVKeyPath) -> String? {
    switch path.first {
    case .key(let name), .entry(let name): name
    case .index, .operator: nil
    }
  }

  /// The name that the path of a line begins with.
  static func first(of line: String) -> String? {
    guard let end = line.range(of: ": "), let path = try? KVKeyPath(String(line[..<end.lowerBound].dropFirst(2))) else {
      return nil
    }
    return name(path)
  }

  /// A line without that name, which may be written in two ways.
  static func rest(_ line: String) -> String {
    guard let end = line.range(of: ": "), let path = try? KVKeyPath(String(line[..<end.lowerBound].dropFirst(2))) else {
      return line
    }
    return "\(line.prefix(2))\(path.components.dropFirst())\(line[end.lowerBound...])"
  }
}

/// Does to a document what the lines of a watch say, as somebody would who has nothing but them.
private struct Replay {
  private var document: DocumentContent

  init(_ document: DocumentContent) { self.document = document }

  func following(_ lines: [String]) throws -> DocumentContent {
    var result = self
    for line in lines { try result.follow(line) }
    return result.document
  }

  private mutating func follow(_ line: String) throws {
    let end = try #require(line.range(of: ": "))
    let path = try KVKeyPath(String(line[line.index(line.startIndex, offsetBy: 2)..<end.lowerBound]))
    let rest = String(line[end.upperBound...])
    let components = path.components[...]
    switch line.first {
    case "+": document = try Self.document(document, components, nil, try Self.content(rest))
    case "-": document = try Self.document(document, components, try Self.content(rest), nil)
    default:
      let arrow = try #require(rest.range(of: " → "))
      document = try Self.document(
        document, components, try Self.content(String(rest[..<arrow.lowerBound])),
        try Self.content(String(rest[arrow.upperBound...])))
    }
  }

  private static func content(_ json: String) throws -> DocumentContent {
    DocumentContent(try KVDocument(data: Data(json.utf8)).root)
  }

  /// Puts one value in the place of another, which has to be there; nil is no value.
  private static func document(
    _ document: DocumentContent, _ path: ArraySlice<KVKeyPath.Component>, _ old: DocumentContent?,
    _ new: DocumentContent?
  ) throws -> DocumentContent {
    let rest = path.dropFirst()
    switch (document, path.first) {
    case (.object(var members), .key(let key)), (.object(var members), .entry(let key)):
      if rest.isEmpty {
        #expect(members[key] == old)
        members[key] = new
      } else {
        members[key] = try Self.document(try #require(members[key]), rest, old, new)
      }
      return .object(members)
    case (.array(var elements), .index(let index)):
      if !rest.isEmpty {
        elements[index] = try Self.document(elements[index], rest, old, new)
      } else if let old {
        #expect(elements[index] == old)
        elements.replaceSubrange(index...index, with: new.map { [$0] } ?? [])
      } else {
        elements.insert(try #require(new), at: index)
      }
      return .array(elements)
    default:
      Issue.record("nothing is at \(path)")
      return document
    }
  }
}
