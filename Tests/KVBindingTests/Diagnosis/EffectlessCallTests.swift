import Foundation
import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

/// Every public call that can have no effect, with what it does instead of being silent.
///
/// The table in Docs/Diagnostics.md is made of these calls: a call that behaves in another way than its line says fails,
/// and so does a line that is missing.
@Suite("DIA.1, KVO.13, KVO.21: calls without effect are errors or warnings, as Docs/Diagnostics.md lists them")
struct EffectlessCallTests {
  struct Call: Sendable {
    /// What the line calls, in Markdown.
    let statement: String
    let outcome: String
    /// A text of the warning, if it is about no object.
    let text: String?
    /// Makes the call; returns the object that a warning is about.
    let run: @Sendable () throws -> ObjectIdentifier?

    init(
      _ statement: String, _ outcome: String, text: String? = nil,
      _ run: @escaping @Sendable () throws -> ObjectIdentifier?
    ) {
      self.statement = statement
      self.outcome = outcome
      self.text = text
      self.run = run
    }

    /// Returns whether an event is about the call.
    ///
    /// Other tests run at the same time, and cause events of their own objects.
    func causes(_ event: KVDiagnostics.Event, _ id: ObjectIdentifier?) -> Bool {
      if let text { return event.object == nil && event.message.contains(text) }
      return event.object == id && id != nil
    }

    /// The line of the table.
    var line: String { "| \(statement) | \(outcome) |" }
  }

  private static func person() -> (person: Villager, id: ObjectIdentifier) {
    let person = Villager("Ada")
    return (person, ObjectIdentifier(person))
  }

  /// Calls a function with an observed person.
  private static func observing(_ path: KVKeyPath, _ body: (Villager) -> Void) throws -> ObjectIdentifier {
    let (person, id) = Self.person()
    let token = try person.observe(path) { _ in }
    body(person)
    token.cancel()
    return id
  }

  private final class Plain: KVObject {}

  private enum Mood: String { case good, bad }

  private final class Moody: KVObject {
    @KVProperty var mood = Mood.good

    override class var keyTable: KVTable {
      super.keyTable.extended(for: Moody.self) { key in key("mood", \.mood) }
    }
  }

  static let calls: [Call] = [
    Call("`observe(\"silent\")`", "error `notObservable`") {
      try person().person.observe("silent") { _ in }.cancel()
      return nil
    },
    Call("`observe(\"plane\")`", "error `undefinedKey`") {
      try person().person.observe("plane") { _ in }.cancel()
      return nil
    },
    Call("`observe(\"name\", as: Int.self)`", "error `typeMismatch`") {
      try person().person.observe("name", as: Int.self) { _ in }.cancel()
      return nil
    },
    Call("`bind(\"name\", to: \"silent\", of: model)`", "error `notObservable`") {
      try person().person.bind("name", to: "silent", of: Villager("Bob"))
      return nil
    },
    Call("`bind(…, options: .init(.twoWay, transformer: .isNil))`", "error `notReversible`") {
      try person().person.bind("name", to: "name", of: Villager("Bob"), options: .init(.twoWay, transformer: .isNil))
      return nil
    },
    Call("`setValue(…, forKeyPath: \"next.name\")` without `next`", "error `unresolvedPath`") {
      try person().person.setValue("x", forKeyPath: "next.name")
      return nil
    },
    Call("`setValueIfResolved(…, forKeyPath: \"next.name\")` without `next`", "returns false") {
      let isSet = try person().person.setValueIfResolved("x", forKeyPath: "next.name")
      #expect(!isSet)
      return nil
    },
    Call("`removeTarget(view, .touch, forKeyPath: \"name\")`", "warning `unmatchedRemoval`") {
      let item = TargetItem()
      try item.removeTarget(TargetView(), TargetView.touch, forKeyPath: "name")
      return ObjectIdentifier(item)
    },
    Call("`unbind(\"name\")`", "warning `unmatchedRemoval`") {
      let unbound = person()
      try unbound.person.unbind("name")
      return unbound.id
    },
    Call("`didChangeValue(forKey: \"name\")` alone", "warning `unmatchedChange`") {
      try observing("name") { $0.didChangeValue(forKey: "name") }
    },
    Call("`willChangeValue(forKey: \"name\")` alone", "warning `unmatchedChange` when the object is deallocated") {
      try observing("name") { $0.willChangeValue(forKey: "name") }
    },
    Call("`withChange(forKey: \"plane\") { }`", "warning `unmatchedChange`") {
      try observing("name") { $0.withChange(forKey: "plane") {} }
    },
    Call("`withChange(.removal, at: [5], forKey: \"rows\") { }` of no rows", "warning `unmatchedChange`") {
      try observing("rows") { $0.withChange(.removal, at: [5], forKey: "rows") {} }
    },
    Call("`withChange(.removal, at: [0], forKey: \"name\") { }` of no collection", "warning `unmatchedChange`") {
      try observing("name") { $0.withChange(.removal, at: [0], forKey: "name") {} }
    },
    Call("`select(song)` of an array controller without the song", "nothing is selected, as in Cocoa") {
      let list = KVArrayController<Villager>()
      list.content = [Villager("Ada")]
      #expect((try? list.select(Villager("Bob"))) == true)
      #expect(list.selectedObjects.isEmpty)
      return ObjectIdentifier(list)
    },
    Call("`selectionIndexes = [7]` of fewer objects", "nothing is selected there, as in Cocoa") {
      let list = KVArrayController<Villager>()
      list.content = [Villager("Ada")]
      list.selectionIndexes = [7]
      #expect(list.selectedObjects.isEmpty)
      return ObjectIdentifier(list)
    },
    Call("`observer.removeObservations(of: model, forKeyPath: \"name\")`", "warning `unmatchedRemoval`") {
      let observed = person()
      try LifeOwner().removeObservations(of: observed.person, forKeyPath: "name")
      return observed.id
    },
    Call("`observeAll { }` of an object without such a key", "error `notObservable`") {
      try Plain().observeAll { _ in }.cancel()
      return nil
    },
    Call("`change.revert()` without the old value", "error `unsupported`") {
      let person = Villager("Ada")
      var changes: [KVChange] = []
      let token = try person.observe("name", options: .new) { changes.append($0) }
      person.name = "Bob"
      token.cancel()
      try #require(changes.first).revert()
      return nil
    },
    Call("`bind(…, options: .init(.once, initialSync: .none))`", "error `unsupported`") {
      try person().person.bind(
        "name", to: "name", of: Villager("Bob"), options: .init(.once, initialSync: .none))
      return nil
    },
    Call("`bind(…, options: .init(.once, trigger: .onCommit))`", "error `unsupported`") {
      try person().person.bind("name", to: "name", of: Villager("Bob"), options: .init(.once, trigger: .onCommit))
      return nil
    },
    Call("`bind(…, options: .init(nullPlaceholder: 5))` of a text", "error `typeMismatch`") {
      try person().person.bind("name", to: "name", of: Villager("Bob"), options: .init(nullPlaceholder: 5))
      return nil
    },
    Call("`binding.updateTarget()` after `cancel()`", "error `unsupported`") {
      let (person, source) = (Villager("Ada"), Villager("Bob"))
      let binding = try person.bind("name", to: "name", of: source)
      binding.cancel()
      try binding.updateTarget()
      return nil
    },
    Call("`KVTransformer.register(…, named: \"negateBoolean\")`", "error `unsupported`") {
      try KVTransformer.register(.isNil, named: "negateBoolean")
      return nil
    },
    Call(
      "`KVCoalescing.begin()` alone", "warning `unmatchedChange` when the thread ends", text: "a thread ended between"
    ) {
      WorkerThread { KVCoalescing.begin() }.runToEnd()
      return nil
    },
    Call("`token.limited(by: …)` of `onDeinit`", "warning `registration`", text: "limited(by:) has no effect") {
      let clock = KVManualClock()
      let limit = KVRateLimit.debounce(for: .seconds(1), clock: clock, on: KVManualExecutor())
      person().person.onDeinit {}.limited(by: limit)
      return nil
    },
    Call("`observe([\"name\", \"name\"])`", "error `invalidKeyPath`") {
      try person().person.observe(["name", "name"]) { _ in }.cancel()
      return nil
    },
    Call("`bind(\"name\", to: \"name\", of: person)` of the same person", "error `unsupported`") {
      let person = Villager("Ada")
      try person.bind("name", to: "name", of: person)
      return nil
    },
    Call(
      "`withChange(forKey: \"plane\") { }` of an object that was never observed or bound",
      "nothing: nobody would be notified"
    ) {
      let person = Villager("Ada")
      person.withChange(forKey: "plane") {}
      return ObjectIdentifier(person)
    },
    Call("`observe(\"mood\", as: String.self)` of an enum", "error `typeMismatch`") {
      try Moody().observe("mood", as: String.self) { _ in }.cancel()
      return nil
    },
    Call("`.format(\"%@ and {value1}\")` of several sources", "error `unsupported`") {
      let (person, source) = (Villager("Ada"), Villager("Bob"))
      try person.bind("name", toAll: [.init(source, "name")], by: .format("%@ and {value1}"))
      return nil
    },
    Call("`undo.levelsOfUndo = -1`", "warning `undo`: it is 0 then") {
      let undo = KVUndoManager()
      undo.levelsOfUndo = -1
      #expect(undo.levelsOfUndo == 0)
      return ObjectIdentifier(undo)
    },
    Call("`KVRateLimit.debounce(for: .seconds(-1), …)`", "warning `registration`", text: "limits nothing") {
      _ = KVRateLimit.debounce(for: .seconds(-1), clock: KVManualClock(), on: KVManualExecutor())
      return nil
    },
    Call("`token.limited(by: …)` again", "nothing: the last limit holds") {
      let (person, id) = Self.person()
      let (clock, executor) = (KVManualClock(), KVManualExecutor())
      let token = try person.observe("name") { _ in }
      token.limited(by: .debounce(for: .seconds(9), clock: clock, on: executor))
      token.limited(by: .debounce(for: .seconds(1), clock: clock, on: executor))
      token.cancel()
      return id
    },
    Call("`bind(\"name\", to: \"name\", of: source)` again", "nothing: both bindings set the name") {
      let (person, source) = (Villager("Ada"), Villager("Bob"))
      try person.bind("name", to: "name", of: source)
      try person.bind("name", to: "name", of: source)
      return ObjectIdentifier(person)
    },
    Call("`binding.commit()` without an edit", "nothing: `hasPendingEdit` is false") {
      let (person, source) = (Villager("Ada"), Villager("Bob"))
      let binding = try person.bind("name", to: "name", of: source, options: .twoWay)
      #expect(!binding.hasPendingEdit)
      try binding.commit()
      return ObjectIdentifier(source)
    },
    Call("`unbindAll()` and `observer.removeObservations()` of none", "nothing: there may be none") {
      let unbound = person()
      unbound.person.unbindAll()
      LifeOwner().removeObservations()
      LifeOwner().removeObservations(of: unbound.person)
      return unbound.id
    },
    Call("`KVCoalescing.commit()` alone", "nothing: there is no scope", text: "KVCoalescing") {
      KVCoalescing.commit()
      return nil
    },
    Call("`observe(\"name\", options: .membershipOnly)`", "nothing: no elements are read") {
      let (person, id) = Self.person()
      try person.observe("name", options: .membershipOnly) { _ in }.cancel()
      return id
    },
    Call("`token.cancel()` again", "nothing: it has ended") {
      try observing("name") { _ in }
    },
  ]

  @Test("DIA.1: each call does what its line says", arguments: calls.indices)
  func outcome(index: Int) throws {
    let call = Self.calls[index]
    var outcome: [String] = []
    var id: ObjectIdentifier?
    let events = capturingEvents {
      do { id = try call.run() } catch let error as KVError { outcome.append("error `\(error.code)`") } catch {
        outcome.append("\(error)")
      }
    }
    outcome += Set(events.filter { call.causes($0, id) }.map { "\($0.level) `\($0.topic)`" })
    if call.outcome.hasPrefix("returns") || call.outcome.hasPrefix("nothing") {
      #expect(outcome == [])
    } else {
      #expect(outcome.count == 1 && call.outcome.hasPrefix(outcome[0]), "\(call.statement): \(outcome)")
    }
  }

  @Test("DIA.1: the table of Docs/Diagnostics.md has these lines and no others")
  func table() throws {
    let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..").standardized
    let page = try String(contentsOf: root.appending(path: "Docs/Diagnostics.md"), encoding: .utf8)
    let section = try #require(page.components(separatedBy: "## Calls without effect").dropFirst().first)
    let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n").map(String.init)
      .filter { $0.hasPrefix("| `") }
    #expect(lines == Self.calls.map(\.line), "write:\n\(Self.calls.map(\.line).joined(separator: "\n"))")
  }
}
