import Foundation
import KVBinding
import Testing

@Suite("Bindings: values of options, and what cannot be written")
struct PlaceholderCureTests {
  @Test("BND.3: nil for a target that takes none has the cure nullPlaceholder, which works")
  func null() throws {
    let (note, field) = (Memo(), CuredField())
    let error = failure { () throws(KVError) in _ = try field.bind("text", to: "remark", of: note) }
    #expect(
      error?.message.contains(
        """
        nil is not a String. Bind with the option nullPlaceholder: and a value to show, or make the property optional.
        """) == true)
    try field.bind("text", to: "remark", of: note, options: .init(nullPlaceholder: "none"))
    #expect(field.text == "none")
  }

  @Test("BND.11: an error about nil that the program throws keeps its words")
  func ownError() {
    let error = failure { () throws(KVError) in _ = try StrictField().bind("text", to: "remark", of: Memo()) }
    #expect(error?.message == StrictField.sentence)
  }

  @Test("BND.3: a placeholder that does not fit the target is refused by the call, which names the option")
  func misfitting() {
    let (note, field) = (Memo(), CuredField())
    for (options, name) in [
      (KVBindingOptions(nullPlaceholder: 5), "nullPlaceholder"), (KVBindingOptions(fallback: 5), "fallback"),
    ] {
      let error = failure { () throws(KVError) in _ = try field.bind("text", to: "title", of: note, options: options) }
      #expect(error?.code == .typeMismatch)
      #expect(
        error?.message.hasSuffix(
          """
          The option \(name) is set as it is, whatever function the binding has: give it a value of type String.
          """) == true)
    }
  }

  @Test("TRN.3: a function that is called for each element has the cure of one that takes the whole, which works")
  func elementwise() throws {
    let (note, field) = (Memo(), CuredField())
    let error = failure { () throws(KVError) in
      _ = try field.bind("text", to: "tags", of: note) { (tag: String) in tag }
    }
    #expect(
      error?.message.hasSuffix(
        """
        The function of the binding is called for each element of the source; let it take the whole: \
        { (value: Array<String>) in … }.
        """) == true)
    try field.bind("text", to: "tags", of: note) { (tags: [String]) in tags.joined() }
    #expect(field.text == "ab")
  }

  @Test("BND.13: a binding that is made once has nothing to commit, and refuses the trigger")
  func trigger() {
    let (note, field) = (Memo(), CuredField())
    let error = failure { () throws(KVError) in
      _ = try field.bind("text", to: "title", of: note, options: .init(.once, trigger: .onCommit))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("leave out the option trigger: .onCommit, or bind two-way.") == true)
  }

  @Test("BND.2: a binding that would write what an operator computes is refused by the call")
  func operators() throws {
    let (note, field) = (Memo(), CuredField())
    let error = failure { () throws(KVError) in
      _ = try field.bind("count", to: "tags.@count", of: note, options: .twoWay)
    }
    #expect(error?.code == .notSettable)
    #expect(error?.message.hasPrefix("@count computes a value, which cannot be written") == true)
    try field.bind("count", to: "tags.@count", of: note)
    #expect(field.count == 2)
  }

  @Test(
    "BND.2: values that never fit the target are refused by the call, also while the source is nil",
    arguments: [
      ("due", "a Date", ""), ("mood", "a Mood", ""), ("owner", "a CuredField", ""),
      ("text", "a String", "Write @KVKey(.lenient) before the property of the source, or .lenient() in its table, or "),
    ])
  func types(key: String, type: String, cure: String) throws {
    let (note, field) = (Memo(), CuredField())
    func error() -> KVError? { failure { () throws(KVError) in _ = try field.bind(key, to: "count", of: note) } }
    let whileNil = error()
    note.count = 5
    let later = error()
    #expect(whileNil?.code == .typeMismatch && later?.code == .typeMismatch)
    let bind = cure.isEmpty ? "Bind" : "\(cure)bind"
    #expect(
      whileNil?.message == """
        cannot set "\(key)" of CuredField: an Int is not \(type). \(bind) with a function that converts it: \
        { (value: Int) in … }, or for a text transformer: .format("%d").
        """)
    #expect(whileNil?.message == later?.message.replacing("the Int 5 is", with: "an Int is"))
    #expect(whileNil?.keyPath == key && whileNil?.rootType == later?.rootType)
    let twoWay = failure { () throws(KVError) in _ = try field.bind(key, to: "count", of: note, options: .twoWay) }
    #expect(
      twoWay?.message.hasSuffix(
        "\(bind) with a function for each direction: transform: { (value: Int) in … }, reverse: { … }.") == true)
  }

  @Test("BND.2: a nil whose type may fit is no mistake: numbers, raw values, texts of lenient keys, and any value")
  func fittingTypes() throws {
    let (note, field) = (Memo(), CuredField())
    for key in ["rank", "level", "any"] { try field.bind(key, to: "count", of: note) }
    try field.bind("count", to: "count", of: note, options: .init(nullPlaceholder: 0))
    try field.bind("read", to: "remark", of: note)
    try field.bind("due", to: "count", of: note) { (count: Int) in Date(timeIntervalSince1970: Double(count)) }
    note.count = 1
    #expect(field.rank == 1 && field.level == .high && field.count == 1 && field.any as? Int == 1)
    #expect(field.due == Date(timeIntervalSince1970: 1))
    note.remark = "7"
    #expect(field.read == 7)
  }

  @Test("BND.2: a binding that would write an element of a tuple is refused", arguments: ["place.0", "place.x"])
  func tuples(path: String) throws {
    let (note, field) = (Memo(), CuredField())
    let error = failure { () throws(KVError) in _ = try field.bind("count", to: path, of: note, options: .twoWay) }
    #expect(error?.code == .notSettable)
    #expect(error?.message.contains("elements of tuples and payloads of enums can only be read.") == true)
    try field.bind("count", to: path, of: note)
    #expect(field.count == 3)
  }
}

private func failure(_ body: () throws(KVError) -> Void) -> KVError? {
  do throws(KVError) { try body() } catch { return error }
  return nil
}

private final class Memo: KVObject {
  @KVProperty var title = "a"
  @KVProperty var remark: String?
  @KVProperty var count: Int?
  @KVProperty var tags = ["a", "b"]
  @KVProperty var place = (x: 3, y: 4)

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Memo.self) { key in
      key("title", \.title)
      key("remark", \.remark)
      key("count", \.count)
      key("tags", \.tags)
      key("place", \.place)
    }
  }
}

private final class StrictField: KVObject {
  static let sentence = "not nil. Make the property optional, or override setNilValue(forKey:) to choose a value."

  @KVProperty var text = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: StrictField.self) { key in key("text", \.text) }
  }

  override func setNilValue(forKey key: String) throws(KVError) { throw KVError(.nilValue, Self.sentence) }
}

private enum Mood: String { case good }
private enum Level: Int { case low, high }

private final class CuredField: KVObject {
  @KVProperty var text = ""
  @KVProperty var count = 0
  @KVProperty var due: Date?
  @KVProperty var mood: Mood?
  @KVProperty var owner: CuredField?
  @KVProperty var rank: Double?
  @KVProperty var level: Level?
  @KVProperty var read: Int?
  @KVProperty var any: Any?

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CuredField.self) { key in
      key("text", \.text)
      key("count", \.count)
      key("due", \.due)
      key("mood", \.mood)
      key("owner", \.owner)
      key("rank", \.rank)
      key("level", \.level)
      key("read", \.read).lenient()
      key("any", \.any)
    }
  }
}
