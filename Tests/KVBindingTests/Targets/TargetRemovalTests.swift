import KVBinding
import KVCore
import Testing

@Suite("TGT.3: removing targets")
struct TargetRemovalTests {
  private let item = TargetItem()
  private let target = TargetView()

  @Test("TGT.3: every registration of the action is removed, others stay")
  func byAction() throws {
    for _ in 0..<2 { try item.addTarget(target, TargetView.reload, forKeyPath: "name") }
    try item.addTarget(target, TargetView.touch, forKeyPath: "name")
    try item.addTarget(target, TargetView.reload, forKeyPath: "count")
    try item.removeTarget(target, TargetView.reload, forKeyPath: "name")
    item.name = "b"
    item.count = 1
    #expect(target.lines == ["touch", "reload"])
  }

  @Test("TGT.1, TGT.3: an action is known by its name: another value of the same name removes it")
  func byName() throws {
    try item.addTarget(target, TargetView.reload, forKeyPath: "name")
    try item.removeTarget(target, KVAction("reload", perform: { _ in }), forKeyPath: "name")
    #expect(isUnobserved(item))
  }

  @Test("TGT.3: without an action all of the target's are removed for the path; nothing of other targets and kinds")
  func wildcard() throws {
    let other = TargetView()
    let log = LifeLog()
    for action in [TargetView.reload, TargetView.nameDidChange] {
      try item.addTarget(target, action, forKeyPaths: ["name", "other.name"])
      try item.addTarget(other, action, forKeyPath: "name")
    }
    try item.observe("name", owner: target) { _, _ in log.lines.append("owner") }
    let token = try item.observe("name") { _ in log.lines.append("token") }
    try item.removeTarget(target, forKeyPath: "name")
    item.name = "b"
    #expect(target.lines.isEmpty)
    #expect(other.lines == ["reload", "name a → b"])
    #expect(log.lines == ["owner", "token"])
    item.other = TargetItem()
    #expect(target.lines == ["reload", "other.name nil → a"])
    withExtendedLifetime(token) {}
  }

  @Test("TGT.3: nothing matches: nothing happens; a malformed path is an error")
  func noMatch() throws {
    try item.removeTarget(target, forKeyPath: "name")
    try item.addTarget(target, TargetView.reload, forKeyPath: "name")
    try item.removeTarget(TargetView(), forKeyPath: "name")
    try item.removeTarget(target, TargetView.touch, forKeyPath: "name")
    try item.removeTarget(target, forKeyPath: "count")
    #expect(throws: KVError.self) { try item.removeTarget(target, forKeyPath: "a..b" as String) }
    item.name = "b"
    #expect(target.lines == ["reload"])
  }

  @Test("TGT.3: an action that removes itself, in the immediate call as well", arguments: [true, false])
  func insideOfTheAction(isImmediate: Bool) throws {
    for takesChange in [true, false] {
      let remove: (TargetView) -> Void = { [item] target in
        target.lines.append("called")
        try? item.removeTarget(target, forKeyPath: "name")
      }
      let plain = KVAction<TargetView>("remove", perform: { target in remove(target) })
      let recorded = KVAction<TargetView>("remove", perform: { target, _ in remove(target) })
      try item.addTarget(
        target, takesChange ? recorded : plain, forKeyPath: "name", options: isImmediate ? .initial : [])
      item.name = "b"
      item.name = "c"
      #expect(target.take() == ["called"])
      #expect(isUnobserved(item))
    }
  }

  @Test("TGT.3, KVO.7: an action removes one that would be called after it")
  func removesTheNext() throws {
    let remove = KVAction<TargetView>(
      "remove",
      perform: { [item] target in
        target.lines.append("first")
        try? item.removeTarget(target, TargetView.reload, forKeyPath: "name")
      })
    try item.addTarget(target, remove, forKeyPath: "name")
    try item.addTarget(target, TargetView.reload, forKeyPath: "name")
    item.name = "b"
    #expect(target.lines == ["first"])
  }

  @Test("TGT.3, COA.2: coalesced and other registrations of a target are removed alike, by action or all")
  func coalesced() throws {
    for remove in [
      { try item.removeTarget(target, TargetView.reload, forKeyPath: "name") },
      { try item.removeTarget(target, forKeyPath: "name") },
    ] {
      for options in [.coalesced, []] as [KVObservingOptions] {
        try item.addTarget(target, TargetView.reload, forKeyPaths: ["name"], options: options)
        try remove()
        #expect(isUnobserved(item))
      }
    }
  }

  @Test("TGT.3: a target that observes by closures too: removing those leaves its actions alone")
  func closuresAndActions() throws {
    let owner = LifeOwner()
    let log = LifeLog()
    try owner.observe(item, "name", options: .distinct) { _, _, _ in log.lines.append("closure") }
    try item.addTarget(owner, KVAction("note", perform: { _ in log.lines.append("action") }), forKeyPath: "name")
    owner.removeObservations()
    owner.removeObservations(of: item)
    try owner.removeObservations(of: item, forKeyPath: "name")
    item.name = "b"
    #expect(log.lines == ["action"])
  }

  @Test("TGT.3: several paths at once, by action or all; those without a registration are passed over")
  func severalPaths() throws {
    for action in [TargetView.reload, TargetView.touch] {
      try item.addTarget(target, action, forKeyPaths: ["name", "count", "other"])
    }
    item.removeTarget(target, TargetView.reload, forKeyPaths: ["name", "count", "other.name"])
    item.name = "b"
    item.other = nil
    #expect(target.take() == ["touch", "reload", "touch"])
    item.removeTarget(target, forKeyPaths: ["name", "count", "other"])
    #expect(isUnobserved(item))
  }

  @Test("TGT.1, COA.2: a coalesced action takes a single path as well")
  func coalescedActionOfOnePath() throws {
    try item.addTarget(target, TargetView.reload, forKeyPath: "name", options: [.initial, .coalesced])
    #expect(target.take() == ["reload"])
    KVCoalescing.coalesce {
      item.name = "b"
      item.name = "c"
    }
    #expect(target.lines == ["reload"])
    try item.removeTarget(target, TargetView.reload, forKeyPath: "name")
    #expect(isUnobserved(item))
  }
}
