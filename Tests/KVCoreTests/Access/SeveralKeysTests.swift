import KVCore
import Testing

@Suite("KVC: several keys at once")
struct SeveralKeysTests {
  @Test("KVC.15: dictionaryWithValues reads several keys; nil stays nil")
  func reading() throws {
    let values = try Author().dictionaryWithValues(forKeys: ["name", "agent"])
    #expect(values.count == 2)
    #expect(values["name"] as? String == "Ada")
    let agent = try #require(values["agent"])
    #expect(agent == nil)
    #expect(try Author().dictionaryWithValues(forKeys: []).isEmpty)
    #expect(
      failure { () throws(KVError) in try Author().dictionaryWithValues(forKeys: ["name", "nope"]) }?.code
        == .undefinedKey)
    #expect(
      failure { () throws(KVError) in try Author().dictionaryWithValues(forKeys: ["town.city"]) }?.code == .undefinedKey
    )
  }

  @Test("KVC.15: setValues writes several, one notification for each key")
  func writing() throws {
    let author = Author()
    let log = ChangeLog.attached(to: author, keys: "name", "born", "agent")
    try author.setValues(forKeys: ["name": "Grace", "born": 1_906.5, "agent": nil])
    #expect(author.name == "Grace" && author.born == 1_906 && author.agent == nil)
    #expect(log.takeAll().filter { $0.hasPrefix("did") } == ["did agent", "did born", "did name"])
    var town = Town()
    try town.setValues(forKeys: ["city": "Paris", "zip": 75])
    #expect(town.city == "Paris" && town.zip == 75)
    try town.setValues(forKeys: ["zip": nil])
    #expect(town.zip == nil)
  }

  @Test(
    "KVC.15: a key that does not exist, cannot be set or does not take its value fails before the first write",
    arguments: [
      (["born": 1, "zork": 2], KVError.Code.undefinedKey), (["born": 1, "initial": "x"], .notSettable),
      (["born": 1, "name": 5], .typeMismatch), (["name": "x", "town": nil], .nilValue),
      (["agent": nil, "born": 1e300, "name": "x"], .numberOutOfRange),
    ] as [([String: (any Sendable)?], KVError.Code)])
  func allOrNothing(values: [String: (any Sendable)?], code: KVError.Code) throws {
    let author = Author()
    let agent = Author()
    author.agent = agent
    let log = ChangeLog.attached(to: author, keys: "name", "born", "agent", "town", "initial", "zork")
    let error = try #require(
      failure { () throws(KVError) in try author.setValues(forKeys: values.mapValues { $0 }) })
    #expect(error.code == code && error.rootType == "Author")
    #expect(author.born == 1_815 && author.name == "Ada" && author.agent === agent)
    #expect(log.takeAll() == [])
    var town = Town()
    #expect(
      failure { () throws(KVError) in try town.setValues(forKeys: ["city": "x", "zork": 1]) }?.code == .undefinedKey)
    #expect(town == Town())
  }

  @Test("KVC.15, TAB.10: a key whose setter throws is set before the others, which are left as they were if it refuses")
  func throwingSetter() throws {
    let guarded = Guarded()
    let values: [String: Any?] = ["amount": 10, "limit": -1, "name": "x"]
    #expect(failure { () throws(KVError) in try guarded.setValues(forKeys: values) }?.code == .invalidValue)
    #expect(guarded.amount == 0 && guarded.name.isEmpty && guarded.limit == 5)
    try guarded.setValues(forKeys: ["amount": 10, "limit": 7, "name": "x"])
    #expect(guarded.amount == 10 && guarded.name == "x" && guarded.limit == 7)
  }

  @Test("KVC.15, KVC.16: keys that a hook takes are no errors")
  func hooks() throws {
    let hooked = Hooked()
    let nothing: Int? = nil
    try hooked.setValues(forKeys: ["count": nothing, "zork": 1])
    #expect(hooked.count == -1 && hooked.extras["zork"] as? Int == 1)
    try hooked.setValues(forKeys: ["count": .some(nothing as Any)])
    #expect(hooked.count == -1)
  }
}

/// A class with a setter that refuses some values.
private final class Guarded: KVObject {
  struct Refusal: Error {}

  @KVProperty var amount = 0
  @KVProperty var name = ""
  private(set) var limit = 5

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Guarded.self) { key in
      key("amount", \.amount)
      key("name", \.name)
      key(
        "limit", { $0.limit },
        set: { object, value in
          if value < 0 { throw Refusal() }
          object.limit = value
        })
    }
  }
}
