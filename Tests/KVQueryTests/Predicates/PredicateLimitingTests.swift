import KVCore
import KVQuery
import Testing

@Suite struct PredicateLimitingTests {
  private struct Owner: KeyValueCoding {
    var title = "secret"
    var secret = "x"
    static var keyTable: KVTable {
      KVTable(Owner.self) { key in
        key("title", \.title)
        key("secret", \.secret)
      }
    }
  }

  @Test(
    "FLT.18: a key that an index computes is refused",
    arguments: [
      "artist[('secret')] == 'x'", "artist[title] == 'x'", "artist[TERNARY(1 = 1, 'secret', '')] == 'x'",
      "SUBQUERY(artist, $t, $t[('secret')] == 'x')[SIZE] > 0", "artist[('boss')].name == 'x'",
      "artist[lowercase('SECRET')] == 'x'", "artist[CAST('secret', 'String')] == 'x'", "artist[title].name == 'x'",
      "SUBQUERY(artist[title], $t, $t.name == 'x')[SIZE] > 0", "artist[max({'secret'})] == 'x'",
      "artist[({'secret'})[FIRST]] == 'x'", "artist[('a')][title] == 'x'", "({artist, title})[title] == 'x'",
      "TERNARY(1 = 1, artist, NULL)[('secret')] == 'x'", "TERNARY(1 = 1, artist, NULL).secret == 'x'",
      "SUBQUERY({artist}, $t, $t.secret == 'x')[SIZE] > 0", "SUBQUERY(artist, $t, $t[title] == 'x')[SIZE] > 0",
    ])
  func computed(format: String) throws {
    let functions = ["lowercase", "max"]
    let predicate = try KVPredicate(format: format)
    let error = #expect(throws: KVError.self, "\(format)") {
      try predicate.limited(
        toKeyPaths: ["artist", "artist.name", "title"], functions: functions, allowsSubqueries: true)
    }
    #expect(error?.code == .unsupported)
  }

  @Test("FLT.17, FLT.18: what an expression may yield is told apart up to 200 key paths, and refused beyond")
  func manySources() throws {
    for count in [200, 201] {
      let keys = (0..<count).map { "k\($0)" }
      let predicate = try KVPredicate(format: "({\(keys.joined(separator: ", "))})[FIRST].name == 'x'")
      let paths = try keys.flatMap { [try KVKeyPath($0), try KVKeyPath($0 + ".name")] }
      let limited = try? predicate.limited(toKeyPaths: paths)
      #expect((limited != nil) == (count == 200))
    }
  }

  @Test("FLT.18: variables without values are refused, the first one by name")
  func variables() throws {
    let predicate = try KVPredicate(format: "title == $y AND title == $x")
    let error = #expect(throws: KVError.self) { try predicate.limited(toKeyPaths: ["title"]) }
    #expect(error?.component == "$x")
    _ = try predicate.with(["x": "a", "y": "b"]).limited(toKeyPaths: ["title"])
  }

  @Test("FLT.18: a constant index is a component of the path, also one that a variable binds")
  func constants() throws {
    let folded = try KVPredicate(format: "artist[('boss')].name == 'x'")
    #expect(folded.keyPaths == ["artist[\"boss\"].name"] && folded.description == "artist[\"boss\"].name == \"x\"")
    let bound = try KVPredicate(format: "artist[$k].name == 'x'").with(["k": "boss"])
    #expect(bound == folded && bound.keyPaths == folded.keyPaths)
    #expect(throws: KVError.self) { try bound.limited(toKeyPaths: ["artist", "artist.name"]) }
    let index = try KVPredicate(format: "tags[$i] == 'x'").with(["i": UInt8(1)])
    #expect(index.description == "tags[1] == \"x\"")
    #expect(try index.limited(toKeyPaths: ["tags"]).evaluate(with: ["tags": ["a", "x"]]))
    for format in [
      "tags[count(tags) - 1] == 'x'", "tags[(0 + 1)] == 'x'", "tags[SIZE] == 1", "tags[length(title)] == 1",
    ] {
      _ = try KVPredicate(format: format).limited(toKeyPaths: ["tags", "title"], functions: ["count", "length"])
    }
    #expect(throws: KVError.self) {
      try KVPredicate(format: "SELF[title] == 'x'").limited(toKeyPaths: ["self", "title"])
    }
    #expect(try KVPredicate(format: "SELF[title] == 'x'").evaluate(with: Owner()))
  }

  @Test(
    "FLT.18: SUBQUERY is refused wherever it is, unless it is permitted",
    arguments: [
      "SUBQUERY(tags, $t, $t == 'x')[SIZE] > 0", "SUBQUERY({1, 2}, $x, TRUEPREDICATE)[SIZE] > 0",
      "NOT (title == 'x' OR count(SUBQUERY({1, 2}, $x, $x == 1)) > 0)", "title IN {SUBQUERY({1}, $x, $x == 1)[FIRST]}",
      "TERNARY(SUBQUERY({1}, $x, $x == 1)[SIZE] > 0, 1, 2) == 1", "tags[SUBQUERY({1}, $x, $x == 1)[SIZE]] == 'x'",
      "CAST(SUBQUERY({1}, $x, $x == 1)[SIZE], 'Double') == 1",
    ])
  func subqueries(format: String) throws {
    let predicate = try KVPredicate(format: format)
    let paths: [KVKeyPath] = ["tags", "title"]
    let error = #expect(throws: KVError.self, "\(format)") {
      try predicate.limited(toKeyPaths: paths, functions: ["count"])
    }
    #expect(error?.code == .unsupported && error?.message.contains("allowsSubqueries: true") == true)
    _ = try predicate.limited(toKeyPaths: paths, functions: ["count"], allowsSubqueries: true)
  }

  @Test("FLT.17: the key paths of subqueries over SELF, lists and TERNARY")
  func keyPaths() throws {
    #expect(try KVPredicate(format: "SUBQUERY(SELF, $x, $x.name == 'a')[SIZE] > 0").keyPaths == ["self", "name"])
    #expect(
      try KVPredicate(format: "SUBQUERY({artist, boss}, $x, $x.name == 'a')[SIZE] > 0").keyPaths
        == ["artist", "boss", "artist.name", "boss.name"])
    #expect(
      try KVPredicate(format: "TERNARY(a = 1, artist, NULL).name == 'a'").keyPaths == ["a", "artist.name"])
    #expect(throws: KVError.self) {
      try KVPredicate(format: "SUBQUERY(SELF, $x, $x.nmae == 'a')[SIZE] > 0").check(for: [Artist].self)
    }
    // Paths that multiply are not told apart.
    let many = (0..<12).reduce("$x == 1") { text, _ in "SUBQUERY({$x.a, $x.b}, $x, \(text))[SIZE] > 0" }
    #expect(throws: KVError.self) {
      try KVPredicate(format: "SUBQUERY(a, $x, \(many))[SIZE] = 0").limited(toKeyPaths: ["a"], allowsSubqueries: true)
    }
  }
}
