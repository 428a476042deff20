import KVBinding
import KVTestSupport
import TestModels
import Testing

/// Models without typed tables: keys, notifications, dependencies (MOD).
@Suite struct ModelTests {
  /// The new values that observers of some keys receive, with the keys, while a body runs.
  private func changes(
    of object: some KVObservable, _ keys: String..., during body: () throws -> Void
  ) throws -> [String] {
    var seen: [String] = []
    let tokens = try keys.map { key in
      try object.observe(key) { change in seen.append("\(key) \(change.new ?? "nil")") }
    }
    try body()
    tokens.forEach { $0.cancel() }
    return seen
  }

  @Test("MOD.1: each property of instances has a key, in the order of the declaration")
  func keys() throws {
    #expect(
      Order.keyTable.keys.map(\.name) == [
        "number", "lines", "notes", "clerk", "comment", "discount", "code", "gross", "revealed", "id", "state",
      ])
    #expect(Dog.keyTable.keys.map(\.name) == ["name", "label", "breed", "full"])
    #expect(Namespace.Nested.keyTable.keys.map(\.name) == ["default", "inner", "sum"])
    #expect(Address.keyTable.keys.map(\.name) == ["city", "zip", "isForeign"])
    let order = Order()
    #expect(throws: KVError.self) { try order.setValue(1, forKey: "id") }
    #expect(throws: KVError.self) { try order.setValue("x", forKey: "state") }
    try order.setValue(3, forKey: "number")
    #expect(order.number == 3)
  }

  @Test("MOD.1: a struct becomes key-value coding")
  func structs() throws {
    var address = Address()
    try address.setValue("Paris", forKey: "city")
    try address.setValue("75001", forKeyPath: "zip")
    #expect(try address.value(forKey: "isForeign", as: Bool.self))
    #expect(address.zip == "75001")
  }

  @Test("MOD.2: every change of a stored property notifies, made in Swift or by key")
  func notifications() throws {
    let order = Order()
    #expect(
      try changes(of: order, "number", "comment", "clerk", "state") {
        order.number = 2
        try order.setValue(3, forKey: "number")
        order.comment = "x"
        order.comment = nil
        order.finish()
        order.clerk = order
        order.clerk = nil
      }.map { $0.hasPrefix("clerk") && !$0.hasSuffix("nil") ? "clerk set" : $0 } == [
        "number 2", "number 3", "comment x", "comment nil", "state done", "clerk set", "clerk nil",
      ])
  }

  @Test("MOD.2: a weak property is weak")
  func weakness() throws {
    let order = Order()
    do {
      let clerk = Order()
      order.clerk = clerk
      #expect(order.clerk === clerk)
    }
    #expect(order.clerk == nil)
  }

  @Test("MOD.2: willSet and didSet run as in plain Swift, once, and observers see what they made of the value")
  func propertyObservers() throws {
    let gauge = Gauge()
    gauge.level = 3
    #expect(gauge.log == ["will 0 3", "did 0 3"])
    gauge.log = []
    #expect(
      try changes(of: gauge, "level", "limit") {
        gauge.level = 30
        gauge.level += 1
        gauge.limit = 4
      } == ["level 10", "limit 20", "level 10", "limit 20", "level 2", "limit 4"])
    #expect(
      gauge.log == [
        "will 3 30", "did 3 30", "will 10 11", "did 10 11", "will 10 2", "did 10 2",
      ])
    gauge.log = []
    gauge.peer = gauge
    #expect(gauge.log == ["peer false"])
  }

  @Test("MOD.2: an observer that runs before a change sees the old value, and the one after it both")
  func prior() throws {
    let order = Order()
    var seen: [String] = []
    let token = try order.observe("number", options: [.prior, .old, .new]) { change in
      seen.append("\(change.isPrior) \(change.old ?? "-") \(change.new ?? "-") \(order.number)")
    }
    order.number = 5
    order.number += 1
    token.cancel()
    #expect(seen == ["true 1 - 1", "false 1 5 5", "true 5 - 5", "false 5 6 6"])
  }

  @Test("MOD.3: a change in place happens in place and notifies once")
  func inPlace() throws {
    let order = Order()
    order.lines.reserveCapacity(100)
    order.lines.append(Line(title: "a", price: 1))
    let address = order.lines.withUnsafeBufferPointer { $0.baseAddress }
    var count = 0
    let token = try order.observe("lines", options: []) { _ in count += 1 }
    order.lines.append(Line(title: "b", price: 2))
    order.lines[0].title = "c"
    order.lines.swapAt(0, 1)
    #expect(count == 3)
    token.cancel()
    order.lines.append(Line())
    #expect(order.lines.withUnsafeBufferPointer { $0.baseAddress } == address)
    let view = order.mutableArray(forKey: "lines")
    try view.append(Line(title: "d"))
    #expect(order.lines.withUnsafeBufferPointer { $0.baseAddress } == address)
    order.notes["x"] = 1
    #expect(order.notes == ["x": 1])
  }

  @Test("MOD.4: a computed property depends on what its getter mentions, also through private ones")
  func dependencies() throws {
    let order = Order()
    #expect(
      try changes(of: order, "gross", "revealed") {
        order.lines = [Line(title: "a", price: 10)]
        order.discount = 0.5
        order.finish()
        order.number = 9
      } == ["gross 10.0", "gross 5.0", "revealed 6"])
    let dog = Dog()
    #expect(
      try changes(of: dog, "full", "label") {
        dog.breed = "pug"
        dog.name = "rex"
      }.sorted() == ["full pug animal", "full pug rex", "label <rex>"])
    expectCompliant { Order() }
  }

  @Test("MOD.5: options of a key: alias, lenient, metadata, validator, to-many methods")
  func options() throws {
    let order = Order()
    try order.setValue("0.25", forKey: "rebate")
    #expect(order.discount == 0.25)
    #expect(Order.keyTable.keys.first { $0.name == "discount" }?.metadata["unit"] as? String == "percent")
    guard case .replaced(let code) = try order.validate("", forKeyPath: "code") else {
      Issue.record("the validator replaces no empty code")
      return
    }
    #expect(code as? String == "none 1")
    #expect(throws: (any Error).self) { try order.validate("?", forKeyPath: "code") }
    let shelf = Shelf()
    #expect(
      try changes(of: shelf, "books") {
        try shelf.mutableArray(forKey: "books").append("a")
        try shelf.mutableArray(forKey: "books").remove(at: 0)
      }.count == 2)
    try shelf.mutableSet(forKey: "tags").add("x")
    #expect(shelf.calls == ["insert", "remove", "add"])
  }

  @Test("MOD.6: lines by hand join the generated ones, and a table by hand replaces them")
  func byHand() throws {
    let mixed = Mixed()
    #expect(try changes(of: mixed, "full") { mixed.first = "x" } == ["full xb"])
    let handmade = Handmade()
    #expect(
      try changes(of: handmade, "first") {
        handmade.first = "x"
        try handmade.setValue("y", forKey: "first")
      } == ["first x", "first y"])
    #expect(throws: KVError.self) { try handmade.observe("last") { _ in } }
    #expect(Handmade.keyTable.keys.map(\.name) == ["first"])
  }

  @Test("MOD.1: subclasses, generic, nested and root classes are models")
  func kinds() throws {
    let box = Box("a")
    #expect(
      try changes(of: box, "content", "doubled") {
        box.content = "b"
        box.count = 2
      } == ["content b", "doubled 4"])
    let other = Box([1])
    #expect(try changes(of: other, "content") { other.content.append(2) } == ["content [1, 2]"])
    let crate = LabeledCrate<Int>()
    #expect(
      try changes(of: crate, "content", "label", "title") {
        crate.content = [1]
        crate.label = "a"
      } == ["content [1]", "title  1", "label a", "title a 1"])
    let cat = Cat()
    #expect(try changes(of: cat, "label") { cat.name = "tom" } == ["label <tom>"])
    let root = Root()
    root.next = Root()
    #expect(try changes(of: root, "next.value") { root.next?.value = 5 } == ["next.value 5"])
    let open = OpenRoot()
    #expect(try changes(of: open, "value") { open.value = 5 } == ["value 5"])
    let nested = Namespace.Nested()
    #expect(
      try changes(of: nested, "sum") {
        nested.default = 5
        nested.setInner(1)
      } == ["sum 7", "sum 6"])
  }

  @Test("MOD.1: models of the main actor are models") @MainActor
  func mainActor() throws {
    let panel = Panel()
    #expect(
      try changes(of: panel, "caption") {
        panel.title = "A"
        panel.isOpen = true
      } == ["caption closed", "caption A"])
    try panel.setValue("B", forKey: "title")
    #expect(panel.title == "B")
  }
}
