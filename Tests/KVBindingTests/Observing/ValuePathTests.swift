import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.11, KVO.19, KVC.9: paths through structs, dictionaries, indexes and records")
struct ValuePathTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVC.9: a nested struct: every observed level is reported once, siblings too, whichever way it is written")
  func structs() throws {
    let tokens = [
      try log.watch(person, "home.street.number"), try log.watch(person, "home.street", []),
      try log.watch(person, "home", []), try log.watch(person, "home.city"),
    ]
    let notified = [
      "home.street.number setting 1 → 5", "home.street setting nil → nil", "home setting nil → nil",
      "home.city setting Ur → Ur",
    ]
    try person.setValue(5, forKeyPath: "home.street.number")
    #expect(log.take() == notified)
    person.home.street.number = 1
    _ = log.take()
    person.home.street.number = 5
    #expect(log.take() == notified)
    try person.setValue("Uruk", forKeyPath: "home.city")
    #expect(log.lines.last == "home.city setting Ur → Uruk" && log.lines.count == 4)
    tokens.forEach { $0.cancel() }
  }

  @Test("KVC.9: with distinct only the level that changed is reported")
  func distinctStructs() throws {
    let tokens = [
      try log.watch(person, "home.street.number", [.new, .distinct]),
      try log.watch(person, "home.city", [.new, .distinct]),
    ]
    person.home.city = "Uruk"
    person.home.street.number = 2
    #expect(log.lines == ["home.city setting nil → Uruk", "home.street.number setting nil → 2"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVC.9, COL.2: an edit of an array in a struct is a setting of what contains it")
  func collectionInStruct() throws {
    let token = try log.watch(person, "home.street.lines")
    try person.mutableArray(forKeyPath: "home.street.lines").append("b")
    #expect(log.lines == ["home.street.lines setting [a] → [a, b]"])
    token.cancel()
  }

  @Test("KVO.11: an optional struct that leads to an object")
  func structToObject() throws {
    let token = try log.watch(person, "post.holder.name")
    let holder = Villager("Bob")
    person.post = VillagePost(holder: holder)
    holder.name = "Rob"
    person.post?.holder = Villager("Eve")
    holder.name = "unheard"
    person.post = nil
    #expect(
      log.lines == [
        "post.holder.name setting nil → Bob", "post.holder.name setting Bob → Rob",
        "post.holder.name setting Rob → Eve", "post.holder.name setting Eve → nil",
      ])
    token.cancel()
  }

  @Test("KVO.19: an entry of a dictionary")
  func dictionaries() throws {
    let tokens = [try log.watch(person, "scores.ada"), try log.watch(person, #"scores["b.c"]"#)]
    person.scores = ["ada": 1]
    person.scores["ada"] = 2
    try person.setValue(3, forKeyPath: "scores.ada")
    #expect(
      log.take().filter { $0.contains("ada") } == [
        "scores.ada setting nil → 1", "scores.ada setting 1 → 2", "scores.ada setting 2 → 3",
      ])
    try person.setValue(4, forKeyPath: #"scores["b.c"]"#)
    #expect(log.lines.last == #"scores["b.c"] setting nil → 4"#)
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.11: an element by its index: replaced, moved, gone and there again")
  func indexes() throws {
    let (a, b) = (Villager("a"), Villager("b"))
    person.kids = [a]
    let tokens = [try log.watch(person, "kids[0].name"), try log.watch(person, "kids[1].name", as: "second")]
    let kids = person.mutableArray(forKey: "kids")
    a.name = "a2"
    #expect(log.take() == ["kids[0].name setting a → a2"])
    try kids.insert(b, at: 0)
    #expect(log.take() == ["kids[0].name setting a2 → b", "second: kids[1].name setting nil → a2"])
    a.name = "a3"
    b.name = "b2"
    #expect(log.take() == ["second: kids[1].name setting a2 → a3", "kids[0].name setting b → b2"])
    try kids.removeAll()
    #expect(log.take() == ["kids[0].name setting b2 → nil", "second: kids[1].name setting a3 → nil"])
    a.name = "unheard"
    #expect(log.lines == [])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.11: an index at the end of a path")
  func lastIndex() throws {
    person.rows = ["a", "b"]
    let token = try log.watch(person, "rows[1]", [.old, .new, .initial])
    try person.mutableArray(forKey: "rows").replace(at: 1, with: "B")
    try person.mutableArray(forKey: "rows").remove(at: 0)
    person.rows = ["x", "y"]
    #expect(
      log.lines == [
        "rows[1] setting initial nil → b", "rows[1] setting b → B", "rows[1] setting B → nil",
        "rows[1] setting nil → y",
      ])
    token.cancel()
  }

  @Test("KVO.19: a record notifies per key, however it is set, and keys it does not have yet can be observed")
  func records() throws {
    let record: KVRecord = ["title": "x", "artist": ["name": "Miles"], "tags": ["a"]]
    let tokens = [
      try log.watch(record, "title"), try log.watch(record, "year"), try log.watch(record, "artist.name"),
      try log.watch(record, "tags"),
    ]
    record["title"] = "y"
    record.title = "z"
    try record.setValue(nil, forKey: "title")
    record["year"] = 1959
    record["other"] = 1
    try record.setValue("Bill", forKeyPath: "artist.name")
    record["artist"] = ["name": "Chet"] as [String: Any]
    record["artist"] = nil
    try record.mutableArray(forKey: "tags").append("b")
    #expect(
      log.lines == [
        "title setting x → y", "title setting y → z", "title setting z → nil", "year setting nil → 1959",
        "artist.name setting Miles → Bill", "artist.name setting Bill → Chet", "artist.name setting Chet → nil",
        "tags insertion at [1] nil → [b]",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.11: a property of any type: whatever appears there is followed")
  func anything() throws {
    let token = try log.watch(person, "anything.name")
    let other = Villager("Bob")
    person.anything = other
    other.name = "Rob"
    person.anything = ["name": "entry"]
    let record: KVRecord = ["name": "record"]
    person.anything = record
    record["name"] = "again"
    person.anything = nil
    other.name = "unheard"
    #expect(
      log.lines == [
        "anything.name setting nil → Bob", "anything.name setting Bob → Rob", "anything.name setting Rob → entry",
        "anything.name setting entry → record", "anything.name setting record → again",
        "anything.name setting again → nil",
      ])
    token.cancel()
  }
}
