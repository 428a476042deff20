import KVBinding
import Testing

/// Overrides of `arrange(_:)` (CTR.17).
@Suite struct ArrayOverrideTests {
  private final class Backwards<Element>: KVArrayController<Element> {
    override func arrange(_ objects: [Element]) -> [Element] { super.arrange(objects).reversed() }
  }

  /// Shows the first three objects: another array than that of the superclass only if there are more.
  private final class Top: KVArrayController<Tune> {
    override func arrange(_ objects: [Tune]) -> [Tune] {
      let all = super.arrange(objects)
      return all.count > 3 ? Array(all.prefix(3)) : all
    }
  }

  /// Overrides something else.
  private final class Titled: KVArrayController<Tune> {
    override func newObject() throws -> Tune { Tune("mine") }
  }

  /// Shows what its own filter lets pass, which reads a key of its own.
  private final class Ranked: KVArrayController<Tune> {
    override func arrange(_ objects: [Tune]) -> [Tune] { super.arrange(objects).filter { $0.rank > 5 } }

    override var automaticRearrangementKeyPaths: Set<KVKeyPath> {
      super.automaticRearrangementKeyPaths.union(["rank"])
    }
  }

  @Test("CTR.18: the key paths of an override rearrange, also if neither descriptors nor filter read them")
  func ownKeyPaths() throws {
    let list = Ranked()
    let (a, b) = (Tune("a", rank: 10), Tune("b", rank: 3))
    list.content = [a, b]
    var kinds: [KVChangeKind] = []
    let token = try list.observe("arrangedObjects") { kinds.append($0.kind) }
    b.rank = 100
    #expect(list.arrangedObjects.isEmpty == false && kinds.isEmpty)
    list.automaticallyRearrangesObjects = true
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"] && kinds == [.setting])
    a.rank = 11
    #expect(kinds == [.setting])
    b.rank = 1
    #expect(list.arrangedObjects.map(\.title) == ["a"] && kinds == [.setting, .setting])
    list.update { b.rank = 6 }
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"] && kinds.count == 3)
    list.automaticallyRearrangesObjects = false
    b.rank = 1
    #expect(list.arrangedObjects.count == 2)
    token.cancel()
  }

  @Test("CTR.17, 23: equal values, and an object that occurs twice, are removed at the index that is meant")
  func equal() throws {
    let texts = Backwards<String>()
    texts.content = ["x", "y", "x", "z", "x"]
    try texts.remove(at: [0, 2])
    #expect(texts.content.count == 3 && texts.content.filter { $0 == "x" }.count == 1)
    let (a, b) = (Tune("a"), Tune("b"))
    let list = Backwards<Tune>()
    list.content = [a, b, a, a]
    try list.remove(at: [0, 1, 3])
    #expect(list.content.map(\.title) == ["b"])
    list.content = [a, a]
    list.selectionIndexes = [0, 1]
    try list.remove()
    #expect(list.content.isEmpty)
  }

  @Test("CTR.21: an insertion between equal values precedes the one that had the index")
  func inserting() throws {
    let texts = Backwards<String>()
    texts.content = ["x", "y", "x"]
    try texts.insert(contentsOf: ["1", "2"], at: [0, 3])
    #expect(texts.content.count == 5 && texts.arrangedObjects == texts.content.reversed())
  }

  @Test("CTR.36: equal values that are written through the selection are replaced, and stay selected")
  func writing() throws {
    let rows = Backwards<[String: Int]>()
    rows.content = [["n": 1], ["n": 1], ["n": 2]]
    rows.selectionIndexes = [1, 2]
    try rows.setValue(5, forKeyPath: "selection.n")
    #expect(rows.content == [["n": 5], ["n": 5], ["n": 2]])
    #expect(rows.selectionIndexes == [1, 2])
  }

  @Test("CTR.17: an override that returns an object more often than the content has it")
  func repeating() throws {
    final class Twice: KVArrayController<Tune> {
      override func arrange(_ objects: [Tune]) -> [Tune] { objects + objects }
    }
    let list = Twice()
    let (a, b) = (Tune("a"), Tune("b"))
    list.content = [a, b]
    list.selectionIndexes = [1, 3]
    try list.remove(at: [2, 0])
    #expect(list.content.map(\.title) == ["b"] && list.arrangedObjects.map(\.title) == ["b", "b"])
    try list.add(a)
    #expect(list.arrangedObjects.map(\.title) == ["b", "a", "b", "a"])
  }

  @Test("CTR.17: an override is asked at each update, whatever it returned before")
  func conditional() throws {
    let list = Top { Tune() }
    list.content = [Tune("a"), Tune("b")]
    var lines: [String] = []
    let token = try list.observe("arrangedObjects", options: [.old, .new]) { [list] change in
      lines.append("\(change.kind) \((change.old as? [Tune])?.count ?? 0) \((change.new as? [Tune])?.count ?? 0)")
      #expect(list.arrangedObjects.count <= 3)
    }
    try list.add(Tune("c"))
    try list.add(Tune("d"))
    try list.add(Tune("e"))
    #expect(list.arrangedObjects.map(\.title) == ["a", "b", "c"])
    try list.remove(at: [0])
    try list.remove(at: [0])
    #expect(list.arrangedObjects.map(\.title) == ["c", "d", "e"])
    try list.remove(at: [0])
    #expect(list.arrangedObjects.map(\.title) == ["d", "e"])
    #expect(
      lines == ["insertion 0 1", "setting 3 3", "setting 3 3", "removal 1 0"]
        || lines == ["insertion 0 1", "setting 3 3", "setting 3 3", "setting 3 3", "removal 1 0"])
    token.cancel()
  }

  @Test("CTR.10, 17: a subclass that does not override it notifies by index")
  func untouched() throws {
    let list = Titled()
    list.content = [Tune("a"), Tune("b")]
    var kinds: [KVChange.Kind] = []
    let token = try list.observe("arrangedObjects") { kinds.append($0.kind) }
    try list.add()
    try list.remove(at: [0])
    list.content = []
    try list.add()
    #expect(kinds == [.insertion, .removal, .setting, .insertion])
    #expect(list.arrangedObjects.map(\.title) == ["mine"])
    token.cancel()
  }

  @Test("CTR.17, 28: the selection follows its objects when an override begins or ceases to arrange")
  func following() throws {
    let list = Top { Tune() }
    let tunes = "abcd".map { Tune(String($0)) }
    list.content = Array(tunes.prefix(3))
    list.selectsInsertedObjects = false
    list.selectionIndexes = [2]
    try list.insert(tunes[3], at: 0)
    #expect(list.arrangedObjects.map(\.title) == ["d", "a", "b"])
    list.selectionIndexes = [2]
    list.sortDescriptors = [.descending("title")]
    #expect(list.arrangedObjects.map(\.title) == ["d", "c", "b"] && list.selectedObjects.map(\.title) == ["b"])
    list.filterPredicate = "title != 'd'"
    #expect(list.arrangedObjects.map(\.title) == ["c", "b", "a"] && list.selectedObjects.map(\.title) == ["b"])
  }
}
