import KVTestSupport
import Testing

/// The models besides the person: each key is read, written and heard.
struct ShopTests {
  private var received = ThreadLog()

  private func record(_ object: some KVObservable, _ keys: String...) throws -> [KVObservation] {
    try keys.map { key in
      try object.observe(key) { [received] in received.add("\($0)") }
    }
  }

  @Test("TST.3: the sum of an order follows its items and its discount")
  func order() throws {
    let order = KVFixtures.Order.sample()
    #expect(order.customer?.name == "Ada")
    #expect(try order.value(forKeyPath: "items.title", as: [String].self) == ["tea", "cup"])
    let tokens = try record(order, "number", "customer.name", "items[0].price", "discount", "total")
    #expect(order.total == 22.5)
    try order.setValue(5.5, forKeyPath: "items[0].price")
    try order.setValue(3.5, forKey: "discount")
    order.items.removeLast()
    order.number = 1816
    order.customer = KVFixtures.Person("Grace")
    #expect(
      received.take() == [
        "items[0].price: setting 4.5 → 5.5", "total: setting 22.5 → 23.5", "discount: setting 0.0 → 3.5",
        "total: setting 23.5 → 20.0", "items[0].price: setting 5.5 → 5.5", "total: setting 20.0 → 2.0",
        "number: setting 1815 → 1816", "customer.name: setting \"Ada\" → \"Grace\"",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("TST.3: each key of an item is written through the order")
  func item() throws {
    let order = KVFixtures.Order.sample()
    try order.setValue("pot", forKeyPath: "items[1].title")
    try order.setValue(3, forKeyPath: "items[1].amount")
    #expect(order.items[1] == KVFixtures.Item("pot", price: 9, amount: 3))
    #expect(try order.value(forKeyPath: "items[1].cost", as: Double.self) == 27)
    let error = #expect(throws: KVError.self) { try order.setValue(1, forKeyPath: "items[1].cost") }
    #expect(error?.code == .notSettable)
  }

  @Test("TST.3: an observable class that is no KVObject is observed like one")
  func download() throws {
    let download = KVFixtures.Download()
    let tokens = try record(download, "address", "progress", "isDone")
    download.progress = 1
    try download.setValue("example.com", forKey: "address")
    #expect(try download.value(forKey: "isDone", as: Bool.self))
    #expect(
      received.take() == [
        "progress: setting 0.0 → 1.0", "isDone: setting false → true",
        "address: setting \"example.org\" → \"example.com\"",
      ])
    withExtendedLifetime(tokens) {}
  }

  @Test("TST.3: a note can be read, written and be the target of a binding, and not be observed")
  func note() throws {
    let (note, person) = (KVFixtures.Note("text"), KVFixtures.Person.sample())
    #expect((note as Any) is any KVObservable == false)
    try note.setValue(["a", "b"], forKey: "lines")
    #expect(try note.value(forKeyPath: "lines.@count", as: Int.self) == 2)
    try note.bind("text", to: "name", of: person)
    person.name = "Grace"
    #expect(note.text == "Grace")
    let error = #expect(throws: KVError.self) { try note.bind("text", to: "name", of: person, options: .twoWay) }
    #expect(error?.code == .notObservable)
  }

  @Test("TST.3: a control reports what its user does, and leaves nothing behind when the binding ends")
  func slider() throws {
    let (slider, person) = (KVFixtures.Slider(), KVFixtures.Person())
    let options = KVBindingOptions(.twoWay, trigger: .onCommit)
    let live = try slider.bind("value", to: "height", of: person, options: .twoWay)
    #expect(slider.value == 1)
    slider.drag(to: 0.25)
    #expect(person.height == 0.25)
    slider.drag(to: -3)
    #expect(person.height == 0)
    live.cancel()
    #expect(slider.handlers.isEmpty)
    let late = try slider.bind("value", to: "height", of: person, options: options)
    slider.drag(to: 0.75)
    #expect(person.height == 0)
    slider.letGo()
    #expect(person.height == 0.75)
    late.cancel()
    #expect(slider.handlers.isEmpty)
  }

  @Test("TST.3: a tree of panels finds its data, by tag and by identifier")
  func panel() throws {
    let root = KVFixtures.Panel.sample()
    let panels = try #require(root.children as? [KVFixtures.Panel])
    #expect(panels.map(\.treeTag) == [2, 3])
    #expect(panels.map(\.treeIdentifier) == ["title", "detail"])
    try panels[0].bindTo("@superviewWithTag[1].dataObject.name", "text")
    try root.bindTo("@subviewWithRestorationID[detail].dataObject.status", "text")
    let person = KVFixtures.Person()
    (root.dataObject, panels[1].dataObject) = (person, person)
    let tokens = try record(root, "text")
    person.name = "Grace"
    person.status = "old"
    #expect(panels[0].text == "Grace")
    #expect(received.take() == ["text: setting \"new\" → \"old\""])
    withExtendedLifetime(tokens) {}
  }
}
