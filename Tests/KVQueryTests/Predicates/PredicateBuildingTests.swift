import KVCore
import KVQuery
import TestModels
import Testing

@Suite struct PredicateBuildingTests {
  @Test("FLT.1: a predicate is a value: from a format, from expressions, from a closure")
  func creating() throws {
    let year = KVExpression.key("year")
    let built = year >= 1990 && KVExpression.key("title").contains("u", .caseInsensitive) || year == nil
    #expect(built.description == "year >= 1990 AND title CONTAINS[c] \"u\" OR year == NULL")
    #expect(try built == KVPredicate(format: built.description))
    #expect(try built.evaluate(with: Song("Blue", 1990)))
    let title = KVExpression.key("title")
    let all: [KVPredicate] = [
      year != 1, year < 1, year <= 1, year > 1.5, title.begins(with: "a"), title.ends(with: "b", .diacriticInsensitive),
      title.isLike("*"), title.matches("x+"), year.isIn(.value([1, 2])), year.isBetween(1, and: 2),
      KVExpression.key("isLive") == true, KVExpression.variable("x") == "y",
    ]
    for predicate in all { #expect(try KVPredicate(format: predicate.description) == predicate) }
    #expect((!(year == 1)).description == "NOT year == 1")
    let closure = KVPredicate(reading: ["year"]) { ($0 as? Song)?.year == 1999 }
    #expect(try closure.evaluate(with: Song("x", 1999)) && closure.keyPaths == ["year"] && closure == closure)
    #expect(closure != KVPredicate(reading: ["year"]) { _ in true })
    #expect(try KVExpression(format: "year * 2").value(of: Song("x", 3)) as? Int == 6)
    #expect(KVPredicate(true) != KVPredicate(false))
  }

  @Test("FLT.1: many predicates are combined as one list, of any length")
  func combining() throws {
    let years = (0..<20_000).map { KVExpression.key("year") == .value($0) }
    let (any, all) = (KVPredicate(anyOf: years), KVPredicate(allOf: years.map { !$0 }))
    #expect(try any.evaluate(with: Song("x", 19_999)) && !all.evaluate(with: Song("x", 19_999)))
    #expect(try !any.evaluate(with: Song("x", 20_000)) && all.evaluate(with: Song("x", 20_000)))
    #expect(KVPredicate(allOf: years.prefix(2)) == (years[0] && years[1]))
    #expect(KVPredicate(anyOf: years.prefix(2)) == (years[0] || years[1]))
    #expect(KVPredicate(allOf: [any]) == any)
    #expect(try KVPredicate(allOf: []).evaluate(with: nil) && !KVPredicate(anyOf: []).evaluate(with: nil))
    #expect(KVPredicate(allOf: []) == KVPredicate(true) && KVPredicate(anyOf: []) == KVPredicate(false))
  }

  @Test("FLT.2: what has no literal form cannot be encoded, and is named")
  func encoding() throws {
    struct Code: Sendable, Equatable { var number: Int }
    let predicate = KVExpression.key("year") == 5
    #expect(try Plain.encode(["p": predicate]) == ["p": "year == 5"])
    #expect(try Plain.decode([String: KVPredicate].self, ["p": "year = 5"]) == ["p": predicate])
    #expect(throws: DecodingError.self) { try Plain.decode([String: KVPredicate].self, ["p": "year ="]) }
    for (bad, name) in [
      (KVPredicate(reading: []) { _ in true }, "closure"), (KVExpression.key("a") == .value(Code(number: 1)), "Code"),
      (KVExpression.key("a") == .value(Double.nan), "nan"),
    ] {
      let error = #expect(throws: EncodingError.self) { try Plain.encode(["p": bad]) }
      #expect("\(error as Any)".contains(name))
    }
    let (one, two) = (
      KVExpression.key("a") == .value(Code(number: 1)), KVExpression.key("a") == .value(Code(number: 2))
    )
    #expect(one != two)
    #expect(try KVPredicate(format: "a == %@", Code(number: 1)) == one)
  }

  @Test("FLT.12: arguments are values, never parsed")
  func arguments() throws {
    let (typed, first, path): (String, Int, KVKeyPath) = ("' OR 1 = 1 OR '", 1990, "artist.name")
    let predicate: KVPredicate = "year >= \(first) AND \(key: path) CONTAINS[cd] \(typed)"
    #expect(predicate.description == "year >= 1990 AND artist.name CONTAINS[cd] \"' OR 1 = 1 OR '\"")
    #expect(
      try KVPredicate(format: "%K >= %d AND %K CONTAINS[cd] %@", "year", first, path, typed) == predicate)
    #expect(try KVPredicate(format: "a = '%@' AND b = %@", 1).description == "a == \"%@\" AND b == 1")
    #expect(try KVPredicate(format: "a = %f AND b = %ld", 1.5, 2).description == "a == 1.5 AND b == 2")
    #expect(try KVPredicate(format: "a = %@", nil).description == "a == NULL")
    #expect(try KVPredicate(format: "a IN %@", [1, 2]).description == "a IN {1, 2}")
    #expect(try KVPredicate(format: "a IN %@", Set(["y", "x"])).description == "a IN {\"x\", \"y\"}")
    #expect(try KVPredicate(format: "m == %@", Song.Mood.wild).evaluate(with: ["m": "wild"]))
    let optional: Int? = nil
    #expect(("a == \(optional)" as KVPredicate).description == "a == NULL")
    for (format, arguments, expected) in [
      ("a = %@", [], "too few"), ("a = %@", [1, 2], "argument 2"), ("a = %d", ["x"], "a number as argument 1"),
      ("%K = 1", [5], "a key path as argument 1"), ("a = 1", [1], "argument 1"), ("a = %z", [1], "specifier"),
    ] as [(String, [(any Sendable)?], String)] {
      let error = #expect(throws: KVError.self) { try KVPredicate(format: format, arguments: arguments) }
      #expect(error?.code == .invalidPredicate && error?.message.contains(expected) == true, "\(error?.message ?? "")")
    }
    #expect(#expect(throws: KVError.self) { try KVPredicate(format: "%K = 1", "a..b") }?.code == .invalidKeyPath)
  }

  #if os(Linux) || os(macOS)
    @Test("FLT.12, FLT.14: a malformed literal traps with the sentence of the parser")
    func literals() async {
      await #expect(processExitsWith: .failure) { _ = "year = " as KVPredicate }
      await #expect(processExitsWith: .failure) {
        let typed = "x"
        _ = "title = '\(typed)'" as KVPredicate
      }
    }
  #endif

  @Test("FLT.17: the paths that a predicate reads")
  func keyPaths() throws {
    for (format, paths) in [
      ("year = 1 AND artist.name = 'x'", ["artist.name", "year"]), ("SELF = 1", ["self"]),
      ("ANY takes.length > sum(tags)", ["tags", "takes.length"]),
      (
        "SUBQUERY(takes, $t, $t.length > year AND $t.studio = $x).@count > 1",
        ["takes", "takes.@count", "takes.length", "takes.studio", "year"]
      ),
      ("tags[FIRST] = tags[i]", ["i", "tags"]),
      ("artist.albums[LAST].@count = 1", ["artist.albums", "artist.albums.@count"]),
      ("TERNARY(a = 1, b, c) = CAST(d, 'Int')", ["a", "b", "c", "d"]), ("1 = 1", []),
    ] as [(String, [KVKeyPath])] {
      let found = try KVPredicate(format: format).keyPaths
      #expect(
        found.subtracting(paths).isEmpty && Set(paths).subtracting(found).subtracting(["artist.albums"]).isEmpty,
        "\(found)")
    }
  }

  @Test(
    "FLT.17: an expression has the key paths of all its parts, also of aggregates, subqueries, conditions and arguments",
    arguments: [
      ("price * count", ["count", "price"]), ("1 + 2", []), ("SELF", ["self"]),
      ("sum(orders.total) / orders.@count", ["orders.@count", "orders.total"]),
      ("orders.@sum.total", ["orders.@sum.total"]),
      ("SUBQUERY(orders, $o, $o.total > least).@count", ["least", "orders", "orders.@count", "orders.total"]),
      ("TERNARY(ANY tags.name == 'a', boss.name, uppercase(name))", ["boss.name", "name", "tags.name"]),
      ("min({a, b[i]})", ["a", "b", "i"]), ("CAST(a.b, 'Int')", ["a.b"]),
    ])
  func keyPathsOfExpressions(format: String, paths: [String]) throws {
    #expect(try KVExpression(format: format).keyPaths.map(\.description).sorted() == paths)
  }

  @Test("FLT.4: the expression of a predicate is its truth value")
  func expressionOfPredicate() throws {
    let expression = KVExpression(try KVPredicate(format: "year > 2000"))
    #expect(try expression.value(of: Song("x", 2001)) as? Bool == true)
    #expect(try expression.value(of: Song("x", 2000)) as? Bool == false)
    #expect(expression.keyPaths == ["year"] && expression.description == "TERNARY(year > 2000, TRUE, FALSE)")
  }

  @Test("FLT.17: keys that a type with a table does not have are found without an instance")
  func checking() throws {
    for format in [
      "released = 1 AND artist.name = 'x'", "ANY takes.length > 1", "takes.@sum.length > 1", "size.width > 1",
      "extras.any > 1", "title = 'x'",
    ] {
      try KVPredicate(format: format).check(for: Song.self)
    }
    for (format, key, suggestion) in [
      ("yaer = 1", "yaer", "year"), ("artist.nmae = 1", "nmae", "name"), ("ANY takes.lenght > 1", "lenght", "length"),
      ("takes.@sum.lenght > 1", "lenght", "length"), ("size.widht > 1", "widht", "width"),
      ("SUBQUERY(takes, $t, $t.lenght > 1).@count > 1", "lenght", "length"),
    ] {
      let error = #expect(throws: KVError.self) { try KVPredicate(format: format).check(for: Song.self) }
      #expect(error?.code == .undefinedKey && error?.component == key && error?.suggestion == suggestion)
    }
    try KVPredicate(format: "anything = 1").check(for: Int.self)
  }

  @Test("FLT.18: a predicate that reads or calls anything else is refused")
  func limiting() throws {
    let paths: [KVKeyPath] = ["title", "year", "tags", "takes.length"]
    for format in [
      "title CONTAINS[cd] 'x' AND year + 1 > 5", "ANY takes.length > 5",
      "tags.@count > 1 AND tags[0] = 'x' AND tags[LAST] = 'y'",
    ] {
      _ = try KVPredicate(format: format).limited(toKeyPaths: paths)
    }
    _ = try KVPredicate(format: "length(title) > 5").limited(toKeyPaths: paths, functions: ["length"])
    _ = try KVPredicate(format: "title MATCHES 'x'").limited(toKeyPaths: paths, allowsMatching: true)
    for (format, name) in [
      ("artist = NULL", "artist"), ("titel = 1", "titel"), ("title.secret = 1", "title.secret"), ("SELF = 1", "self"),
      ("takes.@count = 1", "takes.@count"),
      ("length(title) > 5", "length"), ("title MATCHES 'x'", "MATCHES"), ("$x = 1", "$x"), ("$x.secret = 1", "$x"),
      ("takes.studio = 1", "takes.studio"),
      ("SUBQUERY(tags, $t, $t.secret = 1).@count = 1", "tags.secret"), ("({title, year}).secret = 1", "secret"),
      ("tags.@max.length = 1", "tags.@max.length"),
    ] {
      let error = #expect(throws: KVError.self) {
        try KVPredicate(format: format).limited(toKeyPaths: paths, allowsSubqueries: true)
      }
      #expect(
        error?.code == .unsupported && error?.message.contains(name) == true, "\(format): \(error?.message ?? "")")
    }
    #expect(throws: KVError.self) { try KVPredicate(reading: ["title"]) { _ in true }.limited(toKeyPaths: paths) }
    let slip = #expect(throws: KVError.self) { try KVPredicate(format: "titel = 1").limited(toKeyPaths: paths) }
    #expect(slip?.suggestion == "title")
  }
}
