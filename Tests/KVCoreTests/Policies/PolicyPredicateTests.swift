import KVCore
import KVQuery
import Testing

@Suite("Predicates and expressions by a policy")
struct PolicyPredicateTests {
  let policy: KVPolicy
  let buyer = Shop.buyer()

  init() throws { policy = try Shop.policy() }

  private func limited(_ format: String, _ arguments: (any Sendable)?...) throws -> KVPredicate {
    try KVPredicate(format: format, arguments: arguments).limited(
      by: policy, functions: ["count", "length"], allowsSubqueries: true)
  }

  @Test(
    "SEC.9: what a policy permits passes as without it",
    arguments: [
      "name == 'Ann'", "title == 'Ann'", "place.city BEGINSWITH 'R'", "ANY friends.name == 'Ann'", "friends[SIZE] == 2",
      "friends[FIRST].name == friends.@max.name", "count(friends) == 2", "friends[length('a')].place.city == 'Riga'",
      "SUBQUERY(friends, $f, $f.name == 'Ann' AND $f.place.city == 'Riga')[SIZE] == 2", "notes[('open')] == 'o'",
      "TERNARY(name == 'Ann', friend, NULL).name == 'Ann'", "({friend, friend.friend})[LAST].name == 'Ann'",
      "NOT (name == 'Bea' OR summary == '')", "SELF.name == 'Ann'", "CAST(friends[SIZE], 'String') == '2'",
    ])
  func permitted(format: String) throws {
    #expect(try KVPredicate(format: format).evaluate(with: buyer))
    #expect(try limited(format).evaluate(with: buyer))
    #expect(try [buyer].filter(limited(format)).first === buyer)
    #expect(try limited(format).description == KVPredicate(format: format).description)
    #expect(try limited(format) == limited(format) && limited(format) != KVPredicate(format: format))
  }

  @Test("SEC.9: nothing else is read, by whatever path", arguments: Shop.denied)
  func denied(text: String) throws {
    for format in ["%K == 1", "NOT %K == 1", "ANY %K == 1", "count(%K) == 1", "name == %K", "1 IN {1, %K}"] {
      let error = #expect(throws: KVError.self, "\(format)") { try limited(format, text).evaluate(with: buyer) }
      #expect(error?.code == .notPermitted, "\(format) \(text): \(String(describing: error))")
      #expect(throws: KVError.self) { try [buyer].filter(limited(format, text)) }
    }
    let expression = try KVExpression(format: "%K", text).limited(by: policy)
    #expect(throws: KVError.self) { try expression.value(of: buyer) }
  }

  @Test("SEC.2, FLT.17: a check without a value refuses a denied key, and says the same of one that does not exist")
  func checking() throws {
    try limited("name == 'Ann' AND ANY friends.title == 'Bea'").check(for: Buyer.self)
    for path in ["balance", "friends.balance", "friend.money"] {
      let error = #expect(throws: KVError.self) { try limited("%K == 1", path).check(for: Buyer.self) }
      let unknown = #expect(throws: KVError.self) { try limited("%K == 1", path + "z").check(for: Buyer.self) }
      #expect(
        error?.code == .notPermitted && error?.message == unknown?.message.replacing("z\"", with: "\""), "\(path)")
    }
  }

  @Test(
    "SEC.9: no operand leads round the policy",
    arguments: [
      "friends[FIRST].balance > 0", "friends[length('a')].balance > 0", "friends[LAST].place.door > ''",
      "SUBQUERY(friends, $f, $f.balance > 0)[SIZE] > 0", "SUBQUERY(friends, $f, $f.name > '')[FIRST].balance > 0",
      "SUBQUERY({SELF}, $s, SUBQUERY($s.friends, $f, $f.balance > 0)[SIZE] >= 0)[SIZE] > 0",
      "TERNARY(name == 'Ann', friend, NULL).balance > 0", "({friend, friend})[LAST].balance > 0",
      "TERNARY(balance > 0, 1, 2) == 1", "friends[FIRST][('balance')] > 0", "SELF[('pin')] == '1234'",
      "CAST(balance, 'String') == '12'", "ALL friends.balance > 0", "NONE friends.pin == ''", "-balance < 0",
      "balance BETWEEN {1, 20}", "name LIKE pin", "friends.@sum.balance > 0", "SELF.pin == ''",
      "pair[1 - 1] == 1", "({pair})[FIRST][length('a')] == 'two'", "(({pair}).@lastObject)[0] == 1",
      "SUBQUERY({pair}, $p, $p[CAST('1', 'Int')] == 'two')[SIZE] == 1",
    ])
  func operands(format: String) throws {
    _ = try? KVPredicate(format: format).evaluate(with: buyer)
    let error = #expect(throws: KVError.self) { try limited(format).evaluate(with: buyer) }
    #expect(error?.code == .notPermitted, "\(String(describing: error))")
    #expect(error?.message.contains("may not be read") == true)
  }

  @Test(
    "SEC.9: a key that is computed is refused at once, wherever it is",
    arguments: [
      "notes[name] == 's'", "SELF[name] == 1", "SUBQUERY(friends, $f, $f[name] == 1)[SIZE] > 0",
      "({SELF})[name] == 1", "friends[TERNARY(1 == 1, 'pin', '')] == 1",
    ])
  func computedKeys(format: String) throws {
    let error = #expect(throws: KVError.self) { try limited(format) }
    #expect(error?.code == .unsupported && error?.message.contains("a key that is computed") == true)
  }

  @Test("SEC.9: what is called is permitted as by FLT.18")
  func called() throws {
    func refusal(_ predicate: KVPredicate) throws -> String {
      let error = try #require(#expect(throws: KVError.self) { try predicate.limited(by: policy) })
      #expect(error.code == .unsupported)
      return error.component ?? ""
    }
    #expect(try refusal("count(friends) == 2") == "count")
    #expect(try refusal("name MATCHES 'A.*'") == "MATCHES")
    #expect(try refusal("SUBQUERY(friends, $f, $f.name == '')[SIZE] == 0") == "SUBQUERY")
    #expect(try refusal("name == $x") == "$x")
    #expect(try refusal(KVPredicate(reading: ["name"]) { _ in true }) == "closure")
    let matching = try KVPredicate(format: "name MATCHES 'A.*'").limited(by: policy, allowsMatching: true)
    #expect(try matching.evaluate(with: buyer))
    let error = #expect(throws: KVError.self) { try KVExpression(format: "uppercase(name)").limited(by: policy) }
    #expect(error?.message == "the expression is not permitted: it calls uppercase. Permitted functions: none.")
    let loud = try KVExpression(format: "uppercase(name)").limited(by: policy, functions: ["uppercase"])
    #expect(try loud.value(of: buyer) as? String == "ANN")
  }

  @Test("SEC.9: the operators, the depth and the elements of a path are those of the policy")
  func limits() throws {
    #expect(throws: KVError.self) { try limited("friends.@distinctUnionOfObjects.name[SIZE] == 1") }
    var shallow = KVPolicy("shallow", maximumDepth: 3, maximumElementCount: 3)
    try shallow.allow(Buyer.self, keys: ["friend", "friends", "name"])
    let deep = #expect(throws: KVError.self) {
      try KVPredicate(format: "friend.friend.friend.name == ''").limited(by: shallow)
    }
    #expect(deep?.code == .limitExceeded)
    let wide = Buyer()
    wide.friends = (0..<3).map { _ in
      let friend = Buyer()
      friend.friends = [Buyer(), Buyer()]
      return friend
    }
    let query = try KVPredicate(format: "ANY friends.friends.name == 'Bea'").limited(by: shallow)
    let error = #expect(throws: KVError.self) { try query.evaluate(with: wide) }
    #expect(error?.code == .limitExceeded)
  }

  @Test("SEC.9: what is combined keeps its policy, and another policy is an error")
  func combined() throws {
    let query = try limited("name == 'Bea' OR balance == 12")
    for combined in [query && KVPredicate(true), KVPredicate(anyOf: [query]), !query, query.with(["x": 1])] {
      #expect(throws: KVError.self) { try combined.evaluate(with: buyer) }
    }
    let element = try limited("pair[1 - 1] == 1")
    for predicate in [element.with(["x": 1]), try element.limited(by: policy)] {
      #expect(throws: KVError.self) { try predicate.evaluate(with: buyer) }
    }
    _ = try query.limited(by: policy, functions: [])
    let error = #expect(throws: KVError.self) { try query.limited(by: KVPolicy("other")) }
    #expect(error?.code == .notPermitted)
    #expect(try KVPredicate(format: query.description).evaluate(with: buyer), "the text has no policy")
  }
}
