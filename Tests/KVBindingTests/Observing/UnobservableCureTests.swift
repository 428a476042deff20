import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.13: the cures for keys that cannot notify")
struct UnobservableCureTests {
  private class Sealed: KVObject {
    let badge = 7
    var name = "Ada"
    var initial: String { String(name.prefix(1)) }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Sealed.self) { key in
        key("badge", \.badge)
        key("name", \.name)
        key("initial", \.initial)
      }
    }
  }

  @Test("KVO.13, KVO.17, KVC.18: long paths are shortened in the messages, and complete in the errors")
  func longPaths() throws {
    let person = Villager("Ada")
    person.next = person
    defer { person.next = nil }
    let steps = Array(repeating: "next", count: 3_000).joined(separator: ".")
    let hidden = Array(repeating: "hidden", count: 3_000).joined(separator: ".")
    func check(_ code: KVError.Code, _ text: String, _ path: String, _ body: () throws(KVError) -> Any?) {
      do throws(KVError) {
        _ = try body()
        Issue.record("\(text) is no error")
      } catch {
        #expect(error.code == code && error.message.contains(text))
        #expect(error.message.utf8.count < 1_000 && error.description.utf8.count < 1_500)
        #expect(error.keyPath == path)
      }
    }
    check(.notObservable, "leads through the elements", "\(steps).kids.name") { () throws(KVError) in
      try person.observe(KVKeyPath("\(steps).kids.name")) { _ in }
    }
    check(.notObservable, "\"hidden\" of Villager never notifies of a change.", hidden) { () throws(KVError) in
      try person.observe(KVKeyPath(hidden)) { _ in }
    }
  }

  /// What the errors of `Sealed` say to do.
  private final class Open: KVObject {
    @KVProperty var badge = 7
    @KVProperty var name = "Ada"
    var initial: String { String(name.prefix(1)) }
    var last: String { String(name.suffix(1)) }

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Open.self) { key in
        key("badge", \.badge)
        key("name", \.name)
        key("initial", \.initial).affected(by: "name")
        key("last", \.last).notifiesManually()
      }
    }
  }

  private final class Untabled: KVObject {
    var name = "Ada"
  }

  @Test("KVO.13: the line of what cannot be set is not told to be added")
  func lines() throws {
    for key in ["badge", "initial"] {
      let error = #expect(throws: KVError.self) { try Sealed().observe(key) { _ in } }
      #expect(error?.code == .notObservable)
      #expect(error?.message.contains("\"\(key)\" cannot be set.") == true)
      #expect(error?.message.contains("add the line") == false)
    }
    let target = Open()
    let error = #expect(throws: KVError.self) { try target.bind("name", to: "badge", of: Sealed()) }
    #expect(error?.message.contains("\"badge\" cannot be set.") == true)
    let (open, log) = (Open(), ChangeLines())
    let tokens = try ["badge", "initial", "last"].map { try log.watch(open, try KVKeyPath($0)) }
    open.badge = 8
    open.name = "Bea"
    open.withChange(forKey: "last") {}
    #expect(log.lines == ["badge setting 7 → 8", "initial setting A → B", "last setting a → a"])
    tokens.forEach { $0.cancel() }
  }

  private final class Rootless: KVObservable {
    let registrarSlot = KVRegistrarSlot()
    var name = "Ada"
  }

  @Test("KVO.13: a class without a table of its own is told to be a model, and else to declare a table")
  func missingTable() {
    func sentence(_ name: String, _ macro: String, _ table: String) -> String {
      #"""
      "name" of \#(name) never notifies of a change. If "name" is a stored property, mark \#(name) with \#(macro), or \#
      declare it @KVProperty var name, or add \#(table)\#(name).self) { key in key("name", \.name) } } to \#(name), which \#
      has no keyTable of its own (a property of another name, or of instances, is not one), which tells of writes by key; \#
      if it is computed, add .affected(by:) or .notifiesManually() to its line.
      """#
    }
    let object = #expect(throws: KVError.self) { try Untabled().observe("name") { _ in } }
    #expect(
      object?.message
        == sentence("Untabled", "@KVModel", "override class var keyTable: KVTable { super.keyTable.extended(for: "))
    let root = #expect(throws: KVError.self) { try Rootless().observe("name") { _ in } }
    #expect(
      root?.message
        == sentence(
          "Rootless", "@KVModel(.root) in place of its registrarSlot", "static var keyTable: KVTable { KVTable("))
  }

  private final class Silent: KeyValueCoding {
    var name = "Ada"
    static var keyTable: KVTable { KVTable(Silent.self) { key in key("name", \.name) } }
  }

  @Test("KVO.13, BND.1: a target of a class that cannot be observed is told to be a model, if its changes propagate")
  func unobservableTarget() {
    let error = #expect(throws: KVError.self) {
      try Silent().bind("name", to: "name", of: Villager("Ada"), options: .twoWay)
    }
    #expect(
      error?.message == """
        Silent does not notify of its changes, so no binding can follow its "name". Mark its class with @KVModel(.root), or \
        let it inherit from KVObject or conform to KVObservable; an object that sends events conforms to KVControl.
        """)
  }
}
