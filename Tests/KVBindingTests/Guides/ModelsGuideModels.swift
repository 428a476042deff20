import Foundation
import KVBinding
import Observation
import Synchronization

extension ModelsGuideTests {
  @KVModel final class Person: KVObject {
    var name = "Ada"
    var friends: [Person] = []
    weak var boss: Person?
    var initial: String { String(name.prefix(1)) }
  }

  @KVModel final class Buyer: KVObject {
    var name: String

    init(_ name: String) { self.name = name }
  }

  @KVModel final class Order: KVObject {
    var customer = Customer()
    var items: [Item] = []
    var total: Double { items.reduce(0) { $0 + $1.price } }
    var parcels: [Parcel] = []
    var label: String { "\(customer.name): \(total)" }
    @KVKey(.affected(by: "parcels.@sum.weight")) var weight: Int { parcels.reduce(0) { $0 + $1.weight } }
    @KVKey(.independent) var summary: String { "\(items.count) items at \(Date.now)" }
  }

  @KVModel final class Parcel: KVObject {
    var weight = 1
  }

  @KVModel struct Customer {
    var name = "Ada"
    var address = Address()
  }

  @KVModel struct Address {
    var city = "London"
  }

  struct Item: Codable, Equatable {
    var price = 1.0
  }

  @KVModel final class Server: KVObject {
    @KVKey(.lenient, .alias("interest"), .metadata("unit", "percent")) var rate = 1.0
    @KVKey("nick", .readOnly) var note = ""
    @KVKey(.validated(by: checkPort)) var port = 80
    @KVKey private var secret = 1
    @KVIgnored var cache: [String: Int] = [:]

    func checkPort(_ port: Int) throws -> KVValidation { port < 0 ? .replaced(with: 80) : .valid }

    static func furtherKeys(_ key: KVObjectKeys<Server>) {
      key("double") { server in server.port * 2 }.affected(by: "port")
    }
  }

  @KVModel final class Shelf: KVObject {
    @KVKey(.indexed(insert: insert(_:at:), remove: remove(at:))) var books: [String] = []
    func insert(_ book: String, at index: Int) { books.insert(book, at: index) }
    func remove(at index: Int) { books.remove(at: index) }
  }

  @KVModel final class Thermometer: KVObject {
    private var kelvin = 293.15
    var celsius: Double {
      get { kelvin - 273.15 }
      set { kelvin = max(0, newValue + 273.15) }
    }
    var level = 0 { didSet { if level > 10 { level = 10 } } }
  }

  @KVModel class Box<Content>: KVObject {
    var content: Content
    init(_ content: Content) { self.content = content }
  }

  @KVModel final class Crate: Box<[Int]> {
    var lid = ""
    override var content: [Int] { didSet { lid = "\(content.count)" } }
    var label: String { lid }
  }

  final class Plain: Box<Int> {
    var own = 1
  }

  @KVModel(.root) final class Download: Operation, @unchecked Sendable {  // guard: used by one thread
    var progress = 0.0
  }

  @MainActor @KVModel final class Panel: KVObject {
    var title = ""
  }

  @KVModel final class Counter: KVObject, @unchecked Sendable {  // guard: `storage` is locked
    @KVIgnored private let storage = Mutex(0)
    @KVKey(.notifiesManually) var count: Int {
      get { storage.withLock { $0 } }
      set { withChange(forKey: "count") { storage.withLock { $0 = newValue } } }
    }
  }

  @KVModel final class Note: KVObject, Codable {
    var text = ""
    @KVKey("items") var lines: [Item] = []
    let version = 1
    @KVIgnored var cache = 0
    lazy var words = text.count
    #if DEBUG
      var trace: String?
    #endif

    enum Kind { case short }
  }

  @KVModel final class Draft: KVObject, Encodable {
    var text = ""
    private enum CodingKeys: String, CodingKey { case _text = "body" }
  }

  @KVModel(.observation) final class Cart: KVObject, Observable {
    var items: [Item] = []
    var total: Double { items.reduce(0) { $0 + $1.price } }
  }

  final class Pet: KVObject {
    @KVProperty var name = "Rex"
    var age = 3
    var label: String { "<\(name)>" }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Pet.self) { key in
        key("name", \.name)
        key("age", \.age)
        key("label", \.label).affected(by: "name")
      }
    }
  }

  final class Hub: KVObject {
    var rate = 1.0
    var port = 80
    var note: String?
    let id = 7

    func open(_ port: Int) throws {
      if port < 0 { throw CocoaError(.fileNoSuchFile) }
      self.port = port
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Hub.self) { key in
        key("rate", \.rate).alias("interest").lenient().metadata("unit", "percent")
        key("double") { server in server.port * 2 }.affected(by: "port")
        key("note", { $0.note ?? "" }, set: { $0.note = $1 })
        key("port", { $0.port }, set: { server, port in try server.open(port) })
        key("id", \.id).readOnly()
      }
    }
  }

  final class Puppy: KVObject {
    private weak var storedBoss: Person?
    var boss: Person? {
      get { storedBoss }
      set { withChange(forKey: "boss") { storedBoss = newValue } }
    }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Puppy.self) { key in key("boss", \.boss).notifiesManually() }
    }
  }

  /// By hand what `@KVModel(.root)` and `@MainActor @KVModel` write.
  final class Upload: Operation, KVObservable, @unchecked Sendable {  // guard: used by one thread
    let registrarSlot = KVRegistrarSlot()
    @KVProperty var progress = 0.0
    static var keyTable: KVTable { KVTable(Upload.self) { key in key("progress", \.progress) } }
  }

  @MainActor final class Window: KVObject {
    @KVProperty var title = ""
    nonisolated override class var keyTable: KVTable {
      super.keyTable.extended(for: Window.self) { @MainActor key in key("title", \.title) }
    }
  }
}
