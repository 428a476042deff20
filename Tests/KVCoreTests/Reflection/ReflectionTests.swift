import KVCore
import TestModels
import Testing

@Suite("Reflection")
struct ReflectionTests {
  @Test("KVC.1: private members of superclasses are found")
  func privateMembers() throws {
    #expect(try KVC.value(of: OakShelf(), forKeyPath: "wood") as? String == "oak")
    #expect(try KVC.value(of: Shelf(), forKeyPath: "secret") as? String == "base")
  }

  @Test("KVC.1: of two members with one label, that of the most derived class is read, and listed once")
  func sameLabelTwice() throws {
    #expect(try KVC.value(of: OakShelf(), forKeyPath: "secret") as? String == "derived")
    let names = try KVC.keys(of: OakShelf()).map(\.name)
    #expect(names.filter { $0 == "secret" } == ["secret"])
    #expect(Set(names) == ["secret", "wood", "label", "books", "neighbour"])
  }

  @Test("KVC.1: the labels are searched in the order key, _key, isKey, _isKey")
  func searchOrder() throws {
    #expect(try KVC.value(of: Order4(), forKeyPath: "open") as? String == "open")
    #expect(try KVC.value(of: Order3(), forKeyPath: "open") as? String == "_open")
    #expect(try KVC.value(of: Order2(), forKeyPath: "open") as? String == "isOpen")
    #expect(try KVC.value(of: Order1(), forKeyPath: "open") as? String == "_isOpen")
    #expect(try KVC.value(of: Order2(), forKeyPath: "isOpen") as? String == "isOpen", "by its own label, too")
    #expect(try KVC.value(of: Order1(), forKeyPath: "_isOpen") as? String == "_isOpen")
    #expect(try KVC.value(of: Order1(), forKeyPath: "isOpen") as? String == "_isOpen")
  }

  @Test(
    "KVC.1: the order of labels goes before the order of classes, and the label is kept for words that begin with is")
  func searchOrderAcrossClasses() throws {
    #expect(try KVC.value(of: DerivedOrder(), forKeyPath: "open") as? String == "base open")
    #expect(try KVC.value(of: Island(), forKeyPath: "island") as? Int == 1)
    #expect(failure { () throws(KVError) in try KVC.value(of: Island(), forKeyPath: "land") }?.code == .undefinedKey)
  }

  @Test("KVC.3: reflection refuses functions, which a table reads")
  func functions() throws {
    for (key, owner) in [
      ("body", Callbacks()), ("later", Callbacks()), ("pair", Callbacks()), ("body", Handler()), ("later", Handler()),
      ("1", (1, { 7 } as () -> Int)), ("[1]", (1, { 7 } as () -> Int)), ("call", Signal.call { 7 }),
    ] as [(String, Any)] {
      let error = failure { () throws(KVError) in try KVC.value(of: owner, forKeyPath: key) }
      #expect(error?.code == .unsupported)
      #expect(error?.message.contains("is a function, which reflection cannot read") == true)
      #expect(try !KVC.keys(of: owner).map(\.name).contains(key))
    }
    #expect(try KVC.value(of: Callbacks(), forKeyPath: "list.@count", as: Int.self) == 1)
    #expect(try KVC.keys(of: Callbacks()).map(\.name) == ["list"])
    let body = try KVC.value(of: ListedHandler(), forKeyPath: "body", as: (() -> Int).self)
    #expect(body() == 7)
  }

  @Test("KVC.2: wrapper storage is the key without underscore and yields the wrapped value")
  func wrappers() throws {
    let form = Form()
    #expect(try form.value(forKey: "title") as? String == "Untitled")
    #expect(try form.value(forKey: "rating") as? Int == 5)
    #expect(try form.value(forKey: "drawer") as? String == "box")
    #expect(try form.value(forKey: "maybe") == nil)
    #expect(try form.value(forKeyPath: "home.city") as? String == "London")
    #expect(Set(try KVC.keys(of: form).map(\.name)) == ["title", "rating", "drawer", "maybe", "home", "opaque"])
  }

  @Test("KVC.2: a wrapper that says nothing is read as it is")
  func opaqueWrapper() throws {
    #expect(try Form().value(forKey: "opaque") is Opaque<Int>)
  }

  @Test("KVC.2: a wrapper with reference storage is written, in objects and in values")
  func writingWrappers() throws {
    let form = Form()
    try form.setValue("new", forKey: "drawer")
    #expect(form.drawer == "new")
    var note = Note()
    try KVC.setValue(4.9, forKeyPath: "length", in: &note)
    #expect(note.length == 4)
    #expect(failure { () throws(KVError) in try form.setValue(3, forKey: "rating") }?.code == .notSettable)
    #expect(failure { () throws(KVError) in try form.setValue(nil, forKey: "drawer") }?.code == .nilValue)
    #expect(try KVC.keys(of: form).filter { !$0.isReadOnly }.map(\.name) == ["drawer"])
  }

  @Test("KVC.2: an observable property that no table lists is readable, and not settable by key")
  func observableWithoutTable() throws {
    let form = Form()
    #expect(failure { () throws(KVError) in try form.setValue("x", forKey: "title") }?.code == .notSettable)
    form.title = "x"
    #expect(try form.value(forKey: "title") as? String == "x")
  }

  @Test(
    "KVC.2: lazy, computed and static properties are invisible; the error names the macro and then the table as cures",
    arguments: ["later", "computed", "shared"])
  func invisible(key: String) throws {
    let error = try #require(failure { () throws(KVError) in try KVC.value(of: Idle(), forKeyPath: key) })
    #expect(error.code == .undefinedKey)
    #expect(error.message.contains("reflection"))
    #expect(error.message.contains(key == "later" ? "lazy" : "Computed, static and lazy properties are invisible"))
    #expect(
      error.message.hasSuffix(
        #"""
        mark Idle with @KVModel(.root)\#(key == "later" ? " and later with @KVKey" : ""), or make Idle conform to \#
        KeyValueCoding, with a keyTable that has the line key("\#(key)", \.\#(key)).
        """#))
    #expect(try KVC.keys(of: Idle()).map(\.name) == ["stored"])
  }

  @Test("KVC.2: the same for a type without any stored property")
  func invisibleOnly() throws {
    let error = try #require(failure { () throws(KVError) in try KVC.value(of: Bare(), forKeyPath: "computed") })
    #expect(error.message.contains("It has no keys. Computed, static and lazy properties are invisible to reflection"))
  }

  @Test("KVC.2: the registrar of an observable object is no key")
  func registrar() throws {
    #expect(failure { () throws(KVError) in try Form().value(forKey: "registrarSlot") }?.code == .undefinedKey)
    #expect(try KVC.keys(of: Idle2()).map(\.name) == [])
  }

  @Test("KVC.3: generic classes and their subclasses")
  func generics() throws {
    #expect(try KVC.value(of: Tray<Int>(3), forKeyPath: "content") as? Int == 3)
    #expect(try KVC.value(of: Tray<String>("s"), forKeyPath: "content") as? String == "s")
    #expect(try KVC.value(of: LetterTray("x"), forKeyPath: "content") as? String == "x")
    #expect(try KVC.value(of: LetterTray("x"), forKeyPath: "urgent") as? Bool == true)
  }

  @Test("KVC.3, KVC.4: weak and unowned properties read as their objects, or nil")
  func weakProperties() throws {
    let shelf = Shelf()
    var neighbour: Shelf? = Shelf(label: "N")
    shelf.neighbour = neighbour
    #expect(try KVC.value(of: shelf, forKeyPath: "neighbour.label") as? String == "N")
    neighbour = nil
    #expect(try KVC.value(of: shelf, forKeyPath: "neighbour") == nil)
    #expect(try KVC.value(of: shelf, forKeyPath: "neighbour.label") == nil)
  }

  @Test("KVC.3: a type that describes itself is read by its own mirror, value by value")
  func customReflectable() throws {
    #expect(try KVC.value(of: Masked(names: ["a"]), forKeyPath: "a") as? Int == 1)
    #expect(try KVC.value(of: Masked(names: ["b", "a"]), forKeyPath: "a") as? Int == 2)
    #expect(try KVC.value(of: Masked(names: ["b"]), forKeyPath: "b") as? Int == 1)
    #expect(try KVC.keys(of: Masked(names: ["b", "c"])).map(\.name) == ["b", "c"])
    let error = try #require(
      failure { () throws(KVError) in try KVC.value(of: Masked(names: ["b"]), forKeyPath: "names") })
    #expect(error.knownKeys == ["b"])
  }

  @Test("KVC.3: what was found in one value of a type holds for all of them")
  func perType() throws {
    let full = Leaflet(title: "x", pages: 1, editor: "Eve")
    #expect(try KVC.value(of: Leaflet(title: "x", pages: 1), forKeyPath: "editor") == nil)
    #expect(try KVC.value(of: full, forKeyPath: "editor") as? String == "Eve")
  }
}

private class Order4 {
  var _isOpen = "_isOpen"
  var isOpen = "isOpen"
  var _open = "_open"
  var open = "open"
}

private struct Order3 {
  var _isOpen = "_isOpen"
  var isOpen = "isOpen"
  var _open = "_open"
}

private struct Order2 {
  var _isOpen = "_isOpen"
  var isOpen = "isOpen"
}

private struct Order1 { var _isOpen = "_isOpen" }

private class BaseOrder { var open = "base open" }
private final class DerivedOrder: BaseOrder { var _open = "derived _open" }
private struct Island { var island = 1 }

@propertyWrapper
private struct Clamped: KVReflectedProperty {
  var value: Int
  init(wrappedValue: Int) { value = wrappedValue }
  var wrappedValue: Int {
    get { min(value, 5) }
    set { value = newValue }
  }
}

@propertyWrapper
private struct Opaque<Value> {
  var wrappedValue: Value
}

private final class Form: KVObject {
  @KVProperty var title = "Untitled"
  @KVProperty var maybe: Int?? = .some(nil)
  @KVProperty var home = Town()
  @Clamped var rating = 9
  @Boxed var drawer = "box"
  @Opaque var opaque = 1
}

private struct Note { @Boxed var length = 1 }

private final class Idle {
  var stored = 1
  lazy var later = 2
  var computed: Int { 3 }
  nonisolated(unsafe) static var shared = 4
}

private final class Idle2: KVObservable { let registrarSlot = KVRegistrarSlot() }
private struct Bare { var computed: Int { 1 } }

private class Tray<Content> {
  var content: Content
  init(_ content: Content) { self.content = content }
}

private final class LetterTray: Tray<String> { var urgent = true }

private struct Masked: CustomReflectable {
  var names: [String]
  var customMirror: Mirror {
    Mirror(self, children: names.enumerated().map { (label: $0.element, value: $0.offset + 1) })
  }
}

private struct Callbacks {
  var body: (String) -> String = { $0 + "!" }
  var later: (() -> Int)?
  var pair: (Int, () -> Int) = (1, { 7 })
  var list: [() -> Int] = [{ 7 }]
}

private final class Handler: KVObject {
  var body: () -> Int = { 7 }
  var later: (() -> Int)?
}

private struct ListedHandler: KeyValueCoding {
  var body: () -> Int = { 7 }
  static var keyTable: KVTable { KVTable(ListedHandler.self) { key in key("body", \.body) } }
}

private enum Signal { case call(() -> Int) }
