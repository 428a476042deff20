import Foundation
import KVBinding
import KVCore
import KVTestSupport
import Synchronization
import Testing

/// A control whose toolkit tells twice of what a program sets: once as it was asked for, and once as it was clamped.
final class ClampingControl: KVControl {
  private var stored = 0.0
  var value: Double {
    get { stored }
    set {
      stored = newValue
      handlers.send(.valueChanged)
      if stored > 1 {
        stored = 1
        handlers.send(.valueChanged)
      }
    }
  }
  let handlers = KVControlHandlers()
  static var keyTable: KVTable { KVTable(ClampingControl.self) { key in key("value", \.value) } }
  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }
  func removeControlHandler(_ token: Any) { handlers.remove(token) }
}

final class LockedNumber: KVObject {
  // A lock that the thread sanitizer knows.
  let stored = Locked(0)
  override class var keyTable: KVTable {
    super.keyTable.extended(for: LockedNumber.self) { key in
      key("number", { $0.stored.withLock { $0 } }, set: { owner, value in owner.stored.withLock { $0 = value } })
    }
  }
}

@Suite("Bindings against the grain: controls, triggers, definitions", .serialized)
struct AdverseSecondTests {
  let model = AdverseBox()
  let view = AdverseBox()

  // MARK: Controls

  @Test("a control that clamps, and sends an event for it, does not change the model (Controls.md)")
  func clamping() throws {
    let control = ClampingControl()
    try control.bind("value", to: "price", of: model, options: .twoWay)
    model.price = 5
    #expect(control.value == 1 && model.price == 5)
  }

  @Test("on commit it does even less")
  func clampingOnCommit() throws {
    let control = ClampingControl()
    try control.bind("value", to: "price", of: model, options: .init(.twoWay, trigger: .onCommit))
    model.price = 5
    #expect(control.value == 1 && model.price == 5)
  }

  @Test("a pending edit survives a change of the source that is not its own value")
  func pendingEdit() throws {
    let control = SliderControl()
    try control.bind("value", to: "size.width", of: model, options: .init(.twoWay, trigger: .onCommit))
    control.drag(to: 0.25, isDone: false)
    model.size.height = 3
    control.handlers.send(.committed)
    #expect(model.size.width == 0.25)
  }

  // MARK: Triggers

  @Test("a pending edit of a one-key path survives an equal setting of the source")
  func pendingEqual() throws {
    let binding = try view.bind("name", to: "name", of: model, options: .init(.twoWay, trigger: .onCommit))
    view.name = "edited"
    model.name = model.name
    #expect(binding.hasPendingEdit && view.name == "edited")
  }

  @Test("a commit that fails can be committed again")
  func failedCommit() throws {
    let binding = try view.bind(
      "note", to: "number", of: model,
      options: .init(
        .twoWay,
        transformer: KVTransformer(
          forward: { (n: Int) in "\(n)" },
          reverse: { (s: String) throws -> Int in
            guard let number = Int(s) else { throw AdverseFailure() }
            return number
          }), trigger: .onCommit))
    view.note = "no number"
    #expect(throws: KVError.self) { try binding.commit() }
    #expect(
      binding.hasPendingEdit && view.note == "no number", "KVPathBinding.commit: the edit is still in the target then")
    try view.discardEditing()
    #expect(view.note == "0")
  }

  @Test("updateTarget() after the end says so")
  func updateAfterEnd() throws {
    let binding = try view.bind("name", to: "name", of: model)
    binding.cancel()
    model.name = "new"
    #expect(throws: KVError.self) { try binding.updateTarget() }
  }

  // MARK: Diagnostics

  @Test("a change of the source by a handler of the diagnostics is propagated")
  func mending() throws {
    let model = model
    let binding = try view.bind("number", to: "note", of: model, options: .init(nullPlaceholder: 0)) { (s: String) in
      guard let number = Int(s) else { throw AdverseFailure() }
      return number
    }
    handlerInUse.withLock { _ in
      nonisolated(unsafe) let source = model
      KVDiagnostics.setHandler(level: .error) { event in
        if event.topic == .binding, source.note == "bad" { source.note = "17" }
      }
      model.note = "bad"
      KVDiagnostics.setHandler(nil)
    }
    #expect(view.number == 17 && binding.state == .active, "\(binding)")
  }

  @Test("the error of a cycle can be distinguished from others: objects of one class")
  func ringNames() throws {
    let boxes = (0..<3).map { _ in AdverseBox() }
    for index in 0..<3 {
      try boxes[(index + 1) % 3].bind(
        "number", to: "number", of: boxes[index], options: .init(initialSync: .none)
      ) { (n: Int) in n + 1 }
    }
    boxes[0].number = 1
    let message = try #require(boxes.flatMap(\.bindings).compactMap(\.lastError).first).message
    #expect(message.contains("AdverseSecondTests.swift:"), "three times the same text: \(message)")
  }

  // MARK: Threads

  @Test("two threads set the source at once: in the end the target has what the source has")
  func threads() throws {
    for _ in 0..<30 {
      let (source, target) = (LockedNumber(), LockedNumber())
      let binding = try target.bind("number", to: "number", of: source, options: .init(.twoWay))
      let ends = KVUncheckedSendable(source)
      WorkerThread.run(4) { number in
        for step in 0..<300 { try? ends.value.setValue(number * 1000 + step, forKey: "number") }
      }
      let (left, right) = (source.stored.withLock { $0 }, target.stored.withLock { $0 })
      if left != right || binding.state != .active { return #expect(left == right, "\(binding)") }
    }
  }

  // MARK: Definitions

  @Test("a set with once and dispatched options, and definitions that conflict")
  func sets() throws {
    model.next = view
    let executor = KVManualExecutor()
    model.name = "m"
    let set = try KVBindingSet(
      [KVBindingDefinition(key: "k", "name", to: "note", ofTarget: "next", direction: .once)], owner: model,
      options: .init(concurrency: .dispatched(executor)))
    executor.runAll()
    #expect(view.note == "m" && set.bindings.count == 1)
  }

  @Test("a set that fails when values are set leaves no binding and no value")
  func setUndone() throws {
    model.next = view
    model.name = "no number"
    _ = try #require(
      throws: KVBindingFaults.self,
      performing: {
        try KVBindingSet(
          [
            KVBindingDefinition(key: "1", "name", to: "note", ofTarget: "next", direction: .twoWay),
            KVBindingDefinition(key: "2", "name", to: "number", ofTarget: "next", direction: .twoWay),
          ], owner: model)
      })
    #expect(view.note == nil && model.bindings.isEmpty && view.bindings.isEmpty)
    #expect(model.name == "no number")
  }

  @Test("document: a duplicate of one definition, and a binding that edits it")
  func document() throws {
    let document = KVBindingDocument()
    let first = KVEditableBindingDefinition()
    try document.mutableArray(forKey: "definitions").append(first)
    document.definitions.append(first)
    #expect(document.definitions.count == 2 && document.hasUnsavedChanges)
    first.key = "k"
    #expect(document.faults.filter { $0.code == .duplicateKey }.map(\.index) == [1])
    try document.mutableArray(forKey: "definitions").removeLast()
    #expect(document.faults.allSatisfy { $0.code == .missingEntry })
    let field = AdverseBox()
    try field.bind("name", to: "key", of: first, options: .twoWay)
    field.name = "typed"
    #expect(first.key == "typed" && document.faults.allSatisfy { $0.key == "typed" })
  }

  // MARK: Trees and lists

  @Test("a setter that gives the cell another data object while it is being shown")
  func nestedDataObject() throws {
    let node = TextNode()
    let child = TextNode()
    node.addChild(child)
    let other = TextNode()
    node.addChild(other)
    try child.bindTo("@superview.name", "text")
    try other.bindTo("@superview.name", "text")
    let token = try child.observe("text") { [unowned node, unowned child] _ in
      if child.text == "first" { node.dataObject = Fruit("second", "x") }
    }
    node.dataObject = Fruit("first", "x")
    #expect(child.text == "second" && other.text == "second")
    token.cancel()
  }

  @Test("a section: the source is deallocated in its delegate, is observed anew in its delegate")
  func sections() throws {
    var source: AdverseBox? = AdverseBox()
    source!.rows = ["a", "b"]
    let section = KVObservingListSection<String>(title: "T")
    let list = KVListDataSource<String>([section])
    let screen = ListScreen()
    screen.show(list)
    try section.observe("rows", of: source!)
    let another = AdverseBox()
    another.rows = ["z"]
    screen.onChange = { _, change in
      if case .rows(.insertion, _) = change { try? section.observe("rows", of: another) }
    }
    try source!.mutableArray(forKey: "rows").append("c")
    #expect(contents(of: list) == [["z"]] && screen.copy == [["z"]])
    source = nil
    #expect(contents(of: list) == [["z"]])
    #expect(KVDiagnostics.observations(of: another).count == 1)
  }

  @Test("transactions that are rolled back under a section")
  func sectionRollback() throws {
    model.rows = ["a", "b"]
    let section = KVObservingListSection<String>()
    let list = KVListDataSource<String>([section])
    let screen = ListScreen()
    try section.observe("rows", of: model)
    screen.show(list)
    #expect(throws: AdverseFailure.self) {
      try KVTransaction.run {
        let rows = model.mutableArray(forKey: "rows")
        try rows.append("c")
        try rows.remove(at: 0)
        try model.setValue(["q"], forKey: "rows")
        throw AdverseFailure()
      }
    }
    #expect(screen.copy == [["a", "b"]] && contents(of: list) == [["a", "b"]])
  }

  // MARK: Leaks

  @Test("whatever is bound and ended leaves nothing")
  func leaks() throws {
    weak var weakModel: AdverseBox?
    weak var weakView: AdverseBox?
    weak var weakCapture: AdverseBox?
    do {
      let (model, view, capture) = (AdverseBox(), AdverseBox(), AdverseBox())
      (weakModel, weakView, weakCapture) = (model, view, capture)
      model.next = AdverseBox()
      try view.bind("name", to: "next.name", of: model, options: .twoWay) { (s: String) in
        s + capture.name
      } reverse: {
        $0
      }
      try view.bind("number", to: "next.number", of: model, options: .init(.twoWay, trigger: .onCommit))
      try view.bind("rows", to: "rows", of: model, options: .init(.twoWay))
      try view.bind("note", toAll: [.init(model, "name"), .init(capture, "name")], by: .joined(separator: " "))
      try view.bind("first", to: "name", of: view) { (s: String) in s + view.last }
      _ = try? view.bind("number", to: "name", of: model)
      view.number = 7
      view.unbindAll()
    }
    #expect(weakModel == nil && weakView == nil && weakCapture == nil)
  }

  @Test("without unbinding")
  func leaksWithout() throws {
    weak var weakModel: AdverseBox?
    weak var weakView: AdverseBox?
    do {
      let (model, view) = (AdverseBox(), AdverseBox())
      (weakModel, weakView) = (model, view)
      model.next = model
      try view.bind("name", to: "next.next.name", of: model, options: .twoWay)
      model.note = "n"
      try model.bind("note", to: "name", of: view, options: .init(.toSource, trigger: .explicit))
      try view.bind("size.width", to: "price", of: model, options: .twoWay)
      view.name = "x"
      model.next = nil
    }
    #expect(weakModel == nil && weakView == nil)
  }
}
