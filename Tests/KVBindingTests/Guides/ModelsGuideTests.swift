import Foundation
import KVBinding
import Observation
import Synchronization
import TestModels
import Testing

/// The code of Docs/Models.md.
@Suite struct ModelsGuideTests {
  private func count(_ object: some KVObservable, _ path: String, _ body: () throws -> Void) throws -> Int {
    var count = 0
    let token = try object.observe(path) { _ in count += 1 }
    try body()
    token.cancel()
    return count
  }

  @Test("MOD.1, MOD.2: every key of a model notifies, in Swift and by key")
  func models() throws {
    let (person, other) = (Person(), Person())
    var seen: [String] = []
    let token = try person.observe("initial") { change in seen.append("\(change.old ?? "-") → \(change.new ?? "-")") }
    person.name = "Grace"
    try person.setValue("Barbara", forKey: "name")
    token.cancel()
    #expect(seen == ["A → G", "G → B"])
    #expect(
      try count(person, "boss") {
        person.boss = other
        try person.setValue(nil, forKey: "boss")
      } == 2)
    #expect(try count(person, "friends") { person.friends.append(other) } == 1)
    let friends = person.mutableArray(forKey: "friends")
    try friends.append(contentsOf: [Person(), Person()])
    try friends.move(from: 0, to: 2)
    #expect(friends.count == 3 && person.friends[2] === other)
    let buyer = Buyer("Ada")
    #expect(try count(buyer, "name") { buyer.name = "Bea" } == 1)
    let shelf = Shelf()
    #expect(try count(shelf, "books") { try shelf.mutableArray(forKey: "books").append("Dune") } == 1)
    #expect(shelf.books == ["Dune"])
  }

  @Test("MOD.4: computed properties depend on what they mention, or on what is said")
  func dependencies() throws {
    let order = Order()
    #expect(try count(order, "total") { order.items = [Item()] } == 1)
    #expect(
      try count(order, "label") {
        order.customer.name = "Bea"
        try order.setValue("Cid", forKeyPath: "customer.name")
        order.items = []
      } == 3)
    order.parcels = [Parcel()]
    #expect(try count(order, "weight") { order.parcels[0].weight = 2 } == 1)
    #expect(
      try count(order, "customer.address.city") {
        try order.setValue("Paris", forKeyPath: "customer.address.city")
      } == 1)
    #expect(throws: KVError.self) { try order.observe("summary") { _ in } }
  }

  @Test("MOD.5, MOD.6: options of keys, and lines by hand")
  func options() throws {
    let server = Server()
    try server.setValue("2.5", forKey: "interest")
    #expect(server.rate == 2.5)
    #expect(throws: KVError.self) { try server.setValue("x", forKey: "nick") }
    guard case .replaced(let port) = try server.validate(-1, forKeyPath: "port") else {
      Issue.record("not replaced")
      return
    }
    #expect(port as? Int == 80)
    server.port = -1
    #expect(try server.value(forKey: "double", as: Int.self) == -2)
    #expect(try server.value(forKey: "secret", as: Int.self) == 1)
    #expect(throws: KVError.self) { try server.observe("cache") { _ in } }
    #expect(try count(server, "double") { server.port = 81 } == 1)
  }

  @Test("MOD.2: setters, didSet, subclasses, generic classes and other superclasses")
  func kinds() throws {
    let thermometer = Thermometer()
    #expect(try count(thermometer, "celsius") { thermometer.celsius = -300 } == 1)
    #expect(thermometer.celsius == -273.15)
    #expect(try count(thermometer, "level") { thermometer.level = 20 } == 1)
    #expect(thermometer.level == 10)
    let crate = Crate([])
    #expect(try count(crate, "label") { try crate.setValue([1, 2], forKey: "content") } == 1)
    #expect(crate.lid == "2")
    #expect(try count(crate, "content") { crate.content.append(3) } == 1)
    let plain = Plain(1)
    #expect(try count(plain, "content") { plain.content = 2 } == 1)
    #expect(throws: KVError.self) { try plain.observe("own") { _ in } }
    let download = Download()
    #expect(try count(download, "progress") { download.progress = 1 } == 1)
    let counter = Counter()
    #expect(
      try count(counter, "count") {
        counter.count = 1
        try counter.setValue(2, forKey: "count")
      } == 2)
  }

  @Test("MOD.2: a model is Codable by the names of its properties")
  func codable() throws {
    let note = Note()
    note.text = "a"
    note.lines = [Item(price: 2)]
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let data = try encoder.encode(note)
    #expect(
      String(decoding: data, as: UTF8.self) == #"{"cache":0,"lines":[{"price":2}],"text":"a","version":1}"#)
    let decoded = try JSONDecoder().decode(Note.self, from: data)
    #expect(decoded.text == "a" && decoded.lines == [Item(price: 2)])
    #expect(try count(decoded, "items") { decoded.lines = [] } == 1)
    #expect(String(decoding: try encoder.encode(Draft()), as: UTF8.self) == #"{"body":""}"#)
  }

  @Test("OBV.1: a model takes part in Observation")
  func observation() throws {
    let cart = Cart()
    let isChanged = Atomic(false)
    withObservationTracking {
      _ = cart.total
    } onChange: {
      isChanged.store(true, ordering: .relaxed)
    }
    cart.items.append(Item())
    let wasChanged = isChanged.load(ordering: .relaxed)
    #expect(wasChanged)
  }

  @Test("TAB.1, TAB.4, TAB.10, KVO.14: tables by hand, line by line")
  func tables() throws {
    let pet = Pet()
    #expect(try count(pet, "label") { pet.name = "Bo" } == 1)
    #expect(
      try count(pet, "age") {
        pet.age = 37
        try pet.setValue(38, forKey: "age")
      } == 1)
    let hub = Hub()
    try hub.setValue("2.5", forKey: "interest")
    #expect(hub.rate == 2.5)
    #expect(throws: KVError.self) { try hub.setValue(-1, forKey: "port") }
    #expect(throws: KVError.self) { try hub.setValue(1, forKey: "id") }
    try hub.setValue("x", forKey: "note")
    #expect(try hub.value(forKey: "double", as: Int.self) == 160)
    let (puppy, boss) = (Puppy(), Person())
    #expect(
      try count(puppy, "boss") {
        puppy.boss = boss
        try puppy.setValue(nil, forKey: "boss")
      } == 2)
    let upload = Upload()
    #expect(try count(upload, "progress") { upload.progress = 1 } == 1)
  }

  @Test("THR.3: models of the main actor") @MainActor
  func mainActor() throws {
    let (panel, window) = (Panel(), Window())
    #expect(try count(panel, "title") { try panel.setValue("x", forKey: "title") } == 1)
    #expect(try count(window, "title") { try window.setValue("x", forKey: "title") } == 1)
  }
}
