import KVBinding
import KVCore
import Testing

@Suite("OBS.3: removing what an owner observes")
struct OwnerRemovalTests {
  private let items = [OwnedItem(), OwnedItem()]
  private let badges = [OwnerBadge(), OwnerBadge()]
  private let log = LifeLog()

  /// Lets both owners observe two paths of both objects.
  private func registerAll() throws {
    for (owner, badge) in badges.enumerated() {
      for (object, item) in items.enumerated() {
        try badge.observe(item, ["name", "other.name"], options: .distinct) { [log] _, path, _, _ in
          log.lines.append("\(owner)\(object)\(path)")
        }
      }
    }
  }

  private func changeAll() -> [String] {
    for item in items {
      item.name += "b"
      item.other = item.other == nil ? OwnedItem() : nil
    }
    return log.take()
  }

  @Test("OBS.3: by owner: everything on every object, nothing of other owners")
  func byOwner() throws {
    try registerAll()
    #expect(changeAll().count == 8)
    badges[0].removeObservations()
    #expect(changeAll() == ["10name", "10other.name", "11name", "11other.name"])
  }

  @Test("OBS.3: by owner and object")
  func byObject() throws {
    try registerAll()
    badges[0].removeObservations(of: items[1])
    #expect(changeAll() == ["00name", "10name", "00other.name", "10other.name", "11name", "11other.name"])
  }

  @Test("OBS.3: by owner, object and path, as it was registered")
  func byPath() throws {
    try registerAll()
    try badges[0].removeObservations(of: items[0], forKeyPath: "other.name")
    try badges[1].removeObservations(of: items[0], forKeyPath: "other")
    #expect(throws: KVError.self) { try badges[0].removeObservations(of: items[0], forKeyPath: "" as String) }
    #expect(
      changeAll() == ["00name", "10name", "10other.name", "01name", "11name", "01other.name", "11other.name"])
  }

  @Test("OBS.3: an owner that is ours, too", arguments: [true, false])
  func ourOwner(isAll: Bool) throws {
    let owner = OwnedItem()
    try owner.observe(items[0], "name", options: .distinct) { [log] _, _, _ in log.lines.append("called") }
    try items[0].observe("name", owner: owner) { [log] _, _ in log.lines.append("other form") }
    if isAll { owner.removeObservations() } else { owner.removeObservations(of: items[0]) }
    #expect(changeAll().isEmpty)
    #expect(isUnobserved(items[0]))
    try owner.observe(items[0], "name", options: .distinct) { [log] _, _, _ in log.lines.append("again") }
    #expect(changeAll() == ["again"])
  }

  @Test("OBS.3: tokens without an owner stay")
  func tokens() throws {
    let token = try items[0].observe("name") { [log] _ in log.lines.append("token") }
    badges[0].removeObservations(of: items[0])
    badges[0].removeObservations()
    #expect(changeAll() == ["token"])
    withExtendedLifetime(token) {}
  }

  @Test("OBS.3: a handler ends what its owner observes: later ones of it are not called any more")
  func inHandler() throws {
    for number in 1...2 {
      try badges[0].observe(items[0], "name", options: .distinct) { [log] owner, _, _ in
        log.lines.append("\(number)")
        owner.removeObservations()
      }
    }
    #expect(changeAll() == ["1"])
    #expect(isUnobserved(items[0]))
  }

  @Test("OBS.3: with nothing registered nothing happens")
  func nothing() {
    badges[0].removeObservations()
    badges[0].removeObservations(of: items[0])
    #expect(items[0].registrarSlot.registrar == nil)
  }
}
