import KVCore
import Testing

@Suite("Writing by a policy")
struct PolicyWritingTests {
  let policy: KVPolicy
  let buyer = Shop.buyer()

  init() throws { policy = try Shop.policy() }

  @Test("SEC.4: keys of `writing` are written, by every form")
  func permitted() throws {
    let name = try policy.keyPath("name")
    try buyer.setValue("1", forKeyPath: name)
    #expect(buyer.name == "1")
    try buyer.setValue("2" as Any?, forKeyPath: name)
    #expect(buyer.name == "2")
    #expect(try buyer.setValueIfResolved("3", forKeyPath: try policy.keyPath("friend.name")))
    #expect(buyer.friend?.name == "3")
    // Elements are written through a key that may be written.
    #expect(throws: KVError.self) { try buyer.setValue("4", forKeyPath: policy.keyPath("friends.name")) }
    var wider = policy
    try wider.allow(Buyer.self, keys: [], writing: ["friends"])
    try buyer.setValue("4", forKeyPath: wider.keyPath("friends.name"))
    #expect(buyer.friends.map(\.name) == ["4", "4"])
    try buyer.setValue("5", forKeyPath: try policy.keyPath("title"))
    #expect(buyer.name == "5")
    var place = Place()
    try place.setValue("Oslo", forKeyPath: try policy.keyPath("city"))
    #expect(place.city == "Oslo")
    #expect(throws: KVError.self) { try KVC.validate("", forKeyPath: policy.keyPath("name"), of: buyer) }
  }

  @Test(
    "SEC.4: nothing else is written, read only keys and denied ones alike",
    arguments: Shop.denied + [
      "summary", "friend", "friends", "place", "place.city", "friend.place.city", "notes.open", "notes[\"open\"]",
      "record.open", "friends[0]", "self", "anything", "pair", "friends.place.city", "friends.friend",
    ])
  func denied(text: String) throws {
    let path = try policy.keyPath(text)
    let before = "\(state(buyer))"
    for value in [1, "x", Buyer(), nil, [Buyer()], Place(), 2.5] as [Any?] {
      for _ in 0..<2 {
        var root = buyer
        #expect(throws: KVError.self) { try buyer.setValue(value, forKeyPath: path) }
        #expect(throws: KVError.self) { try KVC.setValue(value, forKeyPath: path, in: &root) }
        #expect(throws: KVError.self) { try KVC.setValueIfResolved(value, forKeyPath: path, in: &root) }
      }
    }
    #expect(throws: KVError.self) { try buyer.setValue(7, forKeyPath: path) }
    #expect(throws: KVError.self) { try buyer.setValue("seven", forKeyPath: path) }
    #expect("\(state(buyer))" == before)
  }

  private func state(_ buyer: Buyer) -> [Any] {
    [
      buyer.name, buyer.balance, buyer.place, buyer.friend.map { [$0.name, $0.balance, $0.place] as [Any] } ?? [],
      buyer.friends.map { [$0.name, $0.balance, $0.place, $0.friend as Any] as [Any] }, buyer.pair,
      buyer.notes.sorted { $0.key < $1.key },
      buyer.record["open"] as Any, buyer.record["secret"] as Any,
    ]
  }

  @Test("SEC.4: the error names what may be written, whether the key exists or not")
  func message() throws {
    func error(_ key: String) throws -> KVError {
      try #require(#expect(throws: KVError.self) { try buyer.setValue(1, forKeyPath: policy.keyPath(key)) })
    }
    #expect(
      try error("balance").message
        == "\"balance\" of Buyer may not be written. The policy \"templates\" permits writing name of it.")
    #expect(try error("nothing").message == (try error("balance").message.replacing("balance", with: "nothing")))
    #expect(try error("summary").code == .notPermitted)
  }

  @Test("SEC.4: a struct is changed only if every key that changes may be written")
  func structs() throws {
    let path = try policy.keyPath("place.city")
    #expect(throws: KVError.self) { try buyer.setValue("Oslo", forKeyPath: path) }
    var wider = policy
    try wider.allow(Buyer.self, keys: [], writing: ["place", "notes", "friends"])
    try buyer.setValue("Oslo", forKeyPath: wider.keyPath("place.city"))
    #expect(buyer.place.city == "Oslo")
    #expect(throws: KVError.self) { try buyer.setValue("1", forKeyPath: wider.keyPath("place.door")) }
    #expect(throws: KVError.self) { try buyer.setValue("1", forKeyPath: wider.keyPath("notes.open")) }
    try buyer.setValue(Member(), forKeyPath: wider.keyPath("friends[0]"))
    #expect(buyer.friends[0] is Member)
  }

  @Test("SEC.4: an array is written only if all of its elements may be")
  func elements() throws {
    buyer.anything = [Buyer(), Treasure(), Buyer()] as [Any]
    var wider = policy
    try wider.allow(Buyer.self, keys: [], writing: ["anything"])
    let path = try wider.keyPath("anything.name")
    #expect(throws: KVError.self) { try buyer.setValue("x", forKeyPath: path) }
    #expect((buyer.anything as? [Any])?.compactMap { ($0 as? Buyer)?.name } == ["Ann", "Ann"])
    #expect(((buyer.anything as? [Any])?[1] as? Treasure)?.name == "gold")
  }

  @Test("SEC.4: elements and entries of a root are not replaced")
  func roots() throws {
    var buyers: [Any] = [Buyer()]
    #expect(throws: KVError.self) { try KVC.setValue(1, forKeyPath: policy.keyPath("[0]"), in: &buyers) }
    #expect(buyers[0] is Buyer)
    var entries: [String: String] = ["open": "o"]
    #expect(throws: KVError.self) { try KVC.setValue("1", forKeyPath: policy.keyPath("open"), in: &entries) }
    var any: Any = ["open": "o"]
    #expect(throws: KVError.self) { try KVC.setValue("1", forKeyPath: policy.keyPath("[\"open\"]"), in: &any) }
    #expect(entries["open"] == "o")
  }

  @Test("SEC.4: validators, conversions and views of a key need permission to write it")
  func others() throws {
    for text in ["balance", "summary", "friends", "friend.balance", "notes.open"] {
      let path = try policy.keyPath(text)
      #expect(throws: KVError.self, "\(text)") { try KVC.validate(1, forKeyPath: path, of: buyer) }
      #expect(throws: KVError.self, "\(text)") { try KVC.canConvert(1, forKeyPath: path, of: buyer) }
      for error in [
        #expect(throws: KVError.self, "\(text)") { try buyer.mutableArray(forKeyPath: path) },
        #expect(throws: KVError.self, "\(text)") { try buyer.mutableSet(forKeyPath: path) },
      ] { #expect(error?.code == .notPermitted) }
    }
    #expect(buyer.friends.count == 2)
    #expect(try KVC.canConvert("a", forKeyPath: policy.keyPath("friends.name"), of: buyer))
    #expect(throws: KVError.self) { try KVC.canConvert(1, forKeyPath: policy.keyPath("friends.balance"), of: buyer) }
    var wider = policy
    try wider.allow(Buyer.self, keys: [], writing: ["friends"])
    try buyer.mutableArray(forKeyPath: try wider.keyPath("friends")).append(Buyer())
    #expect(buyer.friends.count == 3)
  }

  @Test("COL.3: a view whose path leads to a denied key later is empty")
  func deniedLater() throws {
    final class Chest: KVObject {
      @KVProperty var friends = [1, 2]
      override class var keyTable: KVTable {
        super.keyTable.extended(for: Chest.self) { key in key("friends", \.friends) }
      }
    }
    var wider = policy
    try wider.allow(Buyer.self, keys: [], writing: ["friends"])
    buyer.anything = buyer.friends[0]
    let view = try buyer.mutableArray(forKeyPath: wider.keyPath("anything.friends"))
    try view.append(Buyer())
    #expect(view.count == 1)
    buyer.anything = Chest()
    #expect(view.count == 0 && Array(view).isEmpty)
    #expect(#expect(throws: KVError.self) { try view.append(Buyer()) }?.code == .notPermitted)
  }
}
