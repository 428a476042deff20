import KVCore
import TestModels
import Testing

@Suite("KVC: writing")
struct WritingTests {
  @Test("KVC.8: the table is searched first, the most derived one before the others")
  func tables() throws {
    let author = Novelist()
    try author.setValue("noir", forKey: "genre")
    try author.setValue("Grace", forKey: "name")
    #expect(author.genre == "noir" && author.name == "Grace")
    #expect(failure { () throws(KVError) in try author.setValue("x", forKey: "initial") }?.code == .notSettable)
  }

  @Test("KVC.8: a subclass's setter is the one that is called")
  func overriddenSetter() throws {
    let derived = Louder()
    try derived.setValue("a", forKey: "text")
    #expect(derived.text == "A!")
  }

  @Test("KVC.8: then a wrapper that keeps its value elsewhere")
  func referenceWrappers() throws {
    let catalogue = Catalogue()
    try KVC.setValue(3, forKeyPath: "drawers", in: .constant(catalogue))
    #expect(catalogue.drawers == 3)
    #expect(
      failure { () throws(KVError) in try KVC.setValue("x", forKeyPath: "drawers", in: .constant(catalogue)) }?.code
        == .typeMismatch)
    #expect(catalogue.drawers == 3)
  }

  @Test("KVC.8: then the undefined-key hook")
  func hook() throws {
    let hooked = Hooked()
    try hooked.setValue(1, forKey: "zork")
    try hooked.setValue(nil, forKey: "zark")
    #expect(hooked.extras["zork"] as? Int == 1 && hooked.extras["zark"] as? String == "nil")
    #expect(failure { () throws(KVError) in try Author().setValue(1, forKey: "zork") }?.code == .undefinedKey)
  }

  @Test(
    "KVC.8: a key that exists but cannot be written is not settable, and the error says why",
    arguments: [
      ("badge", #"a "let""#), ("initial", "no setter"), ("advance", "readOnly()"), ("signature", "lazy"),
    ])
  func notSettable(key: String, reason: String) throws {
    let error = try #require(failure { () throws(KVError) in try Novelist().setValue(1, forKey: key) })
    #expect(error.code == (key == "signature" ? .undefinedKey : .notSettable))
    #expect(error.message.contains(reason))
  }

  @Test("KVC.8: a plain stored property without an accessor is readable and not settable")
  func plainStored() throws {
    let shelf = Shelf()
    var leaflet = Leaflet(title: "x", pages: 1)
    #expect(
      failure { () throws(KVError) in try KVC.setValue("B", forKeyPath: "label", in: .constant(shelf)) }?.code
        == .notSettable)
    #expect(
      failure { () throws(KVError) in try KVC.setValue("y", forKeyPath: "title", in: &leaflet) }?.code == .notSettable)
    #expect(shelf.label == "A" && leaflet.title == "x")
  }

  @Test("KVC.8: an element of a tuple is not settable, by position or label", arguments: ["0", "x", "[0]"])
  func tuples(path: String) throws {
    var pair = (x: 1, y: 2)
    var pairs = [(x: 1, y: 2)]
    #expect(failure { () throws(KVError) in try KVC.setValue(5, forKeyPath: path, in: &pair) }?.code == .notSettable)
    guard !path.hasPrefix("[") else { return }
    #expect(failure { () throws(KVError) in try KVC.setValue(5, forKeyPath: path, in: &pairs) }?.code == .notSettable)
    #expect(pair == (1, 2) && pairs[0] == (1, 2))
  }

  @Test("KVC.9: writing through nested values writes copies back; siblings are untouched")
  func nestedValues() throws {
    let author = Author()
    try author.setValue("Paris", forKeyPath: "town.city")
    try author.setValue("Marais", forKeyPath: "town.district.name")
    #expect(author.town == Town(city: "Paris", district: District(name: "Marais")))
    var town = Town()
    try town.setValue(5, forKeyPath: "district.inhabitants")
    #expect(town == Town(district: District(inhabitants: 5)))
  }

  @Test("KVC.9: it works through objects in values in objects, elements and entries")
  func mixedNesting() throws {
    let author = Author()
    author.agent = Author()
    author.books = [Book(), Book()]
    try author.setValue("Rome", forKeyPath: "agent.town.city")
    try author.setValue(99, forKeyPath: "books[1].price")
    #expect(author.agent?.town.city == "Rome" && author.books.map(\.price) == [10, 99])
    var tree: [String: Any] = ["list": [["author": author, "town": Town()]]]
    try tree.setValue("Oslo", forKeyPath: "list[0].town.city")
    try tree.setValue("Eve", forKeyPath: "list[0].author.name")
    #expect(try tree.value(forKeyPath: "list[0].town.city") as? String == "Oslo")
    #expect(author.name == "Eve")
  }

  @Test("KVC.9: a struct in the middle that cannot be written back is an error that names it")
  func unwritableMiddle() throws {
    let fixed = Fixed()
    let error = try #require(failure { () throws(KVError) in try fixed.setValue("x", forKeyPath: "town.city") })
    #expect(error.code == .notSettable && error.component == "town" && error.keyPath == "town.city")
    #expect(fixed.town == Town())
  }

  @Test("KVC.9: every observed level is reported once, and siblings are not")
  func nestedNotification() throws {
    let author = Author()
    let agent = Author()
    author.agent = agent
    let log = ChangeLog.attached(to: author, keys: "town", "agent", "books", "name")
    let inner = ChangeLog.attached(to: agent, keys: "town", "name")
    try author.setValue("Paris", forKeyPath: "town.district.name")
    #expect(log.takeAll() == ["will town", "did town"])
    try author.setValue("Rome", forKeyPath: "agent.town.city")
    #expect(log.takeAll() == [], "the reference to the agent has not changed")
    #expect(inner.takeAll() == ["will town", "did town"])
    author.books = [Book()]
    try author.setValue(1, forKeyPath: "books[0].price")
    #expect(log.takeAll() == ["will books", "did books"])
  }

  @Test("KVC.10: writing a key of an array or set of objects writes it on every element")
  func elements() throws {
    let author = Author()
    author.rivals = [Author(), Author()]
    try author.setValue("same", forKeyPath: "rivals.name")
    #expect(author.rivals.map(\.name) == ["same", "same"])
    try author.rivals.setValue("again", forKey: "name")
    #expect(author.rivals.map(\.name) == ["again", "again"])
    let set: Set = [Badge(), Badge()]
    try KVC.setValue(3, forKeyPath: "number", in: .constant(set))
    #expect(set.map(\.number) == [3, 3])
  }

  @Test("KVC.10: elements that are values are written back; nil elements are passed over")
  func elementValues() throws {
    let author = Author()
    author.books = [Book(), Book(title: "b")]
    try author.setValue(7, forKeyPath: "books.price")
    #expect(author.books == [Book(price: 7), Book(title: "b", price: 7)])
    var sparse: [Book?] = [nil, Book()]
    try sparse.setValue(8, forKey: "price")
    #expect(sparse == [nil, Book(price: 8)])
    var nested = [[Book()], []]
    try nested.setValue(9, forKey: "price")
    #expect(nested == [[Book(price: 9)], []])
    var set: Set = [Book(title: "a"), Book(title: "b")]
    try set.setValue("c", forKey: "title")
    #expect(set == [Book(title: "c")])
  }

  @Test("KVC.11: writing an entry sets it, writing nil removes it")
  func dictionaries() throws {
    var dictionary = ["a": 1]
    try dictionary.setValue(2, forKey: "b")
    try dictionary.setValue(nil, forKey: "a")
    #expect(dictionary == ["b": 2])
    let nothing: Int? = nil
    try dictionary.setValue(nothing, forKey: "b")
    #expect(dictionary.isEmpty)
    var numbered = [1: "one"]
    try numbered.setValue("two", forKey: "2")
    #expect(numbered == [1: "one", 2: "two"])
    #expect(failure { () throws(KVError) in try numbered.setValue("x", forKey: "x") }?.code == .unsupported)
    var nested: [String: Any] = ["a": ["b": 1, "c": 2]]
    try nested.setValue(nil, forKeyPath: "a.b")
    #expect(nested["a"] as? [String: Int] == ["c": 2])
  }

  @Test("KVC.12: writing through a nil in the middle throws unresolved path with the component")
  func unresolved() throws {
    let author = Author()
    let error = try #require(failure { () throws(KVError) in try author.setValue("x", forKeyPath: "agent.town.city") })
    #expect(error.code == .unresolvedPath && error.component == "agent" && error.keyPath == "agent.town.city")
    var dictionary: [String: Any] = [:]
    #expect(failure { () throws(KVError) in try dictionary.setValue(1, forKeyPath: "a.b") }?.code == .unresolvedPath)
    var town: Town? = nil
    #expect(
      failure { () throws(KVError) in try KVC.setValue("x", forKeyPath: "city", in: &town) }?.code == .unresolvedPath)
  }

  @Test("KVC.12: the lenient variant does nothing and says so")
  func lenient() throws {
    let author = Author()
    #expect(try !author.setValueIfResolved("x", forKeyPath: "agent.name"))
    author.agent = Author()
    #expect(try author.setValueIfResolved("x", forKeyPath: "agent.name"))
    #expect(author.agent?.name == "x")
    var town: Town? = nil
    #expect(try !KVC.setValueIfResolved("x", forKeyPath: "city", in: &town))
    town = Town()
    #expect(try KVC.setValueIfResolved("x", forKeyPath: "city", in: &town))
    #expect(town?.city == "x")
    #expect(
      failure { () throws(KVError) in try author.setValueIfResolved("x", forKeyPath: "agent.nope") }?.code
        == .undefinedKey)
  }

  @Test("KVC.13: nil for a property that is not optional calls the nil-value hook, whose default throws")
  func nilHook() throws {
    let hooked = Hooked()
    try hooked.setValue(nil, forKey: "count")
    #expect(hooked.count == -1)
    var value = HookedValue()
    try value.setValue(nil, forKey: "count")
    #expect(value.count == -1)
    let nothing: Int? = nil
    hooked.count = 2
    try hooked.setValue(nothing, forKey: "count")
    #expect(hooked.count == -1)
    let author = Author()
    #expect(failure { () throws(KVError) in try author.setValue(nil, forKey: "born") }?.code == .nilValue)
    #expect(author.born == 1_815)
    try author.setValue(nil, forKey: "agent")
    #expect(author.agent == nil)
  }

  @Test("KVC.13: the hook is called with the key, not with the alias that was used")
  func nilHookForAlias() throws {
    let error = try #require(failure { () throws(KVError) in try Author().setValue(nil, forKey: "birthYear") })
    #expect(error.component == "born" && error.keyPath == "birthYear")
  }

  @Test("KVC.13, KVC.16: hooks of nested values work on the copy that is written back")
  func nestedHooks() throws {
    var list = [HookedValue()]
    try list.setValue(nil, forKeyPath: "[0].count")
    try list.setValue(1, forKeyPath: "[0].zork")
    #expect(list[0].count == -1 && list[0].log == ["zork"])
  }

  @Test(
    "KVC.14: a thrown error leaves the object as it was and reports no change; later changes are reported",
    arguments: [
      ("name", 5 as (any Sendable)?), ("born", "x"), ("born", 1e300), ("born", nil), ("initial", "x"), ("zork", 1),
    ])
  func errorsChangeNothing(key: String, value: (any Sendable)?) throws {
    let author = Author()
    let log = ChangeLog.attached(to: author, keys: "name", "born", "initial", "zork")
    #expect(failure { () throws(KVError) in try author.setValue(value, forKey: key) } != nil)
    #expect(author.name == "Ada" && author.born == 1_815)
    #expect(log.takeAll() == [])
    try author.setValue("Grace", forKey: "name")
    try author.setValue(1_906, forKey: "born")
    #expect(log.takeAll() == ["will name", "did name", "will born", "did born"])
  }

  @Test("KVC.14: an element that refuses the value leaves all elements as they were")
  func elementsAllOrNothing() throws {
    let first = Author()
    var mixed: [KVObject] = [first, Hooked()]
    try mixed.setValue("x", forKey: "name")
    #expect(first.name == "x", "the hook takes the value")
    let refused: [KVObject] = [first, Catalogue(), Author()]
    #expect(failure { () throws(KVError) in try KVC.setValue("y", forKeyPath: "name", in: .constant(refused)) } != nil)
    #expect(first.name == "x")
    let typed: [KVObject] = [first, Named()]
    #expect(failure { () throws(KVError) in try KVC.setValue("z", forKeyPath: "name", in: .constant(typed)) } != nil)
    #expect(first.name == "x")
    let nested: [[KVObject]] = [[first], [Catalogue()]]
    #expect(failure { () throws(KVError) in try KVC.setValue("y", forKeyPath: "name", in: .constant(nested)) } != nil)
    #expect(first.name == "x")
  }
}

extension KVC {
  /// Sets a value in an object, which needs no variable.
  fileprivate static func setValue(_ value: Any?, forKeyPath path: String, in constant: Constant) throws(KVError) {
    var root = constant.root
    try setValue(value, forKeyPath: path, in: &root)
  }
}

private struct Constant {
  let root: Any
  static func constant(_ root: Any) -> Constant { Constant(root: root) }
}

private final class Catalogue: KVObject {
  @Boxed var drawers = 1
}

private final class Named: KVObject {
  var name = 1
  override class var keyTable: KVTable { super.keyTable.extended(for: Named.self) { key in key("name", \.name) } }
}

private final class Fixed: KVObject {
  let town = Town()
  override class var keyTable: KVTable { super.keyTable.extended(for: Fixed.self) { key in key("town", \.town) } }
}

private final class Badge: KVObject, Hashable {
  var number = 0
  override class var keyTable: KVTable { super.keyTable.extended(for: Badge.self) { key in key("number", \.number) } }
  static func == (left: Badge, right: Badge) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

private class Loud: KVObject {
  var text: String {
    get { stored }
    set { stored = newValue.uppercased() }
  }
  var stored = ""
  override class var keyTable: KVTable { super.keyTable.extended(for: Loud.self) { key in key("text", \.text) } }
}

private final class Louder: Loud {
  override var text: String {
    get { stored }
    set { stored = newValue.uppercased() + "!" }
  }
}
