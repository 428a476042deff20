import KVCore

// The sentences of errors of writing.
extension ErrorSentenceTests {
  static let writing: [Case] = [
    Case(
      "the wrong type",
      #"""
      cannot set "born" of Author: the String "old" is not an Int, and its text is not one either; set a value of type Int.
      """#
    ) { () throws(KVError) in try Author().setValue("old", forKey: "born") },
    Case(
      "the wrong type in the middle of values",
      #"""
      cannot set "name" of District: the Int 5 is not a String. (In the path "town.district.name" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(5, forKeyPath: "town.district.name") },
    Case(
      "the wrong element type",
      #"cannot set "titles" of Author: at [1], the Int 2 is not a String."#
    ) { () throws(KVError) in try Author().setValue(["a", 2], forKey: "titles") },
    Case(
      "a struct where an object is wanted",
      #"cannot set "agent" of Author: a value of type Town is not an Author."#
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
      cannot set "born" of Author: nil is not an Int. Make the property optional, or override \#
      setNilValue(forKey:) to choose a value.
      """#
    ) { () throws(KVError) in try Author().setValue(nil, forKey: "born") },
    Case(
      "nil for an element that is not optional",
      #"""
      cannot set "[0]" of Array<String>: nil is not a String. Make the elements optional, or remove the element. \#
      (In the path "titles[0]" from Author.)
      """#
    ) { () throws(KVError) in try Author().setValue(nil, forKeyPath: "titles[0]") },
    Case(
      "a raw value that no case has",
      #"cannot set "grade" of Graded: the Int 9 is not a raw value of Grade."#
    ) { () throws(KVError) in try Graded().setValue(9, forKey: "grade") },
    Case(
      "a long text of the wrong type",
      #"""
      cannot set "born" of Author: the String "long long long long long long long long …" is not an Int, and \#
      its text is not one either; set a value of type Int.
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
      it is a "var", mark Ghost with @KVModel, or add override class var keyTable: KVTable { \#
      super.keyTable.extended(for: Ghost.self) { key in key("client", \.client) } } to Ghost, which has no keyTable of its \#
      own (a property of another name, or of instances, is not one).
      """#
    ) { () throws(KVError) in try Ghost().setValue("x", forKey: "client") },
    Case(
      "a property of a class that is only reflected",
      #"""
      key "label" of Shelf cannot be set: it is a plain stored property, which reflection can only read. If \#
      it is a "var", mark Shelf with @KVModel(.root), or make Shelf conform to KeyValueCoding, with a keyTable that has \#
      the line key("label", \.label).
      """#
    ) { () throws(KVError) in try set("B", "label", Shelf()) },
    Case(
      "a property of a struct that is only reflected",
      #"""
      key "title" of Leaflet cannot be set: it is a plain stored property, which reflection can only read. If \#
      it is a "var", mark Leaflet with @KVModel, or make Leaflet conform to KeyValueCoding, with a keyTable that has the \#
      line key("title", \.title).
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
      "an element of a labelled tuple, by its position",
      #"""
      "0" of (x: Int, y: Int) cannot be set: elements of tuples and payloads of enums can only be read. Set \#
      the whole value instead, or use a struct. (In the path "pair.0" from Pairs.)
      """#
    ) { () throws(KVError) in try set(5, "pair.0", Pairs()) },
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
      #"[0] needs an ordered collection, and Set<Int> is not one. Use a key, or ["…"] for an entry."#
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
      #""name" is not an array: it holds the String "Ada"."#
    ) { () throws(KVError) in try Author().mutableArray(forKey: "name").append("x") },
    Case(
      "a value that a validator refuses",
      #"the Int -1 is not valid for "points" of Graded: points are never negative"#
    ) { () throws(KVError) in try Graded().validate(-1, forKeyPath: "points") },
  ]
}

/// Sets a value in something that is no variable.
private func set(_ value: Any?, _ path: String, _ root: Any) throws(KVError) {
  var root = root
  try KVC.setValue(value, forKeyPath: path, in: &root)
}

extension Author {
  fileprivate static func withAgent() -> Author {
    let author = Author()
    author.agent = Author()
    return author
  }
}

private struct Pairs { var pair = (x: 1, y: 2) }

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
