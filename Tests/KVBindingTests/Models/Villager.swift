import KVBinding
import KVCore

/// A person of a village: objects, values and collections of every kind below one root.
class Villager: KVObject {
  @KVProperty var name: String?
  @KVProperty var age = 0
  @KVProperty var next: Villager?
  @KVProperty var kids: [Villager] = []
  @KVProperty var pupils: [Villager]?
  @KVProperty var friends: Set<Villager> = []
  @KVProperty var rows: [String] = []
  @KVProperty var tags: Set<String> = []
  @KVProperty var scores: [String: Int] = [:]
  @KVProperty var home = VillageHome()
  @KVProperty var post: VillagePost?
  @KVProperty var anything: Any?
  /// Tells of writes by key alone.
  var plain = "plain"
  /// Tells nobody of anything, but for what stands behind it.
  var hidden: Villager?
  /// Tells nobody of anything.
  var silent = 0

  init(_ name: String? = nil, age: Int = 0, next: Villager? = nil) {
    self.name = name
    self.age = age
    self.next = next
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Villager.self) { key in
      key("name", \.name)
      key("age", \.age)
      key("next", \.next)
      key("kids", \.kids)
      key("pupils", \.pupils)
      key("friends", \.friends)
      key("rows", \.rows)
      key("tags", \.tags)
      key("scores", \.scores)
      key("home", \.home)
      key("post", \.post)
      key("anything", \.anything)
      key("plain", \.plain).alias("simple")
      key("shout", { $0.name ?? "" }, set: { $0.name = $1.uppercased() }).affected(by: "name")
    }
  }
}

extension Villager: Hashable {
  static func == (left: Villager, right: Villager) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value in an object.
struct VillageHome: KeyValueCoding, Equatable {
  var city = "Ur"
  var street = VillageStreet()

  static var keyTable: KVTable {
    KVTable(VillageHome.self) { key in
      key("city", \.city)
      key("street", \.street)
    }
  }
}

/// A value in that value.
struct VillageStreet: KeyValueCoding, Equatable {
  var number = 1
  var lines: [String] = ["a"]

  static var keyTable: KVTable {
    KVTable(VillageStreet.self) { key in
      key("number", \.number)
      key("lines", \.lines)
    }
  }
}

/// A value that leads to an object.
struct VillagePost {
  var title = "mayor"
  var holder: Villager?
}
