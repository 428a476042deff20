import KVControllers
import Testing

/// Subclasses of an array controller.
@Suite struct ArrayOverrideTests {
  /// Overrides something else.
  private final class Titled: KVArrayController<Tune> {
    override func newObject() throws -> Tune { Tune("mine") }
  }

  /// Observes a key that its filter does not name.
  private final class Ranked: KVArrayController<Tune> {
    override var automaticRearrangementKeyPaths: Set<KVKeyPath> {
      super.automaticRearrangementKeyPaths.union(["rank"])
    }
  }

  @Test("CTR.18: the key paths of an override rearrange, also if neither descriptors nor filter name them")
  func ownKeyPaths() throws {
    let list = Ranked()
    list.filterPredicate = KVPredicate(reading: []) { ($0 as? Tune).map { $0.rank > 5 } ?? false }
    let (a, b) = (Tune("a", rank: 10), Tune("b", rank: 3))
    list.content = [a, b]
    var kinds: [KVChangeKind] = []
    let token = try list.observe("arrangedObjects") { kinds.append($0.kind) }
    b.rank = 100
    #expect(list.arrangedObjects.map(\.title) == ["a"] && kinds.isEmpty)
    list.automaticallyRearrangesObjects = true
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"] && kinds == [.insertion])
    a.rank = 11
    #expect(kinds.count == 1)
    b.rank = 1
    #expect(list.arrangedObjects.map(\.title) == ["a"] && kinds == [.insertion, .removal])
    list.update { b.rank = 6 }
    #expect(list.arrangedObjects.map(\.title) == ["a", "b"] && kinds.count == 3)
    list.automaticallyRearrangesObjects = false
    b.rank = 1
    #expect(list.arrangedObjects.count == 2)
    token.cancel()
  }

  @Test("CTR.5: methods throw KVError only, whose cause is the error of an override")
  func typedErrors() {
    struct Refusal: Error {}
    final class Refusing: KVArrayController<Tune> {
      override func newObject() throws -> Tune { throw Refusal() }
    }
    func add(to list: KVArrayController<Tune>) throws(KVError) { try list.add() }
    func insert(into list: KVArrayController<Tune>) throws(KVError) { try list.insert() }
    let (added, inserted) = (
      #expect(throws: KVError.self) { try add(to: Refusing()) },
      #expect(throws: KVError.self) { try insert(into: Refusing()) }
    )
    for error in [added, inserted] {
      #expect(error?.code == .custom && error?.underlying is Refusal)
      #expect(error?.message.contains("newObject() of Refusing has failed") == true)
    }
    let form = KVObjectController<Tune>(newObject: { Tune("mine") })
    func clear() throws(KVError) { try form.add(); try form.commitEditing(); try form.remove() }
    #expect(throws: Never.self) { try clear() }
  }

  @Test("CTR.10: a subclass notifies by index")
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
}
