import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.15: keys whose automatic notification is off")
struct ManualKeyTests {
  private let model = CrowdedModel()
  private let log = ChangeLines()

  private func changeEverything() throws {
    model.quiet = "x"
    try model.setValue("y", forKey: "quiet")
    try model.setValue("z", forKeyPath: "quiet")
    model.quietRows.append("b")
    try model.mutableArray(forKey: "quietRows").append("c")
    try model.mutableArray(forKey: "quietRows").remove(at: 0)
    try model.mutableSet(forKey: "quietTags").add("b")
    model.quietTags = []
    try model.setValue(5, forKey: "quietPlain")
  }

  @Test("KVO.15: only manual changes are reported, of every kind of key; other keys notify as ever")
  func manual() throws {
    let keys: [KVKeyPath] = ["quiet", "quietRows", "quietTags", "quietPlain", "loud"]
    let tokens = try keys.map { try log.watch(model, $0, [.old, .new]) }
    try changeEverything()
    model.loud = 3
    #expect(log.take() == ["loud setting 0 → 3"])
    model.withChange(forKey: "quiet") { model.quiet = "d" }
    try model.withChange(forKey: "quietPlain") { try model.setValue(6, forKey: "quietPlain") }
    #expect(log.lines == ["quiet setting z → d", "quietPlain setting 5 → 6"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.15: that is so too while a key is observed that shares its bit of the masks", arguments: [false, true])
  func sharedBits(_ prior: Bool) throws {
    // Among 64 keys with numbers in a row, each of the manual ones meets one that has its bit.
    let options: KVObservingOptions = prior ? [.old, .new, .prior] : [.old, .new]
    var tokens = try CrowdedModel.fillers.map { try log.watch(model, try KVKeyPath($0), options) }
    for key in ["quiet", "quietRows", "quietTags", "quietPlain"] {
      tokens.append(try log.watch(model, try KVKeyPath(key), options))
    }
    try changeEverything()
    #expect(log.take() == [])
    model.withChange(forKey: "quiet") { model.quiet = "d" }
    #expect(log.take().last == "quiet setting z → d")
    model.filler7 = 1
    #expect(log.lines.last == "filler7 setting 0 → 1")
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.15: a key that shares the bit of an observed key, and is not observed, notifies nobody")
  func sharedBitsUnobserved() throws {
    let tokens = try CrowdedModel.fillers.dropFirst().map { try log.watch(model, try KVKeyPath($0), [.prior]) }
    try changeEverything()
    model.loud = 1
    model.filler0 = 1
    #expect(log.lines == [])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.15: a path through such a key follows manual changes")
  func paths() throws {
    let model = QuietParent()
    let token = try log.watch(model, "child.name")
    let old = Villager("Bob")
    model.withChange(forKey: "child") { model.child = old }
    #expect(log.take() == ["child.name setting nil → Bob"])
    model.child = Villager("Eve")
    #expect(log.take() == [])
    model.withChange(forKey: "child") {}
    old.name = "unheard"
    model.child?.name = "Eva"
    #expect(log.lines == ["child.name setting Eve → Eve", "child.name setting Eve → Eva"])
    token.cancel()
  }

  @Test("DEP.1, KVO.15: a key that depends on such a key is reported when that is changed manually")
  func dependents() throws {
    let token = try log.watch(model, "echo")
    model.quiet = "x"
    #expect(log.take() == [])
    model.withChange(forKey: "quiet") { model.quiet = "y" }
    #expect(log.lines == ["echo setting x! → y!"])
    token.cancel()
  }

  @Test("KVO.15: a hand-written setter that notifies only of real changes")
  func handwrittenSetter() throws {
    let model = Careful()
    let token = try log.watch(model, "name")
    try model.setValue("b", forKey: "name")
    try model.setValue("b", forKey: "name")
    model.name = "c"
    #expect(log.lines == ["name setting m → b", "name setting b → c"])
    token.cancel()
  }
}

private final class QuietParent: KVObject {
  @KVProperty var child: Villager?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: QuietParent.self) { key in key("child", \.child).notifiesManually() }
  }
}

private final class Careful: KVObject {
  private var stored = "m"

  var name: String {
    get { stored }
    set { if newValue != stored { withChange(forKey: "name") { stored = newValue } } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Careful.self) { key in key("name", \.name).notifiesManually() }
  }
}
