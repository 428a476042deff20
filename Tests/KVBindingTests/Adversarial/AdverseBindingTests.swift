import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Testing

@Suite("Bindings against the grain")
struct AdverseBindingTests {
  let model = AdverseBox()
  let view = AdverseBox()

  // MARK: Triggers

  @Test("onCommit: a target that normalises what the binding sets does not change the source without a commit")
  func commitLooksAgain() throws {
    let binding = try view.bind("limited", to: "number", of: model, options: .init(.twoWay, trigger: .onCommit))
    model.number = 99
    #expect(view.limited == 10)
    #expect(model.number == 99, "the source changed without commit(): \(binding.hasPendingEdit)")
  }

  @Test("explicit: updateTarget() does not change the source")
  func explicitLooksAgain() throws {
    let binding = try view.bind("limited", to: "number", of: model, options: .init(.twoWay, trigger: .explicit))
    model.number = 99
    try binding.updateTarget()
    #expect(model.number == 99)
  }

  @Test("onCommit through a transformer, too")
  func commitLooksAgainSlow() throws {
    try view.bind(
      "limited", to: "number", of: model,
      options: .init(
        .twoWay, transformer: KVTransformer(forward: { (n: Int) in n }, reverse: { (n: Int) in n }), trigger: .onCommit)
    )
    model.number = 99
    #expect(model.number == 99)
  }

  // MARK: Mirrors

  @Test("a source that makes something else of a mirrored insertion reconciles the target (BND.3)")
  func mirrorReconciles() throws {
    try view.bind("rows", to: "few", of: model, options: .twoWay)
    view.rows = ["a", "b", "c"]
    try view.mutableArray(forKey: "rows").append("d")
    #expect(model.few == ["a", "b", "c"])
    #expect(view.rows == model.few)
  }

  @Test("a handler that edits the target during a mirrored insertion is propagated back")
  func mirrorSelfNotification() throws {
    model.rows = ["a"]
    let view = view
    let token = try view.observe("rows") { [unowned view] _ in
      if view.rows.last == "x" { try? view.mutableArray(forKey: "rows").append("y") }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    try model.mutableArray(forKey: "rows").append("x")
    #expect(view.rows == ["a", "x", "y"])
    #expect(model.rows == view.rows)
    token.cancel()
  }

  @Test("with wholes it works")
  func wholeSelfNotification() throws {
    let view = view
    let token = try view.observe("rows") { [unowned view] _ in
      if view.rows.last == "x" { view.rows.append("y") }
    }
    try view.bind("rows", to: "rows", of: model, options: .twoWay)
    model.rows = ["a", "x"]
    #expect(view.rows == ["a", "x", "y"] && model.rows == view.rows)
    token.cancel()
  }

  @Test("validates: true calls the validator for insertions, too")
  func mirrorValidates() throws {
    try view.bind("rows", to: "few", of: model, options: .init(validates: true))
    model.few = ["bad", "a"]
    #expect(view.rows == ["a"])
    model.few = ["a"]
    try model.mutableArray(forKey: "few").append("bad")
    #expect(view.rows == ["a"])
  }

  @Test("two-way with a lossy element transformer and edits at both endpoints stay equal")
  func lossyMirror() throws {
    model.rows = ["A", "b"]
    try view.bind(
      "rows", to: "rows", of: model, transform: { (s: String) in s.lowercased() },
      reverse: { (s: String) in s.uppercased() })
    try view.mutableArray(forKey: "rows").append("z")
    #expect(model.rows == ["A", "b", "Z"] && view.rows == ["a", "b", "z"])
    try model.mutableArray(forKey: "rows").remove(at: 0)
    #expect(model.rows == ["b", "Z"] && view.rows == ["b", "z"])
  }

  // MARK: Executors

  @Test("once, dispatched: the value arrives")
  func onceDispatched() throws {
    let executor = KVManualExecutor()
    model.name = "arrived"
    let binding = try view.bind(
      "name", to: "name", of: model, options: .init(.once, concurrency: .dispatched(executor)))
    executor.runAll()
    #expect(view.name == "arrived", "\(binding)")
  }

  @Test("only(executor): binding elsewhere is refused, or nothing is set")
  func onlyAtFirst() throws {
    let executor = KVManualExecutor()
    model.name = "from the wrong thread"
    let binding = try? view.bind("name", to: "name", of: model, options: .init(concurrency: .only(executor)))
    #expect(view.name == "a", "set on the wrong thread; \(binding.map { "\($0)" } ?? "refused")")
  }

  @Test("dispatched: both endpoints are deallocated while the work waits")
  func dispatchedDeallocation() throws {
    let executor = KVManualExecutor()
    var source: AdverseBox? = AdverseBox()
    var target: AdverseBox? = AdverseBox()
    let binding = try target!.bind(
      "name", to: "name", of: source!, options: .init(.twoWay, concurrency: .dispatched(executor)))
    source!.name = "x"
    expectReleased(&source)
    executor.runAll()
    #expect(binding.state == .ended && target!.name == "a")
    expectReleased(&target)
    #expect(executor.pendingCount == 0)
  }

  // MARK: Middles

  @Test("another object in the middle of a target's path gets the source's value, with a struct behind it (BND.3)")
  func structBehindObject() throws {
    model.price = 5
    view.next = AdverseBox()
    try view.bind("next.size.width", to: "price", of: model, options: .twoWay)
    #expect(view.next?.size.width == 5)
    view.next = AdverseBox()
    #expect(model.price == 5)
    #expect(view.next?.size.width == 5)
  }

  @Test("without the struct it is so")
  func objectOnly() throws {
    model.price = 5
    view.next = AdverseBox()
    try view.bind("next.price", to: "price", of: model, options: .twoWay)
    view.next = AdverseBox()
    #expect(model.price == 5 && view.next?.price == 5)
  }

  @Test("two members of one struct, two-way")
  func structMembers() throws {
    let other = AdverseBox()
    try view.bind("size.width", to: "price", of: model, options: .twoWay)
    try view.bind("size.height", to: "price", of: other, options: .twoWay)
    view.size = AdverseSize(width: 3, height: 4)
    #expect(model.price == 3 && other.price == 4)
    model.price = 9
    #expect(view.size == AdverseSize(width: 9, height: 4) && other.price == 4)
  }

  @Test("optional struct in the middle: unresolved, resolved, unresolved, with a fallback")
  func optionalStruct() throws {
    let binding = try view.bind("price", to: "maybeSize.width", of: model, options: .init(.twoWay, fallback: -1.0))
    #expect(view.price == -1)
    #expect(binding.state == .unresolved, "a fallback stands, but nothing is there: \(binding.state)")
    model.maybeSize = AdverseSize(width: 4, height: 4)
    #expect(view.price == 4 && binding.state == .active)
    view.price = 6
    #expect(model.maybeSize?.width == 6)
    model.maybeSize = nil
    #expect(view.price == -1)
    view.price = 8
    #expect(model.maybeSize == nil && binding.state == .unresolved)
    model.maybeSize = AdverseSize(width: 2, height: 2)
    #expect(view.price == 2)
  }

  @Test("index paths: two-way, out of range and back")
  func indexes() throws {
    model.rows = ["a", "b"]
    let binding = try view.bind("name", to: "rows[1]", of: model, options: .twoWay)
    #expect(view.name == "b")
    view.name = "B"
    #expect(model.rows == ["a", "B"])
    model.rows = ["only"]
    #expect(binding.state == .unresolved && view.name == "B")
    view.name = "C"
    #expect(model.rows == ["only"])
    try model.mutableArray(forKey: "rows").append("D")
    #expect(view.name == "D" && binding.state == .active)
    try model.mutableArray(forKey: "rows").insert("first", at: 0)
    #expect(view.name == "only")
  }

  @Test("dictionaries and records as endpoints, two-way")
  func dictionaries() throws {
    model.scores = ["bob": 1]
    let first = try view.bind("number", to: "scores.bob", of: model, options: .twoWay)
    view.number = 5
    #expect(model.scores == ["bob": 5])
    model.scores["bob"] = 6
    #expect(view.number == 6 && first.state == .active)
    let record: KVRecord = ["title": "x", "artist": ["name": "Miles"]]
    let binding = try record.bind("artist.name", to: "name", of: model, options: .twoWay)
    #expect(try record.value(forKeyPath: "artist.name") as? String == "a")
    try record.setValue("Bill", forKeyPath: "artist.name")
    #expect(model.name == "Bill")
    try record.setValue(["name": "Herbie"] as [String: Any], forKey: "artist")
    #expect(binding.state == .active)
    #expect(try record.value(forKeyPath: "artist.name") as? String == model.name, "\(model.name)")
  }

  // MARK: Sources of many kinds

  @Test("an operator in the source's path follows its elements")
  func operatorElements() throws {
    model.items = [AdverseBox(), AdverseBox()]
    try view.bind("price", to: "items.@sum.price", of: model)
    #expect(view.price == 2)
    model.items[0].price = 10
    #expect(view.price == 11)
  }

  @Test("a dependent key as the source, two-way, whose setter sets two others")
  func dependent() throws {
    try view.bind("name", to: "fullName", of: model, options: .twoWay)
    #expect(view.name == "A B")
    view.name = "Ada Lovelace"
    #expect(model.first == "Ada" && model.last == "Lovelace" && view.name == "Ada Lovelace")
    model.last = "Byron"
    #expect(view.name == "Ada Byron")
    view.name = "  Grace   Hopper "
    #expect(view.name == model.fullName)
  }

  @Test("manual keys: reported by hand, set by the binding, and an endpoint that a binding sets notifies others")
  func manual() throws {
    let binding = try view.bind("number", to: "manual", of: model, options: .twoWay)
    model.withChange(forKey: "manual") { model.manual = 3 }
    #expect(view.number == 3)
    view.number = 4
    #expect(model.manual == 4 && binding.state == .active)
  }

  @Test("toSource from a key that can only be read, to a source that normalises")
  func readOnlyToSource() throws {
    view.name = "b"
    let binding = try view.bind("shout", to: "note", of: model, options: .toSource)
    view.name = "c"
    #expect(model.note == "C" && binding.state == .active)
    try view.bind(
      "shout", to: "limited", of: model,
      options: .init(
        .toSource,
        transformer: KVTransformer(forward: { (n: Int) in "\(n)" }, reverse: { (s: String) in s.utf8.count * 100 })))
    #expect(model.limited == 10)
  }

  // MARK: Values

  @Test("the null placeholder counts as nil in the reverse direction, also when its type is another one")
  func placeholder() throws {
    let binding = try view.bind("price", to: "amount", of: model, options: .init(.twoWay, nullPlaceholder: 0))
    #expect(view.price == 0)
    view.price = 5
    #expect(model.amount == 5)
    view.price = 0
    #expect(model.amount == nil && binding.state == .active)
  }

  @Test("a cycle of bindings settles with a NaN")
  func notANumber() throws {
    let third = AdverseBox()
    try view.bind("price", to: "price", of: model)
    try third.bind("price", to: "price", of: view)
    let last = try model.bind("price", to: "price", of: third)
    model.price = .nan
    #expect(last.state == .active && view.bindings.allSatisfy { $0.state == .active }, "\(view.bindings)")
  }

  @Test("values that cannot be compared in a ring: the error says so")
  func opaque() throws {
    try view.bind("opaque", to: "opaque", of: model)
    let back = try? model.bind("opaque", to: "opaque", of: view)
    model.opaque = AdverseOpaque(number: 3)
    #expect(view.opaque.number == 3)
    let errors = view.bindings.compactMap(\.lastError)
    #expect(
      errors.allSatisfy { $0.message.contains("Equatable") || $0.message.contains("compare") },
      "\(errors) \(back as Any)")
  }

  @Test("a transformer that throws is called once a change")
  func callsOnce() throws {
    var calls = 0
    let binding = try view.bind("name", to: "number", of: model) { (n: Int) throws -> String in
      calls += 1
      if n == 13 { throw AdverseFailure() }
      return "\(n)"
    }
    calls = 0
    model.number = 13
    #expect(calls == 1 && binding.state == .failed)
  }

  @Test("what is ended inside of its transformer sets nothing any more")
  func endInTransformer() throws {
    var binding: KVPathBinding?
    binding = try view.bind("name", to: "number", of: model) { (n: Int) in
      binding?.cancel()
      return "\(n)"
    }
    model.number = 5
    #expect(binding?.state == .ended)
    #expect(view.name == "0")
  }

  @Test("what is unbound and bound anew inside of a transformer sets nothing any more")
  func rebindInTransformer() throws {
    let (model, view) = (model, view)
    var isFirst = false
    try view.bind("name", to: "number", of: model) { (n: Int) -> String in
      if isFirst {
        isFirst = false
        view.unbindAll()
        model.name = "new"
        try view.bind("name", to: "name", of: model)
      }
      return "old \(n)"
    }
    isFirst = true
    model.number = 5
    #expect(view.name == "new", "an ended binding has overwritten what the new one had set")
    #expect(view.bindings.count == 1)
  }

  // MARK: Same ends

  @Test("one object, one path at both ends")
  func selfBinding() throws {
    let binding = try view.bind("number", to: "number", of: view, options: .twoWay)
    view.number = 5
    #expect(view.number == 5 && binding.state == .active)
    let growing = try? view.bind("number", to: "number", of: view) { (n: Int) in n + 1 }
    #expect(growing == nil)
    #expect(view.bindings.count == 1)
  }

  @Test("two-way between two keys of one object")
  func sameObject() throws {
    try view.bind("name", to: "note", of: view, options: .init(.twoWay, nullPlaceholder: ""))
    #expect(view.name == "")
    view.name = "x"
    #expect(view.note == "x")
    view.note = nil
    #expect(view.name == "")
  }

  // MARK: Lifetimes

  @Test("toSource: the binding ends when the source is deallocated (BND.8)")
  func toSourceDeallocation() throws {
    var source: AdverseBox? = AdverseBox()
    let binding = try view.bind("name", to: "name", of: source!, options: .toSource)
    source = nil
    #expect(binding.state == .ended)
    #expect(!KVDiagnostics.bindings.contains(binding) && KVDiagnostics.observations(of: view).isEmpty)
  }

  @Test("explicit and none: ends when either endpoint is deallocated")
  func explicitDeallocation() throws {
    var source: AdverseBox? = AdverseBox()
    let binding = try view.bind("name", to: "name", of: source!, options: .init(.twoWay, trigger: .explicit))
    source = nil
    #expect(binding.state == .ended && KVDiagnostics.observations(of: view).isEmpty)
  }

  @Test("a target that is released by the setter that the binding calls")
  func dyingTarget() throws {
    var target: AdverseBox? = AdverseBox()
    weak let weakTarget = target
    let binding = try target!.bind("name", to: "name", of: model)
    let token = try target!.observe("name") { _ in target = nil }
    model.name = "die"
    #expect(weakTarget == nil && binding.state == .ended && KVDiagnostics.observations(of: model).isEmpty)
    token.cancel()
  }
}
