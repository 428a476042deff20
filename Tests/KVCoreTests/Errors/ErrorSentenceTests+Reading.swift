import KVCore

// The sentences of errors of reading.
extension ErrorSentenceTests {
  static let reading: [Case] = [
    Case(
      "a key with a slip of the finger",
      #"""
      undefined key "nmae" of Author. Did you mean "name"? Known keys: agent, books, born, initial, name, \#
      rivals, titles, town.
      """#
    ) { () throws(KVError) in try Author().value(forKey: "nmae") },
    Case(
      "a key that is nothing like the others",
      #"""
      undefined key "publisher" of Author. Known keys: agent, books, born, initial, name, rivals, titles, \#
      town. Computed, static and lazy properties are invisible to reflection: add the line key("publisher", \#
      \.publisher) to the keyTable of Author.
      """#
    ) { () throws(KVError) in try Author().value(forKey: "publisher") },
    Case(
      "a key of a nested value",
      #"""
      undefined key "nam" of District. Did you mean "name"? Known keys: inhabitants, name. (In the path \#
      "town.district.nam" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.district.nam") },
    Case(
      "a computed property of a reflected class",
      #"""
      undefined key "computed" of Idle. Known keys: stored. Computed, static and lazy properties are \#
      invisible to reflection: mark Idle with @KVModel(.root), or make Idle conform to KeyValueCoding, with a keyTable \#
      that has the line key("computed", \.computed).
      """#
    ) { () throws(KVError) in try KVC.value(of: Idle(), forKeyPath: "computed") },
    Case(
      "a computed property that resembles a stored one",
      #"undefined key "scored" of Idle. Did you mean "stored"? Known keys: stored."#
    ) { () throws(KVError) in try KVC.value(of: Idle(), forKeyPath: "scored") },
    Case(
      "a computed property of a struct without stored ones",
      #"""
      undefined key "computed" of Bare. It has no keys. Computed, static and lazy properties are invisible to \#
      reflection: mark Bare with @KVModel, or make Bare conform to KeyValueCoding, with a keyTable that has the line \#
      key("computed", \.computed).
      """#
    ) { () throws(KVError) in try KVC.value(of: Bare(), forKeyPath: "computed") },
    Case(
      "a computed property that the table forgot",
      #"""
      undefined key "shout" of Author. Known keys: agent, books, born, initial, name, rivals, titles, town. \#
      Computed, static and lazy properties are invisible to reflection: add the line key("shout", \.shout) to \#
      the keyTable of Author.
      """#
    ) { () throws(KVError) in try Author().value(forKey: "shout") },
    Case(
      "a lazy property that the table forgot",
      #"""
      undefined key "signature" of Author. It is lazy, which reflection cannot read; add the line \#
      key("signature", \.signature) to the keyTable of Author.
      """#
    ) { () throws(KVError) in try Author().value(forKey: "signature") },
    Case(
      "a lazy property of a reflected class",
      #"""
      undefined key "later" of Idle. It is lazy, which reflection cannot read; mark Idle with @KVModel(.root) and \#
      later with @KVKey, or make Idle conform to KeyValueCoding, with a keyTable that has the line key("later", \.later).
      """#
    ) { () throws(KVError) in try KVC.value(of: Idle(), forKeyPath: "later") },
    Case(
      "a key that a table of listed keys hides",
      #"undefined key "secret" of Listed. Known keys: label."#
    ) { () throws(KVError) in try Listed().value(forKey: "secret") },
    Case(
      "more than twenty keys",
      #"""
      undefined key "nothing" of Wide. Known keys: a1, a2, a3, a4, a5, b1, b2, b3, b4, b5, c1, c2, c3, c4, \#
      c5, d1, d2, d3, d4, d5 and 5 more. Computed, static and lazy properties are invisible to reflection: \#
      mark Wide with @KVModel, or make Wide conform to KeyValueCoding, with a keyTable that has the line \#
      key("nothing", \.nothing).
      """#
    ) { () throws(KVError) in try KVC.value(of: Wide(), forKeyPath: "nothing") },
    Case(
      "a key of a string",
      #"""
      undefined key "length" of String. Values of type String have no keys: leave length out (behind an operator write \#
      self, as in @sum.self), or declare it: extension String: @retroactive KeyValueCoding { public static var \#
      keyTable: KVTable { KVTable(String.self) { key in key("length") { value in … } } } }.
      """#
    ) { () throws(KVError) in try KVC.value(of: "text", forKeyPath: "length") },
    Case(
      "a key of a number",
      #"""
      undefined key "month" of Int. Values of type Int have no keys: leave month out (behind an operator write self, \#
      as in @sum.self), or declare it: extension Int: @retroactive KeyValueCoding { public static var keyTable: \#
      KVTable { KVTable(Int.self) { key in key("month") { value in … } } } }. (In the path "born.month" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "born.month") },
    Case(
      "a key of an element",
      #"""
      element 0: undefined key "titel" of Book. Did you mean "title"? Known keys: note, price, title. (In the path \#
      "books.titel" from Author.)
      """#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.titel") },
    Case(
      "a label of a tuple",
      #"undefined key "z" of (x: Int, y: Int). Known keys: x, y."#
    ) { () throws(KVError) in try KVC.value(of: (x: 1, y: 2), forKeyPath: "z") },
    Case(
      "the wrong type, read",
      #"cannot read "name" as the type asked for: the String "Ada" is not an Int."#
    ) { () throws(KVError) in try Author().value(forKey: "name", as: Int.self) },
    Case(
      "the wrong type at the end of a path, read",
      #"""
      cannot read "city" as the type asked for: the String "London" is not a Double. (In the path "town.city" \#
      from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.city", as: Double.self) },
    Case(
      "nil, read as something that is not optional",
      #"""
      cannot read "name" as the type asked for: nil is not a String. Ask for an optional type. (In the path \#
      "agent.name" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "agent.name", as: String.self) },
    Case(
      "a number out of range, read",
      #"cannot read "born" as the type asked for: the Int 1815 does not fit in UInt8."#
    ) { () throws(KVError) in try Author().value(forKey: "born", as: UInt8.self) },
    Case(
      "an index out of range",
      #"index 3 is out of range: the only valid index is 0. (In the path "titles[3]" from Author.)"#
    ) { () throws(KVError) in try Author().value(forKeyPath: "titles[3]") },
    Case(
      "an index out of range of several",
      #"index 3 is out of range: valid indexes are 0 to 2. (In the path "town.streets[3]" from Author.)"#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.streets[3]") },
    Case(
      "an index into an empty collection",
      #"index 0 is out of range: the collection is empty. (In the path "books[0].title" from Author.)"#
    ) { () throws(KVError) in try Author().value(forKeyPath: "books[0].title") },
    Case(
      "an index into a set",
      #"[0] needs an ordered collection, and Set<Int> is not one. Use a key, or ["…"] for an entry."#
    ) { () throws(KVError) in try KVC.value(of: Set([1]), forKeyPath: "[0]") },
    Case(
      "an index into an object",
      #"""
      [0] needs an ordered collection, and Town is not one. Use a key, or ["…"] for an entry. (In the path \#
      "town[0]" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town[0]") },
    Case(
      "an entry of the elements of an array",
      #"""
      element 0: undefined key "first" of String. Values of type String have no keys: leave first out (behind an \#
      operator write self, as in @sum.self), or declare it: extension String: @retroactive KeyValueCoding { public \#
      static var keyTable: KVTable { KVTable(String.self) { key in key("first") { value in … } } } }. (In the path \#
      "titles["first"]" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: #"titles["first"]"#) },
    Case(
      "arrays nested too deeply",
      #"collections are nested more than 200 deep at "title"; address the inner ones by index."#
    ) { () throws(KVError) in try KVC.value(of: nest(300), forKeyPath: "title") },
    Case(
      "a key that is a path",
      #"""
      undefined key "town.city" of Author. It looks like a key path; use value(forKeyPath:) or \#
      setValue(_:forKeyPath:) for those.
      """#
    ) { () throws(KVError) in try Author().value(forKey: "town.city") },
    Case(
      "an index written as a key",
      #"""
      element 0: undefined key "0" of String. For an element of an array write [0]. (In the path "titles.0" from \#
      Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "titles.0") },
    Case(
      "a malformed path",
      #""town." is not a key path: at offset 5, expected a key."#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.".keyPath()) },
  ]
}

private func nest(_ depth: Int) -> Any {
  (1..<depth).reduce([Book()] as Any) { inner, _ in [inner] }
}

extension Author {
  fileprivate var shout: String { name + "!" }
}

private final class Idle {
  var stored = 1
  lazy var later = 2
  var computed: Int { 3 }
  var scored: Int { 4 }
}

private struct Bare { var computed: Int { 1 } }

private struct Listed: KeyValueCoding {
  var label = 1
  var secret = 2
  static var keyTable: KVTable { KVTable(Listed.self, listedKeysOnly: true) { key in key("label", \.label) } }
}

private struct Wide {
  let a1 = 1, a2 = 1, a3 = 1, a4 = 1, a5 = 1, b1 = 1, b2 = 1, b3 = 1, b4 = 1, b5 = 1, c1 = 1, c2 = 1, c3 = 1
  let c4 = 1, c5 = 1, d1 = 1, d2 = 1, d3 = 1, d4 = 1, d5 = 1, e1 = 1, e2 = 1, e3 = 1, e4 = 1, e5 = 1
}
