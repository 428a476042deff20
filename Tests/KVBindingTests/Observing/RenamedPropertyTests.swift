import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.14: a property that its table lists under another name")
struct RenamedPropertyTests {
  @Test("KVO.14: notifies under the key and under its own name, once each, with old and new")
  func bothNames() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let tokens = [
      try log.watch(book, "name", [.old, .new, .prior]), try log.watch(book, "title", [.old, .new, .prior]),
    ]
    defer { tokens.forEach { $0.cancel() } }
    book.title = "b"
    #expect(
      log.take().sorted() == [
        "name setting a → b", "name setting prior a → nil", "title setting a → b", "title setting prior a → nil",
      ])
    try book.setValue("c", forKey: "name")
    #expect(
      log.take().sorted() == [
        "name setting b → c", "name setting prior b → nil", "title setting b → c", "title setting prior b → nil",
      ])
    book.title += "!"
    #expect(log.take().filter { !$0.contains("prior") }.sorted() == ["name setting c → c!", "title setting c → c!"])
  }

  @Test("KVO.14: notifies under its own name if nobody observes the key")
  func ownNameOnly() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let token = try log.watch(book, "title")
    book.title = "b"
    try book.setValue("c", forKey: "name")
    #expect(log.take() == ["title setting a → b", "title setting b → c"])
    token.cancel()
    book.title = "d"
    #expect(log.take() == [])
  }

  @Test("KVO.14: of another type it is another property: nothing else notifies under the name")
  func otherType() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let token = try log.watch(book, "pages")
    defer { token.cancel() }
    book.title = "b"
    #expect(log.take() == [])
    book.pages = 2
    #expect(log.take() == ["pages setting 1 → 2"])
  }

  @Test("KVO.14: a computed property that depends on another one does not notify under the name of an unlisted one")
  func otherDependency() throws {
    let book = PricedBook()
    let log = ChangeLines()
    let token = try log.watch(book, "stock")
    defer { token.cancel() }
    try book.setValue(30, forKey: "gross")
    #expect(book.net == 15 && log.take() == [])
    book.stock = 2
    #expect(log.take() == ["stock setting 1 → 2"])
  }

  @Test("KVO.14: a property whose name begins with \"is\", by key, in Swift and by a line's read-only key")
  func isPrefix() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let tokens = [try log.watch(book, "isLent"), try log.watch(book, "lent")]
    defer { tokens.forEach { $0.cancel() } }
    book.isLent = true
    #expect(log.take().sorted() == ["isLent setting false → true", "lent setting false → true"])
    try book.setValue(false, forKey: "lent")
    #expect(log.take().sorted() == ["isLent setting true → false", "lent setting true → false"])
  }

  @Test("KVO.14: in the middle of a path, for a dependent key, and as the source of a binding")
  func kin() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let tokens = [try log.watch(book, "sequel.title"), try log.watch(book, "shout")]
    defer { tokens.forEach { $0.cancel() } }
    let label = RenamedBook()
    try label.bind("name", to: "title", of: book)
    let second = RenamedBook()
    book.sequel = second
    #expect(log.take() == ["sequel.title setting nil → a"])
    second.title = "b"
    #expect(log.take() == ["sequel.title setting a → b"])
    book.title = "c"
    #expect(log.take() == ["shout setting A → C"])
    #expect(label.title == "c")
  }

  @Test("KVO.14: two lines of one property notify under both keys, whichever is written")
  func twoLines() throws {
    let book = TwiceListedBook()
    let log = ChangeLines()
    let tokens = try ["name", "title", "first", "second"].map { try log.watch(book, KVKeyPath($0)) }
    defer { tokens.forEach { $0.cancel() } }
    book.title = "b"
    #expect(log.take().sorted() == ["name setting a → b", "title setting a → b"])
    try book.setValue("c", forKey: "name")
    #expect(log.take().sorted() == ["name setting b → c", "title setting b → c"])
    try book.setValue("d", forKey: "title")
    #expect(log.take().sorted() == ["name setting c → d", "title setting c → d"])
    try book.setValue(2, forKey: "first")
    #expect(log.take().sorted() == ["first setting 1 → 2", "second setting 1 → 2"])
    try book.setValue(3, forKey: "second")
    #expect(log.take().sorted() == ["first setting 2 → 3", "second setting 2 → 3"])
  }

  @Test("KVO.14, TST.2: a class with two lines of one property is compliant")
  func compliance() {
    expectCompliant(ignoring: [.setterNotObservable: ["first", "second"]]) { TwiceListedBook() }
  }

  @Test("KVO.14: a wrapper that stores elsewhere notifies under its own name, too, when it is written by key")
  func reference() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let token = try log.watch(book, "shelf")
    defer { token.cancel() }
    try book.setValue(UInt8(2), forKey: "place")
    try book.setValue(UInt8(3), forKey: "shelf")
    #expect(log.take() == ["shelf setting 1 → 2", "shelf setting 2 → 3"])
  }

  @Test("KVO.14, COL.2: a collection, edited in place, by a view, as a whole, and read by an operator")
  func collections() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let tokens = [try log.watch(book, "marks"), try log.watch(book, "marks.@count")]
    defer { tokens.forEach { $0.cancel() } }
    book.marks.append(1)
    #expect(log.take().sorted() == ["marks setting [] → [1]", "marks.@count setting 0 → 1"])
    try book.mutableArray(forKey: "places").append(2)
    #expect(log.take().sorted() == ["marks setting [1] → [1, 2]", "marks.@count setting 1 → 2"])
    try book.setValue([3], forKey: "places")
    #expect(log.take().sorted() == ["marks setting [1, 2] → [3]", "marks.@count setting 2 → 1"])
  }

  @Test("KVO.14, KVO.15: a line with manual notification, and COA.8 a write that is undone")
  func others() throws {
    let book = RenamedBook()
    let log = ChangeLines()
    let tokens = [try log.watch(book, "secret"), try log.watch(book, "title")]
    defer { tokens.forEach { $0.cancel() } }
    book.secret = 2
    try book.setValue(3, forKey: "hidden")
    #expect(log.take() == [])
    book.withChange(forKey: "hidden") { book.secret = 4 }
    #expect(log.take() == ["secret setting 3 → 4"])
    try? KVTransaction.run {
      try book.setValue("b", forKey: "name")
      throw CancellationError()
    }
    #expect(log.take() == ["title setting a → b", "title setting b → a"])
  }

  @Test("KVO.14, KVC.2: a lazy property has no own name to observe")
  func lazyStorage() throws {
    let error = #expect(throws: KVError.self) { _ = try RenamedBook().observe("index") { _ in } }
    #expect(error?.code == .undefinedKey)
    #expect(error?.message.contains("It is lazy") == true)
  }

  @Test("KVC.8: setting the own name says under which name to list it, and the cure works")
  func setting() throws {
    let error = #expect(throws: KVError.self) { try RenamedBook().setValue("b", forKey: "title") }
    #expect(error?.message.contains("no table lists as \"title\"") == true)
    #expect(error?.message.contains("key(\"title\", \\.title)") == true)
    let book = TwiceListedBook()
    try book.setValue("b", forKey: "title")
    #expect(book.title == "b")
  }
}

private final class RenamedBook: KVObject {
  @KVProperty var title = "a"
  @KVProperty var pages = 1
  @KVProperty var marks: [Int] = []
  @KVProperty var secret: Int8 = 1
  @KVProperty var following: RenamedBook?
  @KVProperty var isLent = false
  @Shelved var shelf: UInt8 = 1
  lazy var index = [title]
  var sequel: RenamedBook? {
    get { following }
    set { following = newValue }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: RenamedBook.self) { key in
      key("name", \.title)
      key("sequel", \.sequel).affected(by: "following")
      key("place", \.shelf)
      key("lent", \.isLent)
      key("places", \.marks)
      key("hidden", \.secret).notifiesManually()
      key("contents", \.index)
      key("shout") { $0.title.uppercased() }.affected(by: "title")
    }
  }
}

private final class PricedBook: KVObject {
  @KVProperty var net = 10
  @KVProperty var stock = 1
  var gross: Int {
    get { net * 2 }
    set { net = newValue / 2 }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: PricedBook.self) { key in
      key("net", \.net)
      key("gross", \.gross).affected(by: "net")
    }
  }
}

private final class TwiceListedBook: KVObject {
  @KVProperty var title = "a"
  var number = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: TwiceListedBook.self) { key in
      key("name", \.title)
      key("title", \.title)
      key("first", \.number)
      key("second", \.number)
    }
  }
}

@propertyWrapper
private final class Shelved: KVReferenceProperty {
  var wrappedValue: UInt8

  init(wrappedValue: UInt8) { self.wrappedValue = wrappedValue }
}
