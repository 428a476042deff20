import KVCore
import Testing

@Suite("TAB descriptions of keys")
struct KeyDescriptionTests {
  private enum Level: CaseIterable { case low, high }

  private final class Task: KVObject {
    @KVProperty var title = ""
    @KVProperty private(set) var progress = 0
    @KVProperty var hidden = 0
    var level: Level? = .low
    var kind = ShopKind.tea
    let number = 1
    var silent = 0

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Task.self) { key in
        key("title", \.title)
        key("progress") { $0.progress }
        key("level", \.level)
        key("kind", \.kind)
        key("number", \.number)
        key("label") { $0.title }.affected(by: "title")
        key("stamp") { $0.number }.notifiesManually()
      }
    }
  }

  private func keys(_ isIncluded: (KVKeyDescription) -> Bool, of value: Any) throws -> [String] {
    try KVC.keys(of: value).filter(isIncluded).map(\.name).sorted()
  }

  @Test("TAB.8: a description says whether a key can notify")
  func notifying() throws {
    #expect(
      try keys(\.canNotify, of: Task()) == ["hidden", "kind", "label", "level", "progress", "stamp", "title"])
    #expect(Task.keyTable.keys.filter(\.canNotify).map(\.name) == ["title", "level", "kind", "label", "stamp"])
    #expect(try keys(\.canNotify, of: ShopPrice()).isEmpty)
    #expect(ShopPrice.keyTable.keys.filter(\.canNotify).isEmpty)
    #expect(try keys(\.canNotify, of: ["a": 1]).isEmpty)
    #expect(try keys(\.canNotify, of: KVRecord(["a": 1])) == ["a"])
  }

  /// Lines of one property, one of which can be set.
  private final class Shared: KVObject {
    var level = 1
    var other = 1
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Shared.self) { key in
        key("level", \.level)
        key("shown", \.level).readOnly()
        key("other", \.other).readOnly()
        key("label") { "\($0.other)" }.affected(by: "other")
      }
    }
  }

  @Test("TAB.8, KVO.14: a line with the key path of another one can notify, in the table and in KVC.keys alike")
  func shared() throws {
    #expect(try keys(\.canNotify, of: Shared()) == ["level", "shown"])
    #expect(Shared.keyTable.keys.filter(\.canNotify).map(\.name).prefix(2) == ["level", "shown"])
  }

  @Test("TAB.8: a description has the type without optionals, and the cases of an enum")
  func types() throws {
    let level = try #require(Task.keyTable.keys.first { $0.name == "level" })
    #expect(level.valueType is Level?.Type)
    #expect(level.wrappedType is Level.Type)
    #expect(level.cases as? [Level] == [.low, .high])
    let kind = try #require(Task.keyTable.keys.first { $0.name == "kind" })
    #expect(kind.wrappedType is ShopKind.Type)
    #expect(kind.cases.isEmpty, "it does not list its cases")
    #expect(Task.keyTable.keys.first { $0.name == "title" }?.cases.isEmpty == true)
  }
}
