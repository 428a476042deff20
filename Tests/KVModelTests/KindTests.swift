import Foundation
import KVBinding
import KVTestSupport
import Testing

/// The kinds of types that can be models (MOD.1), and names that could collide (MOD.8).
@Suite struct KindTests {
  /// The new values that observers of some keys receive, with the keys, while a body runs.
  private func changes(of object: some KVObservable, _ keys: String..., during body: () throws -> Void) throws
    -> [String]
  {
    var seen: [String] = []
    let tokens = try keys.map { key in try object.observe(key) { seen.append("\(key) \($0.new ?? "nil")") } }
    try body()
    tokens.forEach { $0.cancel() }
    return seen
  }

  @Test("MOD.1: a type of any global actor is a model") @Disk func actors() throws {
    let file = File()
    #expect(
      try changes(of: file, "title", "size") {
        file.name = "b"
        file.size = 2
      } == ["title b 1", "title b 2", "size 2"])
    guard case .replaced(let owner) = try file.validate("b", forKeyPath: "owner") else {
      Issue.record("the validator is not called")
      return
    }
    #expect(owner as? String == "self")
  }

  @Test("MOD.1: roots and structs of the main actor are models") @MainActor func mainActor() throws {
    let window = Window()
    #expect(try changes(of: window, "title") { window.title = "A" } == ["title A"])
    var frame = Frame()
    try frame.setValue(3, forKey: "width")
    #expect(try frame.value(forKey: "area", as: Int.self) == 9)
  }

  @Test("MOD.1: classes in generic types and in extensions are models") func nested() throws {
    let inner = Outer<String>.Inner("a")
    #expect(try changes(of: inner, "value") { inner.value = "b" } == ["value b"])
    let other = Outer<Int>.Inner(1)
    #expect(try changes(of: other, "value") { other.value = 2 } == ["value 2"])
    let circle = Shapes.Circle()
    #expect(try changes(of: circle, "diameter") { circle.radius = 2 } == ["diameter 4"])
  }

  @Test("MOD.1: a generic subclass of a generic model has keys of its own") func generic() throws {
    let shelves = LabeledShelves<Int>()
    #expect(shelves.name == "shelf\n  of items")
    #expect(
      try changes(of: shelves, "items", "name", "label", "color", "text") {
        shelves.color = "red"
        shelves.name = "A"
        shelves.items.append(1)
        shelves.label = "L"
      } == [
        "color red", "name A", "text  A 0", "items [1]", "text  A 1", "label L", "text L A 1",
      ])
    #expect(shelves.changes == 1)
  }

  @Test("MOD.8: properties may have any names") func names() throws {
    let clash = Clash()
    #expect(
      try changes(of: clash, "observed", "change", "newValue", "initialValue") {
        clash.observed = 2
        clash.change.append(2)
        clash.newValue = []
        clash.initialValue = 0
      } == ["observed 2", "change [1, 2]", "newValue []", "initialValue 0"])
  }

  @Test("MOD.2: a model is coded under the names of its properties") func coding() throws {
    let person = Person(id: 1)
    person.name = "Grace"
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(person)
    #expect(String(decoding: data, as: UTF8.self) == #"{"id":1,"name":"Grace","note":"n"}"#)
    let read = try JSONDecoder().decode(Person.self, from: Data(#"{"id":2,"name":"Edsger","age":5,"note":""}"#.utf8))
    #expect((read.name, read.age, read.id) == ("Edsger", 5, 2))
    #expect(try changes(of: read, "initial") { read.name = "Tony" } == ["initial T"])
  }

  @Test("MOD.6: lines by hand may stand in an extension") func extensions() throws {
    #expect(try Late().value(forKey: "net", as: Int.self) == 7)
  }

  @Test("MOD.4: a listed private property affects a key where only listed keys are accessible") func listedKeysOnly()
    throws
  {
    let vault = Vault()
    #expect(
      try changes(of: vault, "sum") {
        vault.open = 2
        vault.change()
      } == ["sum 5", "sum 6"])
    #expect(throws: KVError.self) { try vault.value(forKey: "secret") }
  }

  @Test("MOD.1: what cannot be written by key cannot be edited by a view") func readOnly() throws {
    let guarded = Guarded()
    #expect(throws: KVError.self) { try guarded.mutableArray(forKey: "lines").append("b") }
    #expect(throws: KVError.self) { try guarded.mutableArray(forKey: "names").append("b") }
    #expect((guarded.lines, guarded.names) == (["a"], ["a"]))
    #expect(
      Guarded.keyTable.keys.map(\.name) == [
        "lines", "names", "lazyKey", "owner", "unsafe", "wrapped", "twice", "shape", "handler", "pair",
      ])
  }

  @Test("MOD.2: properties of any type notify; one with a wrapper notifies by it") func types() throws {
    let guarded = Guarded()
    var count = 0
    let tokens = try ["owner", "unsafe", "shape", "handler", "pair", "twice"].map { key in
      try guarded.observe(key, options: []) { _ in count += 1 }
    }
    guarded.owner = guarded
    guarded.unsafe = guarded
    guarded.shape = .square
    guarded.handler = { 1 }
    guarded.pair.0 = 2
    guarded.wrapped = 3
    #expect(count == 6)
    tokens.forEach { $0.cancel() }
  }

  @Test("MOD.2: an initial value is computed once, and an assignment before super.init calls no observer")
  func initialValues() {
    Counted.count = 0
    let counted = Counted()
    #expect(Counted.count == 1)
    #expect(counted.number == 1)
    #expect(counted.changes == 0)
    #expect(counted.log == [1])
  }

  @Test("MOD.4: inherited keys affect a key, under any name") func inherited() throws {
    let leaf = Leaf()
    #expect(
      try changes(of: leaf, "product") {
        leaf.total = 2
        leaf.plain = 3
        leaf.factor = 4
      } == ["product 6", "product 7", "product 11"])
  }

  @Test("MOD.4: expectCompliant agrees with what was found")
  func compliance() {
    expectCompliant { Order() }
    expectCompliant { Dog() }
    expectCompliant { Shapes.Circle() }
    expectCompliant { Leaf() }
    expectCompliant { Vault() }
    expectCompliant { Person(id: 1) }
    expectCompliant { Clash() }
    expectCompliant { Mixed() }
    expectCompliant { Root() }
    expectCompliant { Box(1) }
    expectCompliant { Address() }
  }
}
