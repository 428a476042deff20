import KVCore
import Testing

@Suite("Key paths: inherited properties")
struct InheritedKeyPathTests {
  @Test("TAB.7: typed steps find the keys that a class inherits, also those that it declares again")
  func typedSteps() throws {
    #expect(try KVTypedKeyPath(Magazine.self).title.keyPath() == "title")
    #expect(try KVTypedKeyPath(Magazine.self).sequel.pages.keyPath() == "sequel.pages")
    #expect(try KVTypedKeyPath(Magazine.self).pages.keyPath() == "pages", "overridden, and declared again")
    #expect(try KVTypedKeyPath(Issue.self).title.keyPath() == "title", "overridden in a class without a table")
    #expect(try KVTypedKeyPath(Issue.self).number.keyPath() == "number")
    #expect(try KVTypedKeyPath(Bound<Int>.self).number.keyPath() == "number")
    #expect(try KVTypedKeyPath(Bound<Int>.self).isbn.keyPath() == "isbn")
  }

  @Test(
    "TAB.7: a table finds the key of a property of the class and of its superclass, and its own key path of the key")
  func bothWays() {
    for keyPath in [\Publication.title, \Magazine.title, \Issue.title] as [AnyKeyPath] {
      #expect(Publication.keyTable.key(for: keyPath) == "title")
      #expect(Magazine.keyTable.key(for: keyPath) == "title")
    }
    for keyPath in [\Publication.pages, \Magazine.pages] as [AnyKeyPath] {
      #expect(Magazine.keyTable.key(for: keyPath) == "pages")
    }
    #expect(Magazine.keyTable.keyPath(for: "pages") == \Magazine.pages)
    #expect(Magazine.keyTable.keyPath(for: "title") == \Publication.title)
    #expect(Magazine.keyTable.key(for: \Publication.price) == "price", "replaced by closures")
    #expect(Magazine.keyTable.keyPath(for: "price") == nil, "closures have no key path")
  }

  @Test("TAB.7: properties of unrelated classes are different, and so are those that only a subclass has")
  func unrelated() {
    #expect(Publication.keyTable.key(for: \Magazine.number) == nil)
    #expect(Magazine.keyTable.key(for: \Novel.chapters) == nil, "another subclass, and perhaps the same slot")
    #expect(Novel.keyTable.key(for: \Magazine.number) == nil)
    #expect(Publication.keyTable.key(for: \Author.name) == nil)
  }
}

private class Publication: KVObject {
  @KVProperty var title = "Notes"
  var pages = 1
  var price = 2
  final var isbn = "0"
  var sequel: Publication?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Publication.self) { key in
      key("title", \.title)
      key("pages", \.pages)
      key("price", \.price)
      key("isbn", \.isbn)
      key("sequel", \.sequel)
    }
  }
}

private class Magazine: Publication {
  var number = 3
  override var pages: Int {
    get { super.pages * 2 }
    set { super.pages = newValue / 2 }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Magazine.self) { key in
      key("number", \.number)
      key("pages", \.pages)
      key("price") { _ in 7 }
    }
  }
}

private class Issue: Magazine {
  override var title: String {
    get { super.title + "!" }
    set { super.title = newValue }
  }
}

private final class Bound<Volume>: Issue {}

private class Novel: Publication {
  var chapters = 5

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Novel.self) { key in key("chapters", \.chapters) }
  }
}
