import KVCore
import KVQuery
import TestModels
import Testing

@Suite struct PredicateEvaluationTests {
  private let song: Song = {
    let song = Song("Straße nach Süden", 1999, rating: 4.5)
    song.tags = ["live", "Été", "rock"]
    song.artist = Artist("Ada")
    song.artist?.albums = [["one", "two"], ["three"]]
    song.takes = [Take(100, "A"), Take(250), Take(300, "B")]
    song.mood = .wild
    song.rank = .high
    song.extras = ["bonus": 3]
    return song
  }()

  private func holds(_ format: String) throws -> Bool { try KVPredicate(format: format).evaluate(with: song) }

  @Test(
    "FLT.5: equality and order",
    arguments: [
      ("year == 1999.0", true), ("year = '1999'", false), ("isLive == 0", true), ("isLive == FALSE", true),
      ("rating > 4", true),
      ("notes == NULL", true), ("notes != 5", true), ("notes < 5", false), ("notes >= 5", false),
      ("notes <= NULL", true),
      ("notes < NULL", false), ("title < 'T'", true), ("mood == 'wild'", true), ("mood == 'calm'", false),
      ("mood > 'calm'", true),
      ("rank >= 10", true), ("rank == 1", false), ("size.width == 1 AND size.height = 2.5", true),
      ("artist == artist", true),
      ("artist != title", true), ("extras.bonus == 3", true), ("extras.none == NULL", true),
      ("artist.name == 'Ada'", true),
      ("takes.length == {100, 250, 300}", true), ("released == 1999", true), ("year <> 1999", false),
    ])
  func comparisons(format: String, expected: Bool) throws { #expect(try holds(format) == expected) }

  @Test(
    "FLT.5: ordering different kinds throws, also in the operators of texts",
    arguments: [
      "year < 'x'", "title > 5", "artist < artist", "year BEGINSWITH '1'", "5 IN 6", "year CONTAINS 1",
      "title CONTAINS 5",
    ])
  func mismatches(format: String) throws {
    let error = #expect(throws: KVError.self) { try holds(format) }
    #expect(error?.code == .typeMismatch && error?.message.contains("cannot be compared") == true)
  }

  @Test(
    "FLT.5: the error of a compared collection advises ANY or ALL",
    arguments: [
      ("takes.length > 100", " Elements are compared by ANY or ALL, as in ANY takes.length > 100."),
      ("ANY tags > 5", "compared by >: ANY tags > 5."), ("title > 5", "compared by >: title > 5."),
    ])
  func mismatchAdvice(format: String, advice: String) throws {
    let error = #expect(throws: KVError.self) { try holds(format) }
    #expect(error?.code == .typeMismatch && error?.message.hasSuffix(advice) == true, "\(error?.message ?? "")")
  }

  @Test("FLT.5, CO.7: two values of one type with raw values are compared by their own equality")
  func rawValues() throws {
    let stamps: [String: Any] = ["one": Stamp(5, "a"), "other": Stamp(5, "b"), "same": Stamp(5, "a"), "five": 5]
    #expect(try !KVPredicate(format: "one == other").evaluate(with: stamps))
    #expect(try KVPredicate(format: "one == same AND one == five AND other == 5").evaluate(with: stamps))
  }

  @Test(
    "FLT.5, FLT.6, FLT.8: a Character and a Substring are compared with texts as texts",
    arguments: [
      ("letter == 'b'", true), ("'b' == letter", true), ("letter != 'b'", false), ("letter == part", false),
      ("part == 'bcd'", true), ("part == whole", true), ("letter < 'c' AND part > letter", true),
      ("letter ==[c] 'B'", true),
      ("part BEGINSWITH letter", true), ("part ENDSWITH 'cd'", true), ("part LIKE 'b?d'", true),
      ("letter MATCHES '[a-c]'", true), ("part CONTAINS 'c'", true), ("letter IN 'abc'", true),
      ("letter IN part", true),
      ("letter IN {'a', 'b'}", true), ("part IN {'a', 'b'}", false), ("uppercase(part) == 'BCD'", true),
      ("letter == grade", true), ("letter == 98", false), ("nothing == NULL", true), ("nothing == 'b'", false),
    ])
  func otherTexts(format: String, expected: Bool) throws {
    let values: [String: Any] = [
      "letter": Character("b"), "part": "abcd".dropFirst(), "whole": "bcd", "grade": Grade.second,
      "nothing": Character?.none as Any,
    ]
    #expect(try KVPredicate(format: format).evaluate(with: values) == expected)
  }

  private enum Grade: String { case second = "b" }

  @Test("FLT.5: NaN is unordered")
  func nan() throws {
    let song = Song("x", 1, rating: .nan)
    for format in ["rating < 1", "rating > 1", "rating <= 1", "rating == rating", "rating == 1"] {
      #expect(try !KVPredicate(format: format).evaluate(with: song))
    }
    #expect(try KVPredicate(format: "rating != 1").evaluate(with: song))
  }

  @Test(
    "FLT.6, FLT.7: texts are compared by character, and options ignore case and diacritics",
    arguments: [
      ("title BEGINSWITH 'Str'", true), ("title BEGINSWITH 'str'", false), ("title BEGINSWITH[c] 'STRASSE'", true),
      ("title ENDSWITH 'den'", true), ("title ENDSWITH[cd] 'SUDEN'", true), ("title CONTAINS 'nach'", true),
      ("title CONTAINS[d] 'Suden'", true), ("title CONTAINS ''", true), ("title BEGINSWITH ''", true),
      ("title ENDSWITH ''", true), ("'xab' CONTAINS 'abc'", false), ("'éab' CONTAINS[c] 'abé'", false),
      ("title LIKE 'Str*S?den'", true), ("title LIKE[c] '*NACH*'", true), ("title LIKE 'Stra'", false),
      ("title LIKE '*'", true),
      ("'a*c' LIKE 'a\\*c'", true), ("'abc' LIKE 'a\\*c'", false), ("'' LIKE '*'", true), ("'' LIKE '?'", false),
      ("title MATCHES 'Str.*n'", true), ("title MATCHES 'Str'", false), ("title MATCHES[c] 'str.*'", true),
      ("'été' MATCHES[d] 'e.e'", true), ("'été' MATCHES 'e.e'", false), ("'été' MATCHES 'é.é'", true),
      ("'e\u{301}' BEGINSWITH 'e'", false),
      ("'é' == 'e\u{301}'", true), ("'é' ==[d] 'e'", true), ("'É' ==[cd] 'e'", true), ("'É' ==[c] 'é'", true),
      ("'A' <[c] 'b'", true),
      ("'A' >=[c] 'a'", true), ("'e\u{301}' CONTAINS 'e'", false), ("'e\u{301}' CONTAINS[d] 'e'", true),
      ("'ae\u{301}' ENDSWITH 'e'", false),
      ("'x\r\n' ENDSWITH '\\n'", false), ("'é' LIKE '?'", true), ("'\u{212A}' ==[c] 'k'", true),
      ("'\u{212A}x' BEGINSWITH[c] 'kx'", true),
      ("notes BEGINSWITH 'x'", false), ("notes LIKE '*'", false), ("notes MATCHES '.*'", false),
      ("title CONTAINS NULL", false),
      ("mood BEGINSWITH 'w'", true), ("'aXbXc' LIKE '*X*X?'", true), ("'abcabd' CONTAINS 'abd'", true),
      ("'ß' ==[c] 'SS'", true),
      ("title ==[c] 'strasse nach süden'", true), ("title !=[c] 'strasse nach süden'", false),
    ])
  func texts(format: String, expected: Bool) throws {
    #expect(try holds(format) == expected)
    // The pattern in a variable is prepared at each evaluation.
    #expect(try !KVPredicate(format: "NOT (\(format))").evaluate(with: song) == expected)
  }

  @Test(
    "FLT.8: members and bounds",
    arguments: [
      ("'live' IN tags", true), ("tags CONTAINS 'rock'", true), ("tags CONTAINS[cd] 'ete'", true),
      ("'ete' IN[cd] tags", true),
      ("year IN {1998, 1999}", true), ("year IN {1999.0}", true), ("rating IN {4, 4.5}", true),
      ("'aß' IN 'xaßx'", true),
      ("'ROCK' IN tags", false), ("3 IN extras", true), ("'bonus' IN extras", false), ("notes IN {1, NULL}", true),
      ("notes IN tags", false),
      ("5 IN notes", false), ("notes CONTAINS 5", false), ("year BETWEEN {1999, 2000}", true),
      ("year BETWEEN {2000, 1990}", false),
      ("title BETWEEN {'A', 'Z'}", true), ("notes BETWEEN {1, 2}", false), ("year BETWEEN notes", false),
      ("year BETWEEN {year, year}", true),
      ("mood IN {'wild'}", true),
      ("year IN {}", false), ("title IN {'x', 5}", false),
    ])
  func members(format: String, expected: Bool) throws { #expect(try holds(format) == expected) }

  @Test("FLT.8: another number of bounds throws")
  func bounds() throws {
    #expect(throws: KVError.self) { try holds("year BETWEEN tags") }
    #expect(throws: KVError.self) { try holds("year BETWEEN 5") }
  }

  @Test(
    "FLT.9: ANY, ALL and NONE",
    arguments: [
      ("ANY takes.length > 250", true), ("ALL takes.length > 99", true), ("ALL takes.length > 100", false),
      ("NONE takes.length > 300", true),
      ("SOME tags == 'live'", true), ("ANY tags ==[cd] 'ETE'", true), ("ANY artist.albums == 'three'", true),
      ("ALL artist.albums != 'x'", true),
      ("ANY notes == 1", false), ("ALL notes == 1", true), ("NONE notes == 1", true),
      ("ANY takes.studio == NULL", true),
      ("ALL takes.studio != NULL", false), ("ANY {} = 1", false), ("ALL {} = 1", true),
      ("ANY tags IN {'x', 'rock'}", true),
      ("NONE tags CONTAINS 'liv'", false), ("ANY {1, {2, {3}}} = 3", true), ("ANY takes.length == year - 1699", true),
      ("ANY extras == 3", true),
    ])
  func quantifiers(format: String, expected: Bool) throws { #expect(try holds(format) == expected) }

  @Test("FLT.9: another operand throws")
  func quantifierMismatch() throws {
    let error = #expect(throws: KVError.self) { try holds("ANY title == 'x'") }
    #expect(error?.code == .typeMismatch && error?.message.contains("needs a collection") == true)
    song.takes[0].studio = nil
    let element = #expect(throws: KVError.self) { try holds("ANY takes.studio < 5") }
    #expect(element?.message.contains("element 2") == true, "\(element?.message ?? "")")
  }

  @Test("FLT.3: escapes of control characters are these characters")
  func controlCharacters() throws {
    #expect(try KVPredicate(format: #"SELF == "a\tb\rc\nd""#).evaluate(with: "a\tb\rc\nd"))
  }

  @Test("FLT.10: subqueries and variables")
  func variables() throws {
    #expect(try holds("SUBQUERY(takes, $t, $t.length > 200).@count == 2"))
    #expect(try holds("SUBQUERY(takes, $t, $t.length > 200 AND $t.studio == 'B')[FIRST].length == 300"))
    #expect(try holds("SUBQUERY(takes, $t, $t.length > year)[SIZE] == 0"))
    #expect(try holds("SUBQUERY(takes, $x, SUBQUERY(tags, $x, $x == 'live').@count == 1).@count == 3"))
    #expect(try holds("SUBQUERY(notes, $x, $x = 1).@count == 0"))
    let predicate: KVPredicate = "year >= $first AND SUBQUERY(takes, $t, $t.length > $first - 1900).@count = 3"
    let error = #expect(throws: KVError.self) { try predicate.evaluate(with: song, variables: ["frist": 1]) }
    #expect(error?.component == "$first" && error?.suggestion == "frist" && error?.message.contains("no value") == true)
    #expect(try predicate.evaluate(with: song, variables: ["first": 1990]))
    #expect(try predicate.with(["first": 1990]).evaluate(with: song))
    #expect("\(predicate.with(["first": 1990, "t": 1]))".contains("$t.length > 1990 - 1900"))
    #expect(try KVPredicate(format: "$a.name == 'Ada'").evaluate(with: 1, variables: ["a": song.artist]))
  }

  @Test(
    "FLT.11: functions",
    arguments: [
      ("7 / 2 == 3", true), ("7 / 2.0 == 3.5", true), ("2 ** 10 == 1024", true), ("2 ** -1 == 0.5", true),
      ("2 ** 0.5 == sqrt(2)", true), ("3 ** 50 == 717897987691852588770249", true),
      ("(-3) ** 41 == -36472996377170786403", true),
      ("9223372036854775807 + 1 == 9223372036854775808", true), ("9007199254740993 + 0 == 9007199254740993", true),
      ("1 - notes == NULL", true),
      ("sum({1, 2, 3}) == 6", true), ("sum(takes.length) == 650", true), ("average({1, 2}) == 1.5", true),
      ("count(tags) == 3", true),
      ("min(3, 1, 2) == 1", true), ("max(takes.length) == 300", true), ("median({1, 2, 3, 4}) == 2.5", true),
      ("stddev({1, 3}) == 1", true),
      ("mode({1, 2, 2, 3}) == {2}", true), ("abs(-5) == 5 AND abs(-2.5) == 2.5", true),
      ("floor(2.7) == 2 AND ceiling(2.2) == 3", true),
      ("trunc(-2.7) == -2", true), ("exp(0) == 1 AND ln(1) == 0 AND log(100) == 2", true),
      ("uppercase('straße') == 'STRASSE'", true),
      ("lowercase(title) BEGINSWITH 'straße'", true), ("length('e\u{301}x') == 2", true),
      ("length(notes) == NULL", true),
      ("modulus:by:(7, 4) == 3", true), ("bitwiseAnd:with:(6, 3) == 2", true),
      ("rightshift:by:(8, 2) == 2 AND leftshift:by:(8, 2) == 32", true), ("onesComplement(0) == -1", true),
      ("max({}) == NULL", true),
      ("CAST('12', 'Int') + 1 == 13", true), ("CAST(12, 'String') == '12'", true),
      ("CAST('x', 'NSString') == 'x'", true),
      ("CAST('1.5', 'NSNumber') == 1.5", true), ("TERNARY(isLive == TRUE, 1, 2) == 2", true),
      ("takes[1].length == 250", true),
      ("takes[LAST].length - takes[FIRST].length == 200", true), ("tags[count(tags) - 1] == 'rock'", true),
      ("tags[SIZE] == 3", true),
      ("extras['bonus'] == 3", true), ("multiply:by:(3, 4) == 12", true), ("'abc' == lowercase:('ABC')", true),
    ])
  func functions(format: String, expected: Bool) throws { #expect(try holds(format) == expected) }

  @Test("FLT.11: division by zero throws, and so do operands of another kind")
  func failures() throws {
    for format in ["1 / 0 = 1", "1 / 0.0 = 1", "year / (year - 1999) = 1", "modulus:by:(1, 0) = 1"] {
      #expect(#expect(throws: KVError.self) { try holds(format) }?.code == .operatorFailed)
    }
    for format in ["title + 1 = 2", "sum(title) = 1", "length(5) = 1", "sqrt('x') = 1", "CAST('x', 'Int') = 1"] {
      #expect(#expect(throws: KVError.self) { try holds(format) }?.code == .typeMismatch, "\(format)")
    }
    #expect(#expect(throws: KVError.self) { try holds("tags[7] = 'x'") }?.code == .indexOutOfRange)
    let negative = #expect(throws: KVError.self) { try holds("tags[0 - 1] = 'x'") }
    #expect(negative?.code == .indexOutOfRange)
    #expect(negative?.message.contains("valid indexes are 0 to") == true, "\(negative?.message ?? "")")
  }

  @Test("FLT.11: registered functions")
  func registered() throws {
    try KVPredicate.registerFunction("testInitial") { ($0[0] as? String).map { String($0.prefix(1)) } }
    defer { KVPredicate.unregisterFunction("testInitial") }
    #expect(try holds("testInitial(title) == 'S'"))
    #expect(throws: KVError.self) { try KVPredicate.registerFunction("testInitial") { _ in nil } }
    #expect(throws: KVError.self) { try KVPredicate.registerFunction("sum", replacing: true) { _ in nil } }
    #expect(throws: KVError.self) { try KVPredicate.registerFunction("no word") { _ in nil } }
    try KVPredicate.registerFunction("testFailing") { _ in throw SongFailure.closed }
    defer { KVPredicate.unregisterFunction("testFailing") }
    #expect(#expect(throws: KVError.self) { try holds("testFailing() = 1") }?.underlying is SongFailure)
  }

  @Test("FLT.16: any value is read, errors are those of KVC, and AND and OR stop where the result is known")
  func anyValue() throws {
    let predicate: KVPredicate = "a.b == 1"
    #expect(try predicate.evaluate(with: ["a": ["b": 1]]))
    #expect(try !predicate.evaluate(with: ["c": 1]))
    #expect(try !predicate.evaluate(with: nil))
    #expect(try KVPredicate(format: "SELF > 5").evaluate(with: 6))
    #expect(try KVPredicate(format: "SELF == NULL").evaluate(with: nil))
    #expect(try KVPredicate(format: "width = 1").evaluate(with: Size()))
    let error = #expect(throws: KVError.self) { try holds("yaer = 1") }
    #expect(error?.code == .undefinedKey && error?.suggestion == "year")
    #expect(try holds("year = 1999 OR yaer = 1"))
    #expect(try !holds("year = 1 AND yaer = 1"))
  }

  @Test("FLT.19: filter keeps the order, and an error names the index")
  func filtering() throws {
    let songs = [Song("b", 1), Song("a", 2), Song("c", 3)]
    #expect(try songs.filter("year != 2" as KVPredicate).map(\.title) == ["b", "c"])
    #expect(try [1, 5, 3].filter("SELF > 2") == [5, 3])
    let rows: [Any] = [["x": 1], ["x": "one"]]
    let error = #expect(throws: KVError.self) { try rows.filter("x > 0" as KVPredicate) }
    #expect(error?.message.hasPrefix("element 1: ") == true && error?.code == .typeMismatch)
  }

  @Test("FLT.20: one predicate filters values of several types in turn")
  func types() throws {
    let predicate: KVPredicate = "width >= 2"
    let values: [Any] = [Size(width: 1), ["width": 2], Size(width: 3), (width: 4, height: 1), Size(width: 0)]
    #expect(try values.filter(predicate).count == 3)
    #expect(try [Size(width: 5)].filter(predicate).count == 1)
  }

  @Test("FLT.4, KVC.5: brackets behind a computed index belong to the key before them")
  func bracketsBehindComputedIndexes() throws {
    let bags: [String: Any] = [
      "bags": [["n": [[1, 2], [3, 4]], "m": ["a": [7, 8]]], ["n": [[5, 6], [7, 8]], "m": ["a": [9, 10]]]]
    ]
    for (format, value) in [
      ("bags.n[$i][1]", [2, 6]), ("bags.n[$i][$j]", [2, 6]), ("bags.n[0][$j]", [2, 6]), ("bags.m[$k][1]", [8, 10]),
      ("bags.n[$i][$j + 0]", [2, 6]), ("(bags.n[$i])[1]", [2, 6]),
    ] {
      let predicate = try KVPredicate(format: "\(format) == $value")
      let variables: [String: any Sendable] = ["i": 0, "j": 1, "k": "a", "value": value]
      #expect(try predicate.evaluate(with: bags, variables: variables), "\(format)")
      #expect(try predicate.with(variables).evaluate(with: bags), "\(format)")
    }
    let error = #expect(throws: KVError.self) {
      try KVPredicate(format: "bags.n[$i][$j] == 1").evaluate(with: bags, variables: ["i": 0, "j": -1])
    }
    #expect(error?.code == .indexOutOfRange)
  }

  @Test("FLT.14: brackets behind each other, each compiled once, take no more time for each level")
  func computedIndexes() throws {
    let item = (0..<40).reduce(["n": 1] as [String: Any]) { inner, _ in ["list": [inner]] }
    let format = String(repeating: "list[1 - 1].", count: 40) + "n == 1"
    #expect(try KVPredicate(format: format).evaluate(with: item))
    var policy = KVPolicy("open")
    try policy.allow([String: Any].self, keys: ["list", "n"])
    #expect(try KVPredicate(format: format).limited(by: policy).evaluate(with: item))
  }
}

/// A number and a mark, which counts for equality.
private struct Stamp: RawRepresentable, Equatable {
  let rawValue: Int
  let mark: String

  init(_ number: Int, _ mark: String) { (rawValue, self.mark) = (number, mark) }
  init?(rawValue: Int) { self.init(rawValue, "") }
  static func == (left: Stamp, right: Stamp) -> Bool { left.mark == right.mark }
}
