import Foundation
import KVControllers
import KVCore
import TestModels
import Testing

@Suite struct StoreControllerTests {
  /// A store that counts its writes, and refuses some.
  private final class Shelf: KVKeyValueStore {
    var stored: [String: Any] = [:]
    var writes: [String] = []

    func storedValue(forKey key: String) -> Any? { stored[key] }

    func setStoredValue(_ value: Any?, forKey key: String) throws(KVError) {
      if key == "bad" { throw KVError(.invalidValue, "the shelf has no place for it") }
      writes.append("\(key)=\(value ?? "nil")")
      stored[key] = (value as? String)?.uppercased() ?? value
    }
  }

  private final class Order: KVObject {
    @KVProperty var name = "a"
    @KVProperty var count = 1
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("name", \.name)
        key("count", \.count)
      }
    }
  }

  private final class Label: KVObject {
    @KVProperty var text: String? = ""
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Label.self) { key in key("text", \.text) }
    }
  }

  @Test("TRC.8: the values have the keys of the store, and initial values where it has none")
  func values() throws {
    let shelf = Shelf()
    shelf.stored["theme"] = "DARK"
    let settings = KVStoreController(shelf, initialValues: ["size": 12])
    #expect(settings.values.theme as? String == "DARK" && settings.values["size"] as? Int == 12)
    #expect(settings.values.other == nil)
    try settings.setValue(14, forKeyPath: "values.size")
    #expect(shelf.writes == ["size=14"] && settings.values.size as? Int == 14)
    settings.values.size = nil
    #expect(shelf.stored["size"] == nil && settings.values.size as? Int == 12)
  }

  @Test("TRC.8, BND.1: a key that is not known in advance is bound")
  func binding() throws {
    let settings = KVStoreController(Shelf(), initialValues: ["theme": "light"])
    let (label, other) = (Label(), Label())
    let binding = try label.bind("text", to: "values.theme", of: settings, options: .twoWay)
    _ = try other.bind("text", to: "values.theme", of: settings)
    #expect(label.text == "light" && other.text == "light")
    label.text = "dark"
    #expect(settings.values.theme as? String == "DARK" && other.text == "DARK" && label.text == "DARK")
    #expect(binding.lastError == nil)
    settings.initialValues = ["theme": "x"]
    #expect(label.text == "DARK")
    settings.values.theme = nil
    #expect(label.text == "x" && other.text == "x")
  }

  @Test("TRC.9: without appliesImmediately, values wait until they are saved or discarded")
  func waiting() throws {
    let shelf = Shelf()
    let form = KVStoreController(shelf, appliesImmediately: false)
    var states: [Bool?] = []
    let token = try form.observe("hasUnappliedChanges") { states.append($0.new as? Bool) }
    var texts: [String] = []
    let observer = try form.observe("values.a", options: [.old, .new]) {
      texts.append("\($0.old ?? "nil")>\($0.new ?? "nil")")
    }
    form.values.a = "one"
    form.values.b = 2
    #expect(shelf.writes.isEmpty && form.hasUnappliedChanges && form.values.a as? String == "one")
    try form.save()
    #expect(shelf.writes == ["a=one", "b=2"] && !form.hasUnappliedChanges)
    #expect(form.values.a as? String == "ONE" && texts == ["nil>one", "one>ONE"])
    form.values.a = "two"
    form.values.a = "ONE"
    #expect(!form.hasUnappliedChanges)
    form.values.a = "three"
    try form.revert()
    #expect(shelf.writes.count == 2 && form.values.a as? String == "ONE")
    #expect(texts.suffix(2) == ["ONE>three", "three>ONE"])
    #expect(states == [true, false, true, false, true, false])
    token.cancel()
    observer.cancel()
  }

  @Test("TRC.9: what the store does not take stays unapplied, and nothing else is lost")
  func refused() throws {
    let shelf = Shelf()
    let form = KVStoreController(shelf, appliesImmediately: false)
    (form.values.a, form.values.bad, form.values.c) = ("1", 2, "3")
    let error = #expect(throws: KVError.self) { try form.save() }
    #expect(error?.code == .invalidValue && error?.keyPath == "values.bad")
    #expect(shelf.writes == ["a=1", "c=3"] && form.hasUnappliedChanges && form.values.bad as? Int == 2)
    form.values.bad = nil
    #expect(!form.hasUnappliedChanges)
    form.appliesImmediately = true
    #expect(throws: KVError.self) { try form.setValue(1, forKeyPath: "values.bad") }
    let events = capturingEvents { form.values.bad = 1 }
    #expect(form.values.bad == nil && events.about(form.values).count == 1)
  }

  @Test("TRC.9: a value that a handler sets while others are saved stays unapplied")
  func setWhileSaving() throws {
    let order = Order()
    let form = KVStoreController(of: order, appliesImmediately: false)
    form.values.name = "new"
    let token = try order.observe("name") { [form] _ in form.values.name = "later" }
    try form.save()
    #expect(order.name == "new" && form.values.name as? String == "later" && form.hasUnappliedChanges)
    token.cancel()
    try form.save()
    #expect(order.name == "later" && !form.hasUnappliedChanges)
  }

  @Test("TRC.9: initial values are restored")
  func initial() throws {
    let shelf = Shelf()
    shelf.stored = ["theme": "DARK", "other": 1]
    let settings = KVStoreController(shelf, initialValues: ["theme": "LIGHT", "size": 12])
    var new: Any?
    let token = try settings.observe("values.theme") { new = $0.new }
    try settings.revertToInitialValues()
    #expect(new as? String == "LIGHT" && shelf.stored["size"] as? Int == 12 && shelf.stored["other"] as? Int == 1)
    token.cancel()
  }

  @Test("TRC.8: any object with keys is a store, and what others change of it is shown unless a value hides it")
  func object() throws {
    let order = Order()
    let form = KVStoreController(of: order, appliesImmediately: false)
    let label = Label()
    _ = try label.bind("text", to: "values.name", of: form, options: .twoWay)
    order.name = "b"
    #expect(label.text == "b")
    label.text = "mine"
    order.name = "theirs"
    #expect(label.text == "mine" && order.name == "theirs")
    try form.revert()
    #expect(label.text == "theirs")
    label.text = "mine"
    form.values.count = "many"
    let error = #expect(throws: KVError.self) { try form.save() }
    #expect(error?.code == .typeMismatch && order.name == "mine" && order.count == 1)
    form.values.count = 7
    try form.save()
    #expect(order.count == 7)
  }

  @Test("TRC.8: a dictionary is a store")
  func dictionary() throws {
    let settings = try KVStoreController(["theme": "dark"], initialValues: ["size": 1])
    #expect(settings.values.theme as? String == "dark" && settings.values.size as? Int == 1)
    try settings.setValue("light", forKeyPath: "values.theme")
    #expect(try settings.store.storedValue(forKey: "theme") as? String == "light")
  }

  @Test("TRC.9, EDT.3: an edit that waits for its commit is saved, or discarded")
  func commit() throws {
    let order = Order()
    let form = KVStoreController(of: order, appliesImmediately: false)
    let label = Label()
    _ = try label.bind("text", to: "values.name", of: form, options: .init(.twoWay, trigger: .onCommit))
    label.text = "typed"
    #expect(form.isEditing && order.name == "a")
    try form.save()
    #expect(!form.isEditing && order.name == "typed")
    label.text = "again"
    try form.revert()
    #expect(label.text == "typed" && order.name == "typed" && !form.isEditing)
  }

  @Test("TRC.8, TRC.9: the defaults of a user are a store, whose changes in this process are shown")
  func defaults() throws {
    let name = "swift-key-value-tests-\(UUID().uuidString)"
    let defaults = try #require(UserDefaults(suiteName: name))
    defer { defaults.removePersistentDomain(forName: name) }
    let settings = KVStoreController(defaults, initialValues: ["theme": "light"])
    let label = Label()
    _ = try label.bind("text", to: "values.theme", of: settings, options: .twoWay)
    #expect(label.text == "light")
    label.text = "dark"
    #expect(defaults.string(forKey: "theme") == "dark")
    defaults.set("blue", forKey: "theme")
    // Foundation on Linux posts it never, Apple's always.
    NotificationCenter.default.post(name: UserDefaults.didChangeNotification, object: defaults)
    #expect(label.text == "blue")
    settings.values.count = 3
    #expect(defaults.integer(forKey: "count") == 3 && settings.values.count as? Int == 3)
    settings.values.list = ["a", 1, ["k": true]] as [Any]
    #expect((settings.values.list as? [Any])?.count == 3)
    let error = #expect(throws: KVError.self) { try settings.setValue(Label(), forKeyPath: "values.label") }
    #expect(error?.code == .invalidValue && error?.message.contains("property") == false)
    try settings.revertToInitialValues()
    #expect(label.text == "light")
  }

  @Test("TRC.8: LIF the values of a controller that has ended are an error")
  func ended() throws {
    var settings: KVStoreController? = KVStoreController(Shelf())
    let values = try #require(settings?.values)
    weak let weakSettings = settings
    settings = nil
    #expect(weakSettings == nil && values.theme == nil)
    let error = #expect(throws: KVError.self) { try values.setValue(1, forKey: "theme") }
    #expect(error?.code == .unresolvedPath)
  }
}
