import KVCore
import KVQuery
import Testing

@Suite("Access: subscripts behind the elements of a collection")
struct SubscriptTests {
  private static var rows: [[String: Any]] {
    [["a.b": 1, "@id": [1, 2], "self": "x"], ["a.b": 2, "@id": [3, 4], "self": "y"]]
  }

  @Test("KVC.5: a subscript behind a key that is read from each element belongs to the value of each")
  func reading() throws {
    let rows = Self.rows
    #expect(KVC.areEqual(try KVC.value(of: rows, forKeyPath: #"["a.b"]"#), [1, 2]))
    #expect(KVC.areEqual(try KVC.value(of: rows, forKeyPath: #"["@id"][1]"#), [2, 4]))
    #expect(KVC.areEqual(try KVC.value(of: rows, forKeyPath: #"["self"]"#), ["x", "y"]), "only the entry of that name")
    #expect(KVC.areEqual(try KVC.value(of: rows, forKeyPath: #"[1]["a.b"]"#), 2))
    #expect(KVC.areEqual(try KVC.value(of: [rows, rows], forKeyPath: #"["a.b"]"#), [[1, 2], [1, 2]]))
    let author = Author()
    author.rivals = [Author(), Author()]
    #expect(try author.value(forKeyPath: "rivals.titles[0]", as: [String].self) == ["Notes", "Notes"])
    #expect(try author.value(forKeyPath: "rivals[0].titles", as: [String].self) == ["Notes"])
    #expect(try author.value(forKeyPath: "rivals.titles.@count") as? Int == 2, "an operator is of the whole")
    #expect(try author.value(forKeyPath: "rivals.@unionOfObjects.titles[0]") as? [String] == ["Notes", "Notes"])
    #expect(
      failure { () throws(KVError) in try author.value(forKeyPath: "rivals.titles[1]") }?.message
        == "element 0: index 1 is out of range: the only valid index is 0.")
  }

  @Test("KVC.10: writing such a subscript sets that of each element, once each of them takes the value")
  func writing() throws {
    let author = Author()
    author.rivals = [Author(), Author()]
    try author.setValue("Diary", forKeyPath: "rivals.titles[0]")
    #expect(author.rivals.map(\.titles) == [["Diary"], ["Diary"]])
    author.rivals[1].titles = []
    let range = failure { () throws(KVError) in try author.setValue("Letters", forKeyPath: "rivals.titles[0]") }
    #expect(range?.code == .indexOutOfRange)
    #expect(author.rivals[0].titles == ["Diary"], "nothing has changed")
    var rows = Self.rows
    try KVC.setValue(7, forKeyPath: #"["a.b"]"#, in: &rows)
    #expect(KVC.areEqual(rows.map { $0["a.b"] }, [7, 7]))
    #expect(try KVC.canConvert("x", forKeyPath: "rivals.titles[0]", of: Author()))
    #expect(try !KVC.canConvert([1], forKeyPath: "rivals.rivals", of: author))
  }

  @Test("FLT.13: a text behind # is any key, of elements as well; FLT.4 FIRST and SIZE are of the whole value")
  func predicates() throws {
    let root: [String: Any] = ["rows": Self.rows, "@TYPE": "x", "e.f": 5]
    for format in [
      ##"#"@TYPE" == 'x'"##, ##"#"e.f" == 5"##, ##"ANY rows.#"a.b" == 2"##, ##"rows.@lastObject.#"a.b" == 2"##,
      ##"rows.#"@id"[0] == {1, 3}"##, ##"rows.#"@id"[FIRST] == {1, 2}"##, ##"rows.#"@id"[SIZE] == 2"##,
    ] {
      let predicate = try KVPredicate(format: format)
      #expect(try predicate.evaluate(with: root), "\(format)")
      #expect(try KVPredicate(format: predicate.description) == predicate, "\(predicate)")
    }
  }
}
