import Foundation
import KVBinding
import Testing

/// The code of Docs/Models.md.
@Suite struct ModelsGuideTests {
  final class Person: KVObject {
    @KVProperty var name = "Ada"
    @KVProperty var friends: [Person] = []
    var age = 36
    var initial: String { String(name.prefix(1)) }
    private weak var storedBoss: Person?
    var boss: Person? {
      get { storedBoss }
      set { withChange(forKey: "boss") { storedBoss = newValue } }
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Person.self) { key in
        key("name", \.name)
        key("friends", \.friends)
        key("age", \.age)
        key("initial", \.initial).affected(by: "name")
        key("boss", \.boss).notifiesManually()
      }
    }
  }

  final class Server: KVObject {
    var rate = 1.0
    var port = 80
    var note: String?
    let id = 7

    func open(_ port: Int) throws {
      if port < 0 { throw CocoaError(.fileNoSuchFile) }
      self.port = port
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Server.self) { key in
        key("rate", \.rate).alias("interest").lenient().metadata("unit", "percent")
        key("double") { server in server.port * 2 }
        key("note", { $0.note ?? "" }, set: { $0.note = $1 })
        key("port", { $0.port }, set: { server, port in try server.open(port) })
        key("id", \.id).readOnly()
      }
    }
  }

  struct Address: KeyValueCoding {
    var city = "London"
    static var keyTable: KVTable { KVTable(Address.self) { key in key("city", \.city) } }
  }

  final class Customer: KVObject {
    @KVProperty var address = Address()
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Customer.self) { key in key("address", \.address) }
    }
  }

  final class Download: Operation, KVObservable, @unchecked Sendable {  // guard: used by one thread
    let registrarSlot = KVRegistrarSlot()
    @KVProperty var progress = 0.0

    static var keyTable: KVTable { KVTable(Download.self) { key in key("progress", \.progress) } }
  }

  @MainActor final class Panel: KVObject {
    @KVProperty var title = ""

    nonisolated override class var keyTable: KVTable {
      super.keyTable.extended(for: Panel.self) { @MainActor key in key("title", \.title) }
    }
  }

  private func count(_ object: some KVObservable, _ path: String, _ body: () throws -> Void) throws -> Int {
    var count = 0
    let token = try object.observe(path) { _ in count += 1 }
    try body()
    token.cancel()
    return count
  }

  @Test("TAB.1, KVO.14, KVO.15: what notifies, line by line")
  func notifications() throws {
    let (person, other) = (Person(), Person())
    #expect(try count(person, "initial") { person.name = "Grace" } == 1)
    #expect(
      try count(person, "age") {
        person.age = 37
        try person.setValue(38, forKey: "age")
      } == 1)
    #expect(
      try count(person, "boss") {
        person.boss = other
        try person.setValue(nil, forKey: "boss")
      } == 2)
    let friends = person.mutableArray(forKey: "friends")
    try friends.append(other)
    try friends.append(Person())
    try friends.move(from: 0, to: 1)
    #expect(friends.count == 2 && person.friends[1] === other)
  }

  @Test("TAB.1, TAB.4, TAB.10: lines, structs and other superclasses")
  func lines() throws {
    let server = Server()
    try server.setValue("2.5", forKey: "interest")
    #expect(server.rate == 2.5)
    #expect(throws: KVError.self) { try server.setValue(-1, forKey: "port") }
    #expect(throws: KVError.self) { try server.setValue(1, forKey: "id") }
    try server.setValue("x", forKey: "note")
    #expect(try server.value(forKey: "double", as: Int.self) == 160)
    let customer = Customer()
    #expect(try count(customer, "address.city") { try customer.setValue("Paris", forKeyPath: "address.city") } == 1)
    let download = Download()
    #expect(try count(download, "progress") { download.progress = 1 } == 1)
  }

  @Test("THR.3: a model of the main actor") @MainActor
  func mainActor() throws {
    let panel = Panel()
    #expect(try count(panel, "title") { try panel.setValue("x", forKey: "title") } == 1)
  }
}
