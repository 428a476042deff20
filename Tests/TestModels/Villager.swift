import KVBinding
import KVCore

/// A person of a village: objects, values and collections of every kind below one root.
open class Villager: KVObject {
  @KVProperty package var name: String?
  @KVProperty package var age = 0
  @KVProperty package var next: Villager?
  @KVProperty package var kids: [Villager] = []
  @KVProperty package var pupils: [Villager]?
  @KVProperty package var friends: Set<Villager> = []
  @KVProperty package var rows: [String] = []
  @KVProperty package var tags: Set<String> = []
  @KVProperty package var scores: [String: Int] = [:]
  @KVProperty package var home = VillageHome()
  @KVProperty package var post: VillagePost?
  @KVProperty package var anything: Any?
  /// Tells of writes by key alone.
  package var plain = "plain"
  /// Tells nobody of anything, but for what stands behind it.
  package var hidden: Villager?
  /// Tells nobody of anything.
  package var silent = 0

  package init(_ name: String? = nil, age: Int = 0, next: Villager? = nil) {
    self.name = name
    self.age = age
    self.next = next
  }

  public override class var keyTable: KVTable {
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
  /// Whether they are the same person.
  public static func == (left: Villager, right: Villager) -> Bool { left === right }
  /// Hashes the identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A value in an object.
package struct VillageHome: KeyValueCoding, Equatable {
  package var city = "Ur"
  package var street = VillageStreet()

  package init(city: String = "Ur", street: VillageStreet = VillageStreet()) {
    (self.city, self.street) = (city, street)
  }

  package static var keyTable: KVTable {
    KVTable(VillageHome.self) { key in
      key("city", \.city)
      key("street", \.street)
    }
  }
}

/// A value in that value.
package struct VillageStreet: KeyValueCoding, Equatable {
  package var number = 1
  package var lines: [String] = ["a"]

  package init(number: Int = 1, lines: [String] = ["a"]) { (self.number, self.lines) = (number, lines) }

  package static var keyTable: KVTable {
    KVTable(VillageStreet.self) { key in
      key("number", \.number)
      key("lines", \.lines)
    }
  }
}

/// A value that leads to an object.
package struct VillagePost {
  package var title = "mayor"
  package var holder: Villager?

  package init(title: String = "mayor", holder: Villager? = nil) { (self.title, self.holder) = (title, holder) }
}
