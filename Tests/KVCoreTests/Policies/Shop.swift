import KVCore

// The models of the tests of policies: what a template may show, beside what it must not.

struct Place: KeyValueCoding {
  var city = "Riga"
  var door = "4711"
  static var keyTable: KVTable {
    KVTable(Place.self) { key in
      key("city", \.city)
      key("door", \.door)
    }
  }
}

class Buyer: KVObject {
  @KVProperty var name = "Ann"
  @KVProperty var balance = 12
  @KVProperty var place = Place()
  @KVProperty var friend: Buyer?
  @KVProperty var friends: [Buyer] = []
  @KVProperty var pair = (1, "two")
  @KVProperty var notes: [String: String] = ["open": "o", "secret": "s"]
  @KVProperty var record = Shop.record()
  @KVProperty var anything: Any?
  private var pin = "1234"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Buyer.self) { key in
      key("name", \.name).alias("title").validated { value in
        guard value != "" else { throw KVError(.custom, "empty") }
        return .valid
      }
      key("balance", \.balance).alias("money")
      key("place", \.place)
      key("friend", \.friend)
      key("friends", \.friends)
      key("pair", \.pair)
      key("notes", \.notes)
      key("record", \.record)
      key("anything", \.anything)
      key("summary") { "\($0.name) has \($0.balance)" }
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? {
    key == "hooked" ? "by the hook" : try super.value(forUndefinedKey: key)
  }

  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) {
    if key == "hooked" { name = "set by the hook" } else { try super.setValue(value, forUndefinedKey: key) }
  }
}

final class Member: Buyer {
  @KVProperty var discount = 5
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Member.self) { key in key("discount", \.discount) }
  }
}

/// A class that the policy has no rule for.
final class Treasure: KVObject {
  @KVProperty var name = "gold"
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Treasure.self) { key in key("name", \.name) }
  }
}

enum Shop {
  /// A policy under which names can be read and written, friends read, and balances not reached.
  static func policy() throws -> KVPolicy {
    var policy = KVPolicy("templates")
    try policy.allow(
      Buyer.self, keys: ["name", "place", "friend", "friends", "pair", "notes", "record", "anything", "summary"],
      writing: ["name"])
    try policy.allow(Place.self, keys: ["city"], writing: ["city"])
    try policy.allow([String: String].self, keys: ["open"])
    try policy.allow(KVRecord.self, keys: ["open"])
    return policy
  }

  static func record() -> KVRecord {
    let record = KVRecord()
    (record["open"], record["secret"]) = (1, 2)
    return record
  }

  static func buyer() -> Buyer {
    let buyer = Buyer()
    buyer.friend = Buyer()
    buyer.friend?.friend = Buyer()
    buyer.friend?.friend?.friend = Buyer()
    buyer.friends = [Buyer(), Member()]
    buyer.anything = ["a": 1] as [String: Any]
    return buyer
  }

  /// Paths that lead round the policy if anything does.
  static let denied = [
    "balance", "money", "pin", "_pin", "hooked", "nothing", "friend.balance", "friend.friend.balance",
    "friends.balance",
    "friends.pin", "friends[0].balance", "friends[1].discount", "friends.discount", "friends.@sum.balance",
    "friends.@max.balance", "friends.@avg.balance", "friends.@min.pin", "friends.@firstObject.balance",
    "friends.@lastObject.discount", "friends.@self.balance", "self.balance",
    "self.self.friend.self.balance", "place.door", "friend.place.door", "friends.place.door", "[\"balance\"]",
    "[\"money\"]", "[\"pin\"]", "[\"hooked\"]", "friend[\"balance\"]", "friend.friend[\"pin\"]", "notes.secret",
    "notes[\"secret\"]", "record.secret", "record[\"secret\"]", "pair.0", "pair[0]", "pair.1", "anything.a",
    "name.utf8",
    "name.count", "summary.length", "registrarSlot", "@self.balance", "@self.pin",
  ]
}
