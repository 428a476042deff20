import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.21: what a table knows to be impossible is refused at registration")
struct ImpossibleObservationTests {
  private let model = Impossible()

  @Test("KVO.21: values that never convert to the type of a typed observation")
  func types() throws {
    let error = #expect(throws: KVError.self) { _ = try model.observe("age", as: String.self) { _ in } }
    #expect(error?.code == .typeMismatch)
    #expect(
      error?.message == """
        "age" of Impossible is observed as String, but its values are of the type Int, which never convert to it. \
        Observe it as: Int.self.
        """)
    for path in ["name", "tags", "next", "next.name", "kind"] {
      model.next = Impossible()
      #expect(throws: KVError.self) { _ = try model.observe(path, as: Int.self) { _ in } }
    }
    #expect(throws: KVError.self) { _ = try model.observe("age", as: String.self, owner: model) { _, _ in } }
    #expect(throws: KVError.self) { _ = try model.changes(of: "age", as: [Int].self) }
    expectNoObserversLeft(on: model)
  }

  @Test("KVO.21: the cure of the message, and what may fit, are accepted")
  func fitting() throws {
    var seen: [String] = []
    let tokens = [
      try model.observe("age", as: Int.self) { seen.append("\($0.new ?? 0)") },
      try model.observe("age", as: Double.self) { seen.append("\($0.new ?? 0)") },
      try model.observe("age", as: Bool.self) { seen.append("\($0.new ?? false)") },
      try model.observe("name", as: String.self) { _ in }, try model.observe("tags", as: Set<String>.self) { _ in },
      try model.observe("next", as: KVObject.self) { _ in }, try model.observe("anything", as: Int.self) { _ in },
      try model.observe("age", as: Any.self) { _ in }, try model.observe("kind", as: Impossible.Kind.self) { _ in },
    ]
    model.age = 2
    #expect(seen == ["2", "2.0", "true"])
    tokens.forEach { $0.cancel() }
  }

  @Test("KVO.21: a dependent key none of whose sources can notify, also in a chain or a circle")
  func deadDependents() throws {
    for key in ["initial", "chained", "here"] {
      let error = #expect(throws: KVError.self) { _ = try model.observe(key) { _ in } }
      #expect(error?.code == .notObservable, "\(key)")
      #expect(throws: KVError.self) { _ = try Villager().bind("name", to: key, of: model) }
    }
    let error = #expect(throws: KVError.self) { _ = try model.observe("initial") { _ in } }
    #expect(
      error?.message == """
        "initial" of Impossible never notifies of a change: it is affected by "silent", which never does so either. \
        If "silent" is a stored property, declare it @KVProperty var silent, or add the line key("silent", \\.silent) \
        to the keyTable of Impossible, which tells of writes by key; if it is computed, add .affected(by:) or \
        .notifiesManually() to its line.
        """)
    let chained = #expect(throws: KVError.self) { _ = try model.observe("chained") { _ in } }
    #expect(
      chained?.message.hasPrefix(
        """
        "chained" of Impossible never notifies of a change: it depends by "initial" on "silent", which never does so either. \
        If "silent" is a stored property,
        """) == true)
    for key in ["mixed", "written", "farther", "listed"] { try model.observe(key) { _ in }.cancel() }
  }

  @Test(
    "KVO.21, DEP.3: dependent keys in a circle that no other key affects are refused, and the error lists them",
    arguments: [("left", "left"), ("right", "right"), ("also", "right"), ("beyond", "left")])
  func circle(key: String, first: String) throws {
    let circle = first == "left" ? #""left" → "right" → "left""# : #""right" → "left" → "right""#
    let error = #expect(throws: KVError.self) { _ = try Circular().observe(key) { _ in } }
    #expect(error?.code == .notObservable)
    #expect(
      error?.message == """
        "\(key)" of Circular never notifies of a change: the dependent keys \(circle) depend on each other in a circle, and \
        on no other key. Name a key that notifies in .affected(by:) of one of them.
        """)
    let model = #expect(throws: KVError.self) { _ = try CircularModel().observe("left") { _ in } }
    #expect(
      model?.message == """
        "left" of CircularModel never notifies of a change: the dependent keys "left" → "right" → "left" depend on each other \
        in a circle, and on no other key. Name a key that notifies in @KVKey(.affected(by: …)) of one of them.
        """)
  }

  @Test("KVO.21: the cure for a dependent key of a let is that of the let, and not a line that exists")
  func constantSource() {
    let error = #expect(throws: KVError.self) { _ = try CircularModel().observe("number") { _ in } }
    #expect(
      error?.message == """
        "number" of CircularModel never notifies of a change: it is affected by "fixed", which never does so either. "fixed" \
        cannot be set. If it is a "let" there is nothing to observe: read it, or make it a var. If it is computed, write \
        @KVKey(.affected(by: …)) or @KVKey(.notifiesManually) before it.
        """)
  }
}

private final class Impossible: KVObject {
  enum Kind: Int { case good, bad }

  @KVProperty var age = 1
  @KVProperty var name: String? = "a"
  @KVProperty var tags: [String] = []
  @KVProperty var next: Impossible?
  @KVProperty var anything: Any?
  @KVProperty var kind = Kind.good
  var silent = "s"
  var plain = "p"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Impossible.self) { key in
      key("age", \.age)
      key("name", \.name)
      key("tags", \.tags)
      key("next", \.next)
      key("anything", \.anything)
      key("kind", \.kind)
      key("plain", \.plain)
      key("initial") { $0.silent }.affected(by: "silent")
      key("chained") { $0.silent }.affected(by: "initial")
      key("here") { $0.silent }.affected(by: "there")
      key("there") { $0.silent }.affected(by: "here", "silent")
      key("mixed") { $0.silent }.affected(by: "silent", "age")
      key("written", { $0.silent }, set: { $0.silent = $1 }).affected(by: "silent")
      key("farther") { $0.silent }.affected(by: "next.initial")
      key("listed") { $0.plain }.affected(by: "plain")
    }
  }
}

private final class Circular: KVObject {
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Circular.self) { key in
      key("left") { _ in 1 }.affected(by: "also")
      key("right") { _ in 2 }.alias("also").affected(by: "left")
      key("beyond") { _ in 3 }.affected(by: "left")
    }
  }
}

@KVModel private final class CircularModel: KVObject {
  let fixed = 1
  @KVKey(.affected(by: "right")) var left: Int { 1 }
  @KVKey(.affected(by: "left")) var right: Int { 2 }
  @KVKey(.affected(by: "fixed")) var number: Int { 3 }
}
