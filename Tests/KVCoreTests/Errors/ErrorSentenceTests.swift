import KVCore
import Testing

/// The faults of paths are in `KeyPathParsingTests`, those of tables in `TableFaultTests`, each with its whole sentence.
@Suite("Errors: the complete sentences")
struct ErrorSentenceTests {
  /// What is done, and the whole sentence that the error says.
  struct Case: Sendable, CustomTestStringConvertible {
    let title: String
    let sentence: String
    let run: @Sendable () throws(KVError) -> Any?
    var testDescription: String { title }

    init(_ title: String, _ sentence: String, _ run: @escaping @Sendable () throws(KVError) -> Any?) {
      self.title = title
      self.sentence = sentence
      self.run = run
    }
  }

  @Test(
    "KVC.18 the sentence says what failed, where, and how to put it right", arguments: reading + writing + operators)
  func sentence(case: Case) throws {
    let error = try #require(failure(`case`.run))
    #expect(error.description == `case`.sentence)
    #expect(!error.description.contains("\n"))
  }

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
      invisible to reflection: make Idle conform to KeyValueCoding, with a keyTable that has the line \#
      key("computed", \.computed).
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
      reflection: make Bare conform to KeyValueCoding, with a keyTable that has the line key("computed", \#
      \.computed).
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
      undefined key "later" of Idle. It is lazy, which reflection cannot read; make Idle conform to \#
      KeyValueCoding, with a keyTable that has the line key("later", \.later).
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
      make Wide conform to KeyValueCoding, with a keyTable that has the line key("nothing", \.nothing).
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
      #"cannot read "name" as the type asked for: the String "Ada" is no Int."#
    ) { () throws(KVError) in try Author().value(forKey: "name", as: Int.self) },
    Case(
      "the wrong type at the end of a path, read",
      #"""
      cannot read "city" as the type asked for: the String "London" is no Double. (In the path "town.city" \#
      from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.city", as: Double.self) },
    Case(
      "nil, read as something that is not optional",
      #"""
      cannot read "name" as the type asked for: nil is no String. Ask for an optional type. (In the path \#
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
      #"[0] needs an ordered collection, and Set<Int> is none. Use a key, or ["…"] for an entry."#
    ) { () throws(KVError) in try KVC.value(of: Set([1]), forKeyPath: "[0]") },
    Case(
      "an index into an object",
      #"""
      [0] needs an ordered collection, and Town is none. Use a key, or ["…"] for an entry. (In the path \#
      "town[0]" from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town[0]") },
    Case(
      "an entry of an array",
      #"""
      ["first"] needs a dictionary, and Array<String> is none. Use [0] for an element, or .first to read the \#
      key of every element. (In the path "titles["first"]" from Author.)
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
      #""town." is no key path: at offset 5, expected a key."#
    ) { () throws(KVError) in try Author().value(forKeyPath: "town.".keyPath()) },
  ]

  static let writing: [Case] = [
    Case(
      "the wrong type",
      #"""
      cannot set "born" of Author: the String "old" is no Int, and its text is none either; set a value of type Int.
      """#
    ) { () throws(KVError) in try Author().setValue("old", forKey: "born") },
    Case(
      "the wrong type in the middle of values",
      #"""
      cannot set "name" of District: the Int 5 is no String. (In the path "town.district.name" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(5, forKeyPath: "town.district.name") },
    Case(
      "the wrong element type",
      #"cannot set "titles" of Author: at [1], the Int 2 is no String."#
    ) { () throws(KVError) in try Author().setValue(["a", 2], forKey: "titles") },
    Case(
      "a struct where an object is wanted",
      #"cannot set "agent" of Author: a value of type Town is no Author."#
    ) { () throws(KVError) in try Author().setValue(Town(), forKey: "agent") },
    Case(
      "a number out of range",
      #"cannot set "born" of Author: the Double 1e+300 does not fit in Int."#
    ) { () throws(KVError) in try Author().setValue(1e300, forKey: "born") },
    Case(
      "a number that is none",
      #"cannot set "born" of Author: the Double nan does not fit in Int."#
    ) { () throws(KVError) in try Author().setValue(Double.nan, forKey: "born") },
    Case(
      "nil for a property that is not optional",
      #"""
      cannot set "born" of Author: nil is no Int. Make the property optional, or override \#
      setNilValue(forKey:) to choose a value.
      """#
    ) { () throws(KVError) in try Author().setValue(nil, forKey: "born") },
    Case(
      "nil for an element that is not optional",
      #"""
      cannot set "[0]" of Array<String>: nil is no String. Make the elements optional, or remove the element. \#
      (In the path "titles[0]" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(nil, forKeyPath: "titles[0]") },
    Case(
      "a raw value that no case has",
      #"cannot set "grade" of Graded: the Int 9 is no raw value of Grade."#
    ) { () throws(KVError) in try Graded().setValue(9, forKey: "grade") },
    Case(
      "a long text of the wrong type",
      #"""
      cannot set "born" of Author: the String "long long long long long long long long …" is no Int, and \#
      its text is none either; set a value of type Int.
      """#
    ) { () throws(KVError) in try Author().setValue(String(repeating: "long ", count: 50), forKey: "born") },
    Case(
      "a wrong key",
      #"""
      undefined key "naem" of Author. Did you mean "name"? Known keys: agent, books, born, initial, name, \#
      rivals, titles, town.
      """#
    ) { () throws(KVError) in try Author().setValue("x", forKey: "naem") },
    Case(
      #"a "let""#,
      #"""
      key "badge" of Novelist cannot be set: its key path is not writable: a "let", or computed without a \#
      setter. Make the property a settable "var", or give the line a setter: key("badge", { … }, set: { \#
      owner, value in … }).
      """#
    ) { () throws(KVError) in try Novelist().setValue(8, forKey: "badge") },
    Case(
      "a computed property without a setter",
      #"""
      key "initial" of Author cannot be set: its key path is not writable: a "let", or computed without a \#
      setter. Make the property a settable "var", or give the line a setter: key("initial", { … }, set: { \#
      owner, value in … }).
      """#
    ) { () throws(KVError) in try Author().setValue("B", forKey: "initial") },
    Case(
      "a closure key without a setter",
      #"""
      key "initial" of Novelist cannot be set: its table line has no setter. To make it settable, give the \#
      line a setter: key("initial", { … }, set: { owner, value in … }).
      """#
    ) { () throws(KVError) in try Novelist().setValue("B", forKey: "initial") },
    Case(
      "a key with readOnly()",
      #"""
      key "advance" of Novelist cannot be set: its line in the keyTable says readOnly(). Remove that if the \#
      key is meant to be written.
      """#
    ) { () throws(KVError) in try Novelist().setValue(1.0, forKey: "advance") },
    Case(
      "a plain stored property that the table forgot",
      #"""
      key "client" of Ghost cannot be set: it is a plain stored property, which reflection can only read. If \#
      it is a "var", add override class var keyTable: KVTable { super.keyTable.extended(for: Ghost.self) { key in \#
      key("client", \.client) } } to Ghost, which has no keyTable of its own (a property of another name, or of \#
      instances, is none).
      """#
    ) { () throws(KVError) in try Ghost().setValue("x", forKey: "client") },
    Case(
      "a property of a class that is only reflected",
      #"""
      key "label" of Shelf cannot be set: it is a plain stored property, which reflection can only read. If \#
      it is a "var", make Shelf conform to KeyValueCoding, with a keyTable that has the line key("label", \#
      \.label).
      """#
    ) { () throws(KVError) in try set("B", "label", Shelf()) },
    Case(
      "a property of a struct that is only reflected",
      #"""
      key "title" of Leaflet cannot be set: it is a plain stored property, which reflection can only read. If \#
      it is a "var", make Leaflet conform to KeyValueCoding, with a keyTable that has the line key("title", \#
      \.title).
      """#
    ) { () throws(KVError) in try set("y", "title", Leaflet(title: "x", pages: 1)) },
    Case(
      "a value on the way that cannot be written back",
      #"""
      key "town" of Fixed cannot be set: its key path is not writable: a "let", or computed without a setter. \#
      Make the property a settable "var", or give the line a setter: key("town", { … }, set: { owner, value \#
      in … }). (In the path "town.city" from Fixed.)
      """#
    ) { () throws(KVError) in try Fixed().setValue("x", forKeyPath: "town.city") },
    Case(
      "a lazy property",
      #"""
      undefined key "signature" of Author. It is lazy, which reflection cannot read; add the line \#
      key("signature", \.signature) to the keyTable of Author.
      """#
    ) { () throws(KVError) in try Author().setValue("x", forKey: "signature") },
    Case(
      "an element of a tuple",
      #"""
      "x" of (x: Int, y: Int) cannot be set: elements of tuples and payloads of enums can only be read. Set \#
      the whole value instead, or use a struct. (In the path "pair.x" from Pairs.)
      """#
    ) { () throws(KVError) in try set(5, "pair.x", Pairs()) },
    Case(
      "a payload of an enum",
      #"""
      "success" of Result<String, KVError> cannot be set: elements of tuples and payloads of enums can only \#
      be read. Set the whole value instead, or use a struct.
      """#
    ) { () throws(KVError) in try set("x", "success", Result<String, KVError>.success("a")) },
    Case(
      "nil in the middle",
      #"""
      nothing was set: "agent" of Author is nil. Set it first, or use setValueIfResolved(_:forKeyPath:) to \#
      have this ignored. (In the path "agent.town.city" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue("x", forKeyPath: "agent.town.city") },
    Case(
      "nil in the middle, deeper",
      #"""
      nothing was set: "agent" of Author is nil. Set it first, or use setValueIfResolved(_:forKeyPath:) to \#
      have this ignored. (In the path "agent.agent.name" from Author.)
      """#
    ) { () throws(KVError) in try Author.withAgent().setValue("x", forKeyPath: "agent.agent.name") },
    Case(
      "nil at the root",
      #"""
      nothing was set: the root is nil. Set it first, or use setValueIfResolved(_:forKeyPath:) to have this \#
      ignored.
      """#
    ) { () throws(KVError) in try set("x", "city", Town?.none as Any) },
    Case(
      "an index out of range, written",
      #"index 1 is out of range: the only valid index is 0. (In the path "titles[1]" from Author.)"#
    ) { () throws(KVError) in try Author().setValue("x", forKeyPath: "titles[1]") },
    Case(
      "an element of a set",
      #"[0] needs an ordered collection, and Set<Int> is none. Use a key, or ["…"] for an entry."#
    ) { () throws(KVError) in try set(1, "[0]", Set([1])) },
    Case(
      "an entry whose name makes no key",
      #"""
      "x" is the text of no key of Dictionary<Int, Int>, so it cannot be set; integers are written without signs and \#
      leading zeros.
      """#
    ) { () throws(KVError) in try set(1, "x", [1: 1]) },
    Case(
      "an operator",
      #"""
      @count computes a value, which cannot be written; only keys, indexes and entries can. (In the path \#
      "titles.@count" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(1, forKeyPath: "titles.@count") },
    Case(
      "an operator in the middle",
      #"""
      @firstObject computes a value, which cannot be written; only keys, indexes and entries can. (In the \#
      path "books.@firstObject.price" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(1, forKeyPath: "books.@firstObject.price") },
    Case(
      "several keys, one of them wrong",
      #"""
      undefined key "brn" of Author. Did you mean "born"? Known keys: agent, books, born, initial, name, \#
      rivals, titles, town.
      """#
    ) { () throws(KVError) in try Author().setValues(forKeys: ["name": "x", "brn": 1]) },
    Case(
      "a collection proxy of something else",
      #""name" is no array: it holds the String "Ada"."#
    ) { () throws(KVError) in try Author().mutableArray(forKey: "name").append("x") },
    Case(
      "a value that a validator refuses",
      #"the Int -1 is not valid for "points" of Graded: points are never negative"#
    ) { () throws(KVError) in try Graded().validate(-1, forKeyPath: "points") },
  ]

  static let operators: [Case] = [
    Case(
      "an operator with a slip of the finger",
      #"""
      unknown operator "@cuont". Did you mean "@count"? Known operators: @avg, @count, \#
      @distinctUnionOfArrays, @distinctUnionOfObjects, @distinctUnionOfSets, @firstObject, @lastObject, @max, \#
      @min, @self, @sum, @unionOfArrays, @unionOfObjects, @unionOfSets. (In the path "titles.@cuont" from \#
      Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "titles.@cuont") },
    Case(
      "an operator that needs a path",
      #"""
      @sum: it needs a key path to its right, as in @sum.price; write @sum.@self for the elements themselves. \#
      (In the path "books.@sum" from Author.)
      """#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@sum") },
    Case(
      "an operator on something else",
      #"""
      @sum: it needs a collection to its left, and found the String "Ada". (In the path "name.@sum.length" \#
      from Author.)
      """#
    ) { () throws(KVError) in try Author().value(forKeyPath: "name.@sum.length") },
    Case(
      "an operator on a dictionary",
      #"""
      @sum: it needs an array or a set to its left, and found a dictionary; name an entry of it first. (In \#
      the path "@sum.self" from Dictionary<String, Int>.)
      """#
    ) { () throws(KVError) in try ["a": 1].value(forKeyPath: "@sum.self") },
    Case(
      "a sum of texts",
      #"@sum: element 0: the String "one" is no number. (In the path "books.@sum.title" from Author.)"#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@sum.title") },
    Case(
      "a union with nil",
      #"""
      @unionOfObjects: element 0 has a nil value, which cannot be part of a union; filter such elements \#
      first. (In the path "books.@unionOfObjects.note" from Author.)
      """#
    ) { () throws(KVError) in try Author.withBooks().value(forKeyPath: "books.@unionOfObjects.note") },
    Case(
      "a maximum of things without an order",
      #"@max: element 0: a value of type Author is not Comparable. (In the path "@max.self" from Array<Author>.)"#
    ) { () throws(KVError) in try [Author(), Author()].value(forKeyPath: "@max.self") },
  ]
}

/// Sets a value in something that is no variable.
private func set(_ value: Any?, _ path: String, _ root: Any) throws(KVError) {
  var root = root
  try KVC.setValue(value, forKeyPath: path, in: &root)
}

private func nest(_ depth: Int) -> Any {
  (1..<depth).reduce([Book()] as Any) { inner, _ in [inner] }
}

extension Author {
  fileprivate var shout: String { name + "!" }

  fileprivate static func withBooks() -> Author {
    let author = Author()
    author.books = [Book(title: "one"), Book(title: "two")]
    return author
  }

  fileprivate static func withAgent() -> Author {
    let author = Author()
    author.agent = Author()
    return author
  }
}

private final class Idle {
  var stored = 1
  lazy var later = 2
  var computed: Int { 3 }
  var scored: Int { 4 }
}

private struct Bare { var computed: Int { 1 } }

private struct Pairs { var pair = (x: 1, y: 2) }

private struct Listed: KeyValueCoding {
  var label = 1
  var secret = 2
  static var keyTable: KVTable { KVTable(Listed.self, listedKeysOnly: true) { key in key("label", \.label) } }
}

private struct Wide {
  let a1 = 1, a2 = 1, a3 = 1, a4 = 1, a5 = 1, b1 = 1, b2 = 1, b3 = 1, b4 = 1, b5 = 1, c1 = 1, c2 = 1, c3 = 1
  let c4 = 1, c5 = 1, d1 = 1, d2 = 1, d3 = 1, d4 = 1, d5 = 1, e1 = 1, e2 = 1, e3 = 1, e4 = 1, e5 = 1
}

private final class Ghost: Author { var client = "nobody" }

private final class Fixed: KVObject {
  let town = Town()
  override class var keyTable: KVTable { super.keyTable.extended(for: Fixed.self) { key in key("town", \.town) } }
}

private enum Grade: Int { case poor, fair, good }

private struct NegativePoints: Error, CustomStringConvertible { let description = "points are never negative" }

private final class Graded: KVObject {
  var grade = Grade.good
  var points = 1
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Graded.self) { key in
      key("grade", \.grade)
      key("points", \.points).validated { points in
        if points < 0 { throw NegativePoints() }
        return .valid
      }
    }
  }
}
