import KVCore
import KVQuery
import Testing

@Suite struct PredicateRoundTripTests {
  private func roundTrips(_ predicate: KVPredicate) throws {
    let again = try KVPredicate(format: predicate.description)
    #expect(again == predicate && again.description == predicate.description, "\(predicate)")
  }

  @Test("FLT.2: bound collections, odd variables, operators and their arguments are printed so that they parse")
  func oddTexts() throws {
    let list = try KVPredicate(format: "$l[FIRST] == 1 AND $l[i] == 2 AND $l.@count == 2").with(["l": [1, 2]])
    #expect(list.description == "({1, 2})[FIRST] == 1 AND ({1, 2})[i] == 2 AND ({1, 2}).@count == 2")
    try roundTrips(list)
    #expect(try list.evaluate(with: ["i": 1]))
    let odd = KVExpression.variable("a == 1 OR b") == 1
    #expect(odd.description == "$\"a == 1 OR b\" == 1")
    try roundTrips(odd)
    #expect(try odd.evaluate(with: 1, variables: ["a == 1 OR b": 1]))
    for path: KVKeyPath in ["a.@max[my key]", "a.@max[0]", "a[0].@firstObject"] {
      try roundTrips(KVExpression.key(path) == 1)
    }
    for format in [
      "(a.@firstObject)[FIRST] == 1", "(a.@lastObject)[i] == 1", "SUBQUERY($\"x y\", $z, $z == 1)[SIZE] == 1",
    ] {
      #expect(try KVPredicate(format: format).description == format)
    }
    #expect(try KVPredicate(format: "(a.@firstObject)[FIRST] == 1").evaluate(with: ["a": [[1]]]))
  }

  @Test("FLT.2, FLT.10: an index that is bound behind an operator is printed so that it parses")
  func boundIndexes() throws {
    let element = try KVPredicate(format: "(a.@lastObject)[$i] == 2").with(["i": 0])
    #expect(element.description == "(a.@lastObject)[0] == 2")
    try roundTrips(element)
    #expect(try element.evaluate(with: ["a": [[1], [2]]]))
    _ = try KVPredicate(format: element.description).limited(toKeyPaths: ["a.@lastObject"])
    let entry = try KVPredicate(format: "(a.@lastObject)[$k][0].b == 2").with(["k": "x"])
    #expect(entry.description == "(a.@lastObject)[\"x\"][0].b == 2")
    try roundTrips(entry)
    #expect(try entry.evaluate(with: ["a": [["x": [["b": 2]]]]]))
    #expect(throws: KVError.self) {
      try KVPredicate(format: entry.description).limited(toKeyPaths: ["a.@lastObject"])
    }
    let longer = try KVPredicate(format: "(a.@lastObject)[0].b[1].@count == 0")
    #expect(longer.description == "(a.@lastObject)[0].b[1].@count == 0")
    #expect(longer.keyPaths == ["a.@lastObject.b[1].@count"])
    try roundTrips(longer)
  }

  @Test("FLT.2: the least integer has no literal form, and is named")
  func leastInteger() throws {
    let least = KVExpression.key("a") == .value(Int128.min)
    #expect(least.description == "a == <Int128>" && least == least)
    #expect(throws: EncodingError.self) { try Plain.encode(["p": least]) }
  }

  @Test("FLT.1: a predicate equals its copies, whatever its constants are")
  func reflexive() throws {
    struct Opaque: Sendable {}
    for predicate in [
      KVExpression.key("a") == .value(Opaque()), KVExpression.key("a") == .value([Double.nan]),
      KVExpression.key("a") == .value(Double.nan),
    ] {
      let copy = predicate
      #expect(copy == predicate)
    }
  }

  @Test("FLT.3: blanks before a parenthesis have no meaning")
  func blanks() throws {
    #expect(try KVPredicate(format: "length (title) = 1").description == "length(title) == 1")
    #expect(
      try KVPredicate(format: "SUBQUERY \n(a, $x, $x = 1) [SIZE] = 1").description
        == "SUBQUERY(a, $x, $x == 1)[SIZE] == 1")
    #expect(try KVPredicate(format: "NOT (a = 1) AND ANY (b) = 1").description == "NOT a == 1 AND ANY b == 1")
  }

  @Test("FLT.13: a key after a dot may begin with a digit, and keeps its zeros")
  func digits() throws {
    let predicate = try KVPredicate(format: "a.007 = 1 AND a.2nd = 2 AND a.0.1 = 3")
    let values: [String: Any] = ["007": 1, "2nd": 2, "0": ["1": 3]]
    #expect(try predicate.evaluate(with: ["a": values]))
    try roundTrips(predicate)
  }

  @Test("FLT.13: a key with typographic quotes is written as any other odd key")
  func quotes() throws {
    let predicate = KVExpression.key(KVKeyPath(singleKey: "“x”")) == 1
    #expect(predicate.description == "#\"“x”\" == 1")
    #expect(try predicate.evaluate(with: ["“x”": 1]))
    try roundTrips(predicate)
  }

  @Test("FLT.3: only ASCII letters make keywords")
  func keywords() throws {
    let predicate = try KVPredicate(format: "nıl == 1 AND ﬁrst == 2")
    #expect(try predicate.evaluate(with: ["nıl": 1, "ﬁrst": 2]))
    try roundTrips(predicate)
  }

  @Test("FLT.14: predicates that operators nest more than 200 levels deep fail when they are evaluated")
  func deep() throws {
    var predicate: KVPredicate = "a == 1"
    for _ in 0..<100_000 { predicate = (predicate || "b == 1") && "c == 1" }
    predicate = predicate && "c == 1"
    #expect(predicate == predicate && !predicate.keyPaths.isEmpty)
    #expect(predicate.description.contains("<nested more than 200 deep>"))
    let either = KVPredicate(true) || predicate
    #expect(#expect(throws: KVError.self) { try either.evaluate(with: 1) }?.code == .limitExceeded)
    #expect(
      #expect(throws: KVError.self) { try predicate.evaluate(with: ["a": 1, "b": 1, "c": 1]) }?.code == .limitExceeded)
    #expect(throws: EncodingError.self) { try Plain.encode(["p": predicate]) }
    #expect(throws: KVError.self) { try predicate.limited(toKeyPaths: ["a", "b", "c"]) }
    var flat: KVPredicate = "a == 1"
    for _ in 0..<1_000 { flat = flat && "a == 1" }
    #expect(try flat.evaluate(with: ["a": 1]))
    var negated = flat
    for _ in 0..<1_000 { negated = !negated }
    #expect(try negated.evaluate(with: ["a": 1]))
  }

  @Test("FLT.11: a predicate works once its function is registered again; random cannot be registered")
  func registering() throws {
    try KVPredicate.registerFunction("testAgain") { _ in 1 }
    let predicate: KVPredicate = "testAgain() == 1"
    KVPredicate.unregisterFunction("testAgain")
    #expect(throws: KVError.self) { try predicate.evaluate(with: 1) }
    try KVPredicate.registerFunction("testAgain") { _ in 1 }
    defer { KVPredicate.unregisterFunction("testAgain") }
    #expect(try predicate.evaluate(with: 1))
    for name in ["random", "Randomn"] {
      let error = #expect(throws: KVError.self) { try KVPredicate.registerFunction(name) { _ in 1 } }
      #expect(error?.code == .unsupported && error?.message.contains("refused") == true)
    }
  }
}
