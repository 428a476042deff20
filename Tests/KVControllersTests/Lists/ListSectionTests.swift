import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("LST.1: sections that follow a collection")
struct ListSectionTests {
  private let person = Villager("Ada")
  private let log = SectionLog<String>()
  private let section = KVObservingListSection(title: "Rows") { (text: String) in "<\(text)>" }

  init() { section.delegate = log }

  @Test("LST.1: insertions, removals, replacements and settings are reported, and show in the rows")
  func kinds() throws {
    person.rows = ["a"]
    try section.observe("rows", of: person)
    #expect(rows(of: section) == ["<a>"])
    #expect(log.take() == [.reload])
    let edits = person.mutableArray(forKey: "rows")
    try edits.insert(["b", "c"], at: [0, 2])
    #expect(rows(of: section) == ["<b>", "<a>", "<c>"])
    try edits.replace(at: [0, 2], with: ["x", "y"])
    #expect(rows(of: section) == ["<x>", "<a>", "<y>"])
    try edits.remove(at: [0, 2])
    #expect(rows(of: section) == ["<a>"])
    #expect(log.take() == [.insertion([0, 2]), .replacement([0, 2]), .removal([0, 2])])
    person.rows = ["q", "r"]
    try person.setValue(["s"], forKey: "rows")
    #expect(log.take() == [.reload, .reload])
    #expect(rows(of: section) == ["<s>"])
  }

  @Test("LST.1: a dotted path; middles that are nil or replaced")
  func paths() throws {
    try section.observe("next.next.rows", of: person)
    #expect(section.rowCount == 0)
    let middle = Villager("Bob", next: Villager("Cid"))
    try middle.setValue(["a", "b"], forKeyPath: "next.rows")
    person.next = middle
    #expect(rows(of: section) == ["<a>", "<b>"])
    try person.mutableArray(forKeyPath: "next.next.rows").remove(at: 0)
    #expect(rows(of: section) == ["<b>"])
    #expect(log.take() == [.reload, .reload, .removal([0])])
    middle.next = nil
    #expect(section.rowCount == 0)
    #expect(section.keyPath == "next.next.rows" && section.source === person)
  }

  @Test("LST.1: a row is made once, when its element comes")
  func making() throws {
    var made: [String] = []
    let section = KVObservingListSection<String> { (text: String) in
      made.append(text)
      return text
    }
    person.rows = ["a", "b", "c"]
    try section.observe("rows", of: person)
    _ = rows(of: section) + rows(of: section)
    let edits = person.mutableArray(forKey: "rows")
    try edits.insert("d", at: 1)
    try edits.remove(at: 0)
    try edits.replace(at: 2, with: "e")
    #expect(made == ["a", "b", "c", "d", "e"])
    #expect(rows(of: section) == ["d", "b", "e"])
  }

  @Test("LST.1: elements themselves as rows, and elements of any kind")
  func rowTypes() throws {
    person.kids = [Villager("Bob")]
    let kids = KVObservingListSection<Villager>()
    try kids.observe("kids", of: person)
    #expect(kids.row(at: 0) === person.kids[0])
    let record: KVRecord = ["items": ["a", 1, nil] as [Any?]]
    let items = KVObservingListSection { (element: Any?) in element.map { "\($0)" } ?? "-" }
    try items.observe("items", of: record)
    #expect(rows(of: items) == ["a", "1", "-"])
    let numbers = KVObservingListSection { (number: Double) in number / 2 }
    try numbers.observe("kids.@unionOfObjects.age", of: person)
    #expect((0..<numbers.rowCount).map { numbers.row(at: $0) } == [0])
  }

  @Test("LST.1: sets are looked at anew")
  func sets() throws {
    try section.observe("tags", of: person)
    try person.mutableSet(forKey: "tags").formUnion(["a", "b"])
    #expect(Set(rows(of: section)) == ["<a>", "<b>"])
    try person.mutableSet(forKey: "tags").remove("a")
    #expect(rows(of: section) == ["<b>"])
    #expect(log.take() == [.reload, .reload, .reload])
  }

  @Test("LST.1: a new source ends the one before; ending leaves no rows")
  func sources() throws {
    person.rows = ["a"]
    let other = Villager("Bob")
    other.rows = ["b", "c"]
    try section.observe("rows", of: person)
    try section.observe("rows", of: other)
    #expect(log.take() == [.reload, .reload, .reload])
    #expect(rows(of: section) == ["<b>", "<c>"])
    expectNoObserversLeft(on: person)
    try person.mutableArray(forKey: "rows").append("x")
    section.cancel()
    section.cancel()
    try other.mutableArray(forKey: "rows").append("x")
    #expect(log.take() == [.reload])
    #expect(section.rowCount == 0 && section.source == nil && section.keyPath == nil)
    expectNoObserversLeft(on: other)
  }

  @Test("LST.1: a section ends what it observes when it goes; nothing keeps its delegate or its source")
  func lifetimes() throws {
    var section: KVObservingListSection? = KVObservingListSection<String>()
    try section?.observe("rows", of: person)
    do {
      let delegate = SectionLog<String>()
      section?.delegate = delegate
    }
    #expect(section?.delegate == nil)
    try person.mutableArray(forKey: "rows").append("a")
    #expect(section?.rowCount == 1)
    section = nil
    expectNoObserversLeft(on: person)
  }

  @Test("LST.2: a section whose source is deallocated has no rows, and reports that")
  func deallocation() throws {
    var source: Villager? = Villager("Bob")
    source?.rows = ["a"]
    for _ in 0..<3 { try section.observe("rows", of: #require(source)) }
    weak let weakSource = source
    _ = log.take()
    source = nil
    #expect(weakSource == nil && section.source == nil && section.rowCount == 0)
    #expect(log.take() == [.reload])
    // Who has gone over to another source hears nothing of the death of the first.
    source = Villager("Cid")
    try section.observe("rows", of: #require(source))
    try section.observe("rows", of: person)
    _ = log.take()
    source = nil
    #expect(log.take() == [] && section.source === person)
  }

  @Test("LST.2: of a class of its own the deallocation of a source is seen at the next look")
  func deallocationOfOthers() throws {
    final class Own: KVObservable {
      let registrarSlot = KVRegistrarSlot()
      @KVProperty var names = ["a"]
    }
    var source: Own? = Own()
    try section.observe("names", of: #require(source))
    #expect(section.rowCount == 1)
    source = nil
    #expect(section.rowCount == 0)
  }

  @Test("LST.1: rows are complete if making them adds elements, and never endless")
  func makingChanges() throws {
    let (album, limit) = (Album(), Album())
    album.songs = [Song(), Song(), Song()]
    limit.name = "6"
    let growing = KVObservingListSection<String> { (song: Song) in
      if album.songs.count < Int(limit.name) ?? .max { album.songs.append(Song()) }
      return song.title
    }
    try growing.observe("songs", of: album)
    #expect(growing.rowCount == 6 && album.songs.count == 6)
    limit.name = "9"
    try album.mutableArray(forKey: "songs").remove(at: 0)
    #expect(growing.rowCount == 5 && album.songs.count == 5)
    try album.mutableArray(forKey: "songs").insert(Song(), at: 0)
    #expect(album.songs.count == 9 && growing.rowCount == 9)
    limit.name = "endless"
    _ = capturingEvents { album.songs = [Song()] }
    #expect(growing.rowCount == 0 && growing.error?.code == .doesNotSettle)
    growing.cancel()
    album.songs = [Song()]
    let error = #expect(throws: KVError.self) { try growing.observe("songs", of: album) }
    #expect(error?.code == .doesNotSettle && growing.source == nil)
  }

  @Test("LST.1: rows are right if making one changes another element, and a section that this ends has none")
  func makingEnds() throws {
    var changed: KVObservingListSection<String>?
    let section = KVObservingListSection<String> { [person] (text: String) in
      if text == "b", person.rows[0] != "z" { person.rows[0] = "z" }
      if text == "end" { changed?.cancel() }
      return text
    }
    changed = section
    section.delegate = log
    person.rows = ["a"]
    try section.observe("rows", of: person)
    try person.mutableArray(forKey: "rows").append("b")
    #expect(rows(of: section) == ["z", "b"] && log.take().last == .reload)
    try person.mutableArray(forKey: "rows").append("end")
    #expect(log.take() == [.reload] && section.rowCount == 0 && section.source == nil)
    expectNoObserversLeft(on: person)
    changed = nil
  }

  @Test("LST.1: an edit that replaces all rows is a replacement")
  func replacingAll() throws {
    person.rows = ["a", "b"]
    try section.observe("rows", of: person)
    _ = log.take()
    try person.mutableArray(forKey: "rows").replace(at: [0, 1], with: ["c", "d"])
    #expect(log.take() == [.replacement([0, 1])] && rows(of: section) == ["<c>", "<d>"])
  }

  @Test("LST.1: what cannot be observed is refused, and nothing is followed then")
  func refusals() throws {
    person.kids = [Villager("Bob")]
    let cases: [(KVKeyPath, KVError.Code, String)] = [
      (
        "age", .unsupported,
        "\"age\" has no rows: the Int 0 is not an array or a set. Observe a to-many path."
      ),
      (
        "kids", .typeMismatch,
        "row 0 of \"kids\" cannot be made: a value of type Villager is not a String. Let the closure of the section take "
          + "what is there."
      ),
    ]
    for (path, code, sentence) in cases {
      try section.observe("rows", of: person)
      let error = #expect(throws: KVError.self) { try section.observe(path, of: person) }
      #expect(error?.code == code && error?.message == sentence)
      #expect(section.source == nil && section.rowCount == 0)
      expectNoObserversLeft(on: person)
    }
    #expect(throws: KVError.self) { try section.observe("nowhere", of: person) }
  }

  @Test("LST.1: what turns out wrong later leaves no rows, says why, and can be mended")
  func laterFaults() throws {
    person.anything = ["a"]
    try section.observe("anything", of: person)
    person.anything = ["a", person]
    #expect(section.rowCount == 0)
    #expect(section.error?.message.hasPrefix("row 1 of \"anything\" cannot be made: a value of type Villager") == true)
    person.anything = "text"
    #expect(section.error?.code == .unsupported)
    person.anything = nil
    #expect(section.error == nil && section.rowCount == 0)
    person.anything = ["b"]
    #expect(section.error == nil && rows(of: section) == ["<b>"])
    try person.mutableArray(forKey: "anything").append(person)
    #expect(section.error != nil && section.rowCount == 0)
    try person.mutableArray(forKey: "anything").remove(at: 1)
    #expect(section.error == nil && rows(of: section) == ["<b>"])
  }
}
