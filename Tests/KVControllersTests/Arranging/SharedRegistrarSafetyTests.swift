import KVControllers
import Testing

/// What could go wrong when the elements of live lists share a registrar.
@Suite("SRT.10, KVO.6: elements that share a registrar stay independent")
struct SharedRegistrarSafetyTests {
  @KVModel final class Tune: KVObject {
    var name = ""
    var rating = 0

    convenience init(_ name: String) {
      self.init()
      self.name = name
    }
  }

  @KVModel final class Shelf: KVObject {
    var tunes: [Tune] = []
    var all: [KVObject] = []
  }

  /// Its setter of a key sets the same key of another object.
  final class Link: KVObject {
    let tune: Tune
    @KVProperty var rating = 1

    init(_ tune: Tune) { self.tune = tune }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Link.self) { key in
        key("rating", \.rating)
        key("name", { $0.tune.name }, set: { $0.tune.name = $1 })
      }
    }
  }

  final class Film: KVObject {
    @KVProperty var title = "b"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Film.self) { key in key("title", \.title) }
    }
  }

  final class Disc: KVObject {
    @KVProperty var name = "c"
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Disc.self) { key in key("name", \.name).alias("title") }
    }
  }

  final class Row: KVObject {
    @KVProperty var name = "x"
    deinit { name = "" }
    override class var keyTable: KVTable { super.keyTable.extended(for: Row.self) { key in key("name", \.name) } }
  }

  @Test("SRT.10: a write to one object does not silence another one of the same registrar")
  func suppression() throws {
    let (shelf, tune, other) = (Shelf(), Tune("b"), Tune("c"))
    let link = Link(tune)
    shelf.all = [tune, link]
    shelf.tunes = [tune, other]
    let byRating = try KVArrangement<KVObject>(of: "all", in: shelf, sortedBy: ["rating"])
    let byName = try KVArrangement<Tune>(of: "tunes", in: shelf, sortedBy: ["name"])
    try link.setValue("zz", forKey: "name")
    #expect(byName.elements.map(\.name) == ["c", "zz"] && byRating.elements.count == 2)
  }

  @Test("SRT.10: a path that is another key of another class", arguments: [true, false])
  func aliases(isFilmFirst: Bool) throws {
    let (shelf, film, disc) = (Shelf(), Film(), Disc())
    shelf.all = isFilmFirst ? [film, disc] : [disc, film]
    let list = try KVArrangement<KVObject>(of: "all", in: shelf, sortedBy: ["title"])
    #expect(list.elements.first === film && list.elements.last === disc)
    film.title = "z"
    #expect(list.elements.first === disc && list.elements.last === film)
    disc.name = "zz"
    #expect(list.elements.first === film && list.elements.last === disc)
    let token = try film.observe("title") { _ in }
    film.title = "zzz"
    #expect(list.elements.first === disc && list.elements.last === film)
    token.cancel()
  }

  @Test("LIF.1: elements that set a key while they are deallocated with their controller")
  func deallocation() {
    do {
      let list = KVArrayController<Row>()
      list.automaticallyRearrangesObjects = true
      list.sortDescriptors = ["name"]
      list.content = [Row(), Row()]
    }
    do {
      let list = KVArrayController<Row>()
      list.content = [Row()]
      let token = try? list.observe("arrangedObjects.name") { _ in }
      token?.cancel()
    }
  }

  @Test("KVO.6: the order of two lists is that of their creation, also after somebody else observes an element")
  func order() throws {
    let (first, second, x, y) = (Shelf(), Shelf(), Tune("x"), Tune("y"))
    second.tunes = [x, y]
    let a = try KVArrangement<Tune>(of: "tunes", in: first, sortedBy: ["name"])
    let b = try KVArrangement<Tune>(of: "tunes", in: second, sortedBy: ["name"])
    try first.mutableArray(forKey: "tunes").append(contentsOf: [x, y])
    var log = ""
    let tokens = [
      try a.observe("elements") { _ in log += "a" }, try b.observe("elements") { _ in log += "b" },
    ]
    x.name = "z"
    let former = log
    log = ""
    let token = try x.observe("rating") { _ in }
    x.name = "0"
    #expect(former == log && Set(log) == ["a", "b"] && log.first == "a", "\(former) \(log)")
    for token in tokens + [token] { token.cancel() }
  }

  @Test("KVO.7: a list that a handler gives the element is notified of later changes only")
  func handler() throws {
    let (shelf, x, y) = (Shelf(), Tune("x"), Tune("y"))
    shelf.tunes = [x, y]
    let one = try KVArrangement<Tune>(of: "tunes", in: shelf, sortedBy: ["name"])
    let two = KVArrayController<Tune>()
    two.content = [y]
    var kinds: [KVChangeKind] = []
    let tokens = [
      try two.observe("arrangedObjects.name", options: [.old, .new]) { kinds.append($0.kind) },
      try one.observe("elements") { _ in if !two.content.contains(where: { $0 === x }) { try? two.add(x) } },
    ]
    x.name = "zz"
    #expect(kinds == [.insertion])
    for token in tokens { token.cancel() }
  }
}
