import KVCore
import KVQuery
import Testing

@Suite("Reading by a policy")
struct PolicyReadingTests {
  let policy: KVPolicy
  let buyer = Shop.buyer()

  init() throws { policy = try Shop.policy() }

  private func read(_ text: String) throws(KVError) -> Any? {
    try buyer.value(forKeyPath: try policy.keyPath(text))
  }

  @Test("SEC.1: what a policy permits is read as without it")
  func permitted() throws {
    buyer.friends[0].name = "Bea"
    for text in [
      "name", "title", "friend.name", "place.city", "friends.name", "friends[1].name", "friends.place.city", "summary",
      "friends.@count", "friends.@max.name", "friends.@firstObject.name", "notes.open", "notes[\"open\"]",
      "record.open",
      "self.name", "@self.name", "[\"name\"]", "friends.self.name", "friend.friend.name", "friends.@count.self",
    ] {
      let expected = try buyer.value(forKeyPath: text)
      #expect(try String(describing: read(text)) == String(describing: expected), "\(text)")
    }
    let name = try policy.keyPath("name")
    for _ in 0..<3 { #expect(try buyer.value(forKeyPath: name, as: String.self) == "Ann") }
    #expect(
      try KVC.value(of: buyer, forKeyPath: try policy.keyPath("friends.name"), as: [String].self) == ["Bea", "Ann"])
    #expect(try KVC.value(of: Place(), forKeyPath: try policy.keyPath("city"), as: String.self) == "Riga")
    #expect(try KVC.value(of: [Place()], forKeyPath: try policy.keyPath("[0].city")) as? String == "Riga")
  }

  @Test("SEC.1: a policy prints its name, its rules, its operators and its limits")
  func description() throws {
    #expect(
      policy.description == """
        policy "templates":
        - Buyer: reads anything, friend, friends, name, notes, pair, place, record, summary; writes name
        - Place: reads city; writes city
        - Dictionary<String, String>: reads open
        - KVRecord: reads open
        - operators: @avg, @count, @firstObject, @lastObject, @max, @min, @self, @sum
        - limits: 16 components, 100000 elements
        """)
    var closed = KVPolicy("closed", operators: [], maximumDepth: 2, maximumElementCount: 5)
    try closed.allow(Treasure.self, keys: [])
    try closed.allow([String: Any].self, keys: .all, writing: .all)
    #expect(
      "\(closed)" == """
        policy "closed":
        - Treasure: reads nothing
        - Dictionary<String, Any>: reads all entries; writes all entries
        - operators: none
        - limits: 2 components, 5 elements
        """)
  }

  @Test("SEC.2: nothing else is read, by whatever path", arguments: Shop.denied)
  func denied(text: String) throws {
    let path = try policy.keyPath(text)
    for _ in 0..<2 {
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: path) }
      let error = #expect(throws: KVError.self) { try KVC.value(of: buyer, forKeyPath: path) }
      #expect(error?.code == .notPermitted, "\(text): \(String(describing: error))")
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: path, as: String?.self) }
      #expect(throws: KVError.self) { try KVC.value(of: Optional(buyer) as Any, forKeyPath: path, as: [Any].self) }
      #expect(throws: KVError.self) { try KVC.value(of: [buyer], forKeyPath: policy.keyPath("[0]").appending(path)) }
      // Without the policy the cache of the path is another one.
      _ = try? buyer.value(forKeyPath: text)
    }
  }

  @Test("SEC.2: the error is the same whether the key exists or not, and names the rule")
  func message() throws {
    func error(_ key: String) throws -> KVError {
      try #require(#expect(throws: KVError.self) { try buyer.value(forKeyPath: policy.keyPath(key)) })
    }
    let existing = try error("pin")
    let missing = try error("pxn")
    #expect(existing.message == missing.message.replacing("pxn", with: "pin"))
    #expect(
      existing.message == """
        "pin" of Buyer may not be read. The policy "templates" permits reading anything, friend, friends, name, notes, \
        pair, place, record, summary of it.
        """)
    #expect(existing.knownKeys == missing.knownKeys && !existing.knownKeys.contains("balance"))
    #expect(existing.keyPath == "pin" && existing.component == "pin" && existing.rootType == "Buyer")
    #expect(try error("nmae").suggestion == "name")
    let other = #expect(throws: KVError.self) { try Treasure().value(forKeyPath: policy.keyPath("name")) }
    #expect(
      other?.message == "\"name\" of Treasure may not be read. The policy \"templates\" permits reading nothing of it.")
  }

  @Test("SEC.2: a denied entry or property `self` is as one that is not there: `self` is the owner")
  func itself() throws {
    struct Hidden { var `self` = "secret" }
    let record = Shop.record()
    record["self"] = "secret"
    (buyer.notes["self"], buyer.record) = ("secret", record)
    #expect(try read("notes.self.open") as? String == "o" && read("notes.self.self.open") as? String == "o")
    #expect(try read("record.self.open") as? Int == 1)
    #expect(try read("record.self") as? KVRecord === record)
    #expect(try read("notes.self") as? [String: String] == buyer.notes)
    let path = try policy.keyPath("self")
    #expect(try KVC.value(of: record, forKeyPath: path, as: KVRecord.self) === record)
    #expect(try KVC.value(of: Hidden(), forKeyPath: path) is Hidden)
    #expect(try [buyer.notes].sorted(by: [KVSortDescriptor(policy.keyPath("self.open"))]).count == 1)
    // What the policy permits is the entry.
    var open = policy
    try open.allow([String: String].self, keys: ["self"])
    #expect(try buyer.value(forKeyPath: open.keyPath("notes.self")) as? String == "secret")
    buyer.notes["self"] = nil
    #expect(try buyer.value(forKeyPath: open.keyPath("notes.self")) as? [String: String] == buyer.notes)
    #expect(try KVC.value(of: record, forKeyPath: "self") as? String == "secret")
  }

  @Test("SEC.2: the error for an entry that is not there names no others")
  func entries() throws {
    buyer.notes["open"] = nil
    buyer.record["open"] = nil
    for text in ["notes.open", "record.open", "notes[\"open\"]", "friend.notes.open"] {
      buyer.friend?.notes["open"] = nil
      let path = try policy.keyPath(text)
      #expect(try buyer.value(forKeyPath: path) == nil)
      let error = #expect(throws: KVError.self) { try buyer.value(forKeyPath: path, as: Int.self) }
      #expect(error?.code == .nilValue && error?.message.contains("secret") == false && error?.knownKeys == [])
    }
  }

  @Test("SEC.2: an object of another type that appears later is protected, too")
  func later() throws {
    let path = try policy.keyPath("anything.name")
    for _ in 0..<2 {
      buyer.anything = Buyer()
      #expect(try buyer.value(forKeyPath: path) as? String == "Ann")
      buyer.anything = Treasure()
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: path) }
      buyer.anything = [Buyer(), Treasure()] as [Any]
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: path) }
      buyer.anything = nil
      #expect(try buyer.value(forKeyPath: path) == nil)
    }
  }

  @Test("SEC.3: a rule for a class holds for subclasses as far as it goes, and rules add up")
  func subclasses() throws {
    let member = Member()
    #expect(try member.value(forKeyPath: policy.keyPath("name")) as? String == "Ann")
    #expect(throws: KVError.self) { try member.value(forKeyPath: policy.keyPath("discount")) }
    var wider = policy
    try wider.allow(Member.self, keys: ["discount"])
    #expect(try member.value(forKeyPath: wider.keyPath("discount")) as? Int == 5)
    #expect(try member.value(forKeyPath: wider.keyPath("name")) as? String == "Ann")
    #expect(throws: KVError.self) { try member.value(forKeyPath: wider.keyPath("balance")) }
    // All keys of a superclass are not those of its subclasses.
    var all = KVPolicy("all")
    try all.allow(Buyer.self, keys: .all)
    #expect(try member.value(forKeyPath: all.keyPath("balance")) as? Int == 12)
    for key in ["discount", "pin", "hooked"] {
      #expect(throws: KVError.self) { try member.value(forKeyPath: all.keyPath(key)) }
    }
  }

  @Test("SEC.3: a rule names keys of the table; entries have any name")
  func rules() throws {
    var policy = KVPolicy("p")
    let typo = #expect(throws: KVError.self) { try policy.allow(Buyer.self, keys: ["nmae"]) }
    #expect(typo?.code == .undefinedKey && typo?.suggestion == "name")
    for key in ["pin", "hooked"] {
      #expect(throws: KVError.self) { try policy.allow(Buyer.self, keys: [], writing: .only([key])) }
    }
    for error in [
      #expect(throws: KVError.self) { try policy.allow([Buyer].self, keys: ["name"]) },
      #expect(throws: KVError.self) { try policy.allow(Buyer?.self, keys: ["name"]) },
      #expect(throws: KVError.self) { try policy.allow(String.self, keys: .all) },
      #expect(throws: KVError.self) { try policy.allow((any KeyValueCoding).self, keys: .all) },
    ] { #expect(error?.code == .unlistedKey) }
    try policy.allow([String: Any].self, keys: .all)
    let document: [String: Any] = ["a": ["b": [1, 2]] as [String: Any]]
    #expect(try KVC.value(of: document, forKeyPath: policy.keyPath("a.b[1]")) as? Int == 2)
    #expect(throws: KVError.self) { try KVC.value(of: ["a": 1], forKeyPath: policy.keyPath("a")) }
  }

  @Test("SEC.3: an alias and its key are one; a key that depends on a denied one is read")
  func aliases() throws {
    var policy = KVPolicy("p")
    try policy.allow(Buyer.self, keys: ["money"])
    #expect(try buyer.value(forKeyPath: policy.keyPath("balance")) as? Int == 12)
    #expect(try read("summary") as? String == "Ann has 12")
  }

  @Test("SEC.5: operators are permitted by name")
  func operators() throws {
    try KVOperator.register("spy") { $0.elements.count }
    defer { KVOperator.unregister("spy") }
    for text in [
      "friends.@unionOfObjects.name", "friends.@unionOfArrays.friends", "friends.@spy", "friends.@nothing.name",
      "@superview.name", "friends.friends.@distinctUnionOfArrays.self",
    ] {
      let error = #expect(throws: KVError.self) { try policy.keyPath(text) }
      #expect(error?.code == .notPermitted && error?.keyPath == text, "\(text)")
      #expect(error?.knownKeys.contains("@sum") == true)
      let plain = try KVKeyPath(text)
      #expect(throws: KVError.self) { try policy.keyPath("friend").appending(plain) }
      #expect(throws: KVError.self) { try KVKeyPath("friend").appending(policy.keyPath("name")).appending(plain) }
    }
    #expect(throws: KVError.self) { try policy.keyPath("friends").appending(.operator("spy", argument: nil)) }
    var none = KVPolicy("none", operators: [])
    try none.allow(Buyer.self, keys: .all)
    #expect(throws: KVError.self) { try none.keyPath("friends.@count") }
    var spying = KVPolicy("spying", operators: ["spy", "unionOfObjects"])
    try spying.allow(Buyer.self, keys: ["friends", "name"])
    #expect(try buyer.value(forKeyPath: spying.keyPath("friends.@spy")) as? Int == 2)
    #expect(throws: KVError.self) { try buyer.value(forKeyPath: spying.keyPath("friends.@unionOfObjects.balance")) }
  }

  @Test("SEC.6: the length of a path and the elements that it visits have limits")
  func limits() throws {
    let long = try KVKeyPath(components: Array(repeating: .key("friend"), count: 17))
    #expect(#expect(throws: KVError.self) { try policy.keyPath(long) }?.code == .limitExceeded)
    let path = try policy.keyPath(long.parent ?? long)
    #expect(throws: KVError.self) { try path.appending(.key("name")) }

    let friends = (0..<10).map { _ in Buyer() }
    for friend in friends { friend.friends = friends }
    defer { for friend in friends { friend.friends = [] } }  // a cycle of references would be a leak
    buyer.friends = friends
    var small = KVPolicy("small", operators: ["unionOfArrays", "sum"], maximumElementCount: 100)
    try small.allow(Buyer.self, keys: ["friends", "name", "balance"])
    #expect(
      try buyer.value(forKeyPath: small.keyPath("friends.friends.balance"), as: [[Int]].self).joined().count == 100)
    for text in [
      "friends.friends.friends.name", "friends.friends.friends.friends.friends", "friends.friends.@sum.balance",
    ] {
      let error = #expect(throws: KVError.self) { try buyer.value(forKeyPath: small.keyPath(text)) }
      #expect(error?.code == .limitExceeded || text.contains("@sum"), "\(text): \(String(describing: error))")
    }
    var smaller = KVPolicy("smaller", operators: ["unionOfArrays"], maximumElementCount: 99)
    try smaller.allow(Buyer.self, keys: ["friends"])
    let error = #expect(throws: KVError.self) {
      try buyer.value(forKeyPath: smaller.keyPath("friends.@unionOfArrays.friends"))
    }
    #expect(error?.message.contains("maximumElementCount of the policy") == true)
  }

  @Test("SEC.6: comparisons of values that are not hashable count against the limit of the policy")
  func comparisons() throws {
    struct Odd: Equatable { var value: Int }
    var small = KVPolicy("small", operators: ["distinctUnionOfObjects", "self"], maximumElementCount: 1_000)
    try small.allow([String: Any].self, keys: .all)
    let rows = (0..<100).map { ["v": Odd(value: $0), "i": $0] as [String: Any] }
    let all: [String: Any] = ["values": rows.map { $0["v"] ?? 0 }]
    let union = try small.keyPath("values.@distinctUnionOfObjects.@self")
    let path = try small.keyPath("v")
    let mode = try KVExpression(format: "mode(values)").limited(by: small, functions: ["mode"])
    for body in [
      { _ = try KVC.value(of: all, forKeyPath: union) }, { _ = try rows.grouped(by: path) },
      { _ = try rows.uniqued(by: path) }, { _ = try mode.value(of: all) },
    ] as [() throws -> Void] {
      let error = #expect(throws: KVError.self) { try body() }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message.hasSuffix(
          """
          finding the distinct ones of so many values of type Odd needs more than 1000 comparisons; make the type Hashable, \
          or raise maximumElementCount of the policy.
          """) == true, "\(String(describing: error))")
    }
    #expect(try rows.grouped(by: "v").count == 100 && rows.grouped(by: small.keyPath("i")).count == 100)
    #expect(try rows.prefix(40).uniqued(by: path).count == 40)
  }

  @Test("SEC.6: visits of IN behind quantifiers, and of subqueries, count against the limit of the policy")
  func visits() throws {
    var small = KVPolicy("small", maximumElementCount: 1_000)
    try small.allow([String: Any].self, keys: .all)
    // Values that cannot be hashed are compared one by one.
    struct Odd: Equatable { var value: Int }
    let row: [String: Any] = [
      "a": (0..<40).map { Odd(value: $0) }, "b": (0..<40).map { Odd(value: -1 - $0) }, "few": [Odd(value: 1)],
    ]
    for format in ["ANY a IN b", "SUBQUERY(a, $x, SUBQUERY(b, $y, $y == $x)[SIZE] > 0)[SIZE] == 0"] {
      let predicate = try KVPredicate(format: format)
      let error = #expect(throws: KVError.self, "\(format)") {
        try predicate.limited(by: small, allowsSubqueries: true).evaluate(with: row)
      }
      #expect(error?.code == .limitExceeded)
      #expect(
        error?.message == """
          the predicate visits more than 1000 elements for one value: subqueries in subqueries multiply, and so does IN \
          behind ANY, ALL or NONE. Nest fewer of them, or raise maximumElementCount of the policy.
          """)
      _ = try predicate.evaluate(with: row)
    }
    #expect(try !KVPredicate(format: "ANY few IN b").limited(by: small).evaluate(with: row))
  }

  @Test("SEC.1: parts and compositions of a path keep its policy, and its text does not have it")
  func composing() throws {
    let path = try policy.keyPath("friend.friend.balance")
    let parts: [KVKeyPath] = [
      try path.parent?.appending(KVKeyPath("balance")) ?? path,
      try #require(path.dropping(prefix: "friend")), try policy.keyPath("friend").appending(.key("pin")),
      try KVKeyPath("friend").appending(policy.keyPath("balance")), try policy.keyPath(path),
    ]
    buyer.friend?.friend = Buyer()
    for part in parts { #expect(throws: KVError.self, "\(part)") { try buyer.value(forKeyPath: part) } }
    #expect(path == "friend.friend.balance")
    #expect(try buyer.value(forKeyPath: KVKeyPath(path.description)) as? Int == 12)
    let other = KVPolicy("other")
    #expect(#expect(throws: KVError.self) { try other.keyPath(path) }?.code == .notPermitted)
    #expect(throws: KVError.self) { try path.appending(try other.keyPath("name")) }
  }

  @Test("SEC.1: a rule that is added later has no effect on a path that exists")
  func values() throws {
    var copy = policy
    let before = try copy.keyPath("balance")
    try copy.allow(Buyer.self, keys: ["balance"])
    let after = try copy.keyPath("balance")
    for _ in 0..<2 {
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: before) }
      #expect(try buyer.value(forKeyPath: after) as? Int == 12)
      #expect(throws: KVError.self) { try buyer.value(forKeyPath: policy.keyPath("balance")) }
    }
  }

  @Test("SEC.1: sorting, grouping and filtering by a path with a policy obey it")
  func sorting() throws {
    let buyers = [Buyer(), Buyer()]
    (buyers[0].name, buyers[1].name) = ("b", "a")
    #expect(try buyers.sorted(by: [KVSortDescriptor(policy.keyPath("name"))]).map(\.name) == ["a", "b"])
    #expect(throws: KVError.self) { try buyers.sorted(by: [KVSortDescriptor(policy.keyPath("balance"))]) }
    #expect(throws: KVError.self) { try buyers.sorted(by: [KVSortDescriptor(policy.keyPath("place.door"))]) }
    for text in ["balance", "place.door", "friends.balance"] {
      let path = try policy.keyPath(text)
      #expect(throws: KVError.self) { try [buyer, buyer].filter(KVExpression.key(path) == 12) }
      #expect(throws: KVError.self) { try [buyer].filter(KVPredicate(format: "ANY %K == 1 OR %K > 1", path, path)) }
    }
    #expect(try buyers.filter(KVPredicate(format: "%K == 'a'", policy.keyPath("name"))).count == 1)
  }
}
