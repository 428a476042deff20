import KVBinding
import KVControllers
import KVCore
import KVTestSupport
import TestModels
import Testing

/// An object that a key alone holds ends inside the change of that key.
///
/// The matrix: every way to replace it × everything that can end with it × with and without a lock in the getter. The
/// exclusive access to the property, the lock and the address sanitizer are the judges.
@Suite("LIF.3: objects that end inside a change")
struct DeathInChangeTests {
  /// Replaces the node, which the test must not keep, and returns the new one.
  private static func replace(_ way: DeathWay, in root: KVObject) throws -> DeathNode {
    try way.replace(by: DeathNode.make(2), in: root)
    return try #require(root.value(forKeyPath: way.path) as? DeathNode)
  }

  private static func world(_ way: DeathWay, _ isLocked: Bool) -> KVObject {
    way.makeRoot(DeathNode.make(1), isLocked: isLocked)
  }

  static let all = DeathWay.allCases.flatMap { way in
    (way.canLock ? [false, true] : [false]).map { (way, $0) }
  }

  /// The ways in which the former node ends in the change.
  static let ending = all.filter(\.0.endsFormer)

  @Test(
    "LIF.3: a middle object that ends inside a change is part of it: one notification, and the path follows the new one",
    arguments: all)
  func middle(way: DeathWay, isLocked: Bool) throws {
    for (suffix, factor) in [(".v", 1), (".next.v", 10)] {
      let root = Self.world(way, isLocked)
      let (log, silent, typed) = (ChangeLines(), ChangeLines(), ChangeLines())
      let tokens = [
        try root.observe(way.path + suffix) { log.lines.append("\($0.old ?? "nil") \($0.new ?? "nil")") },
        try root.observe(way.path + suffix, options: []) { _ in silent.lines.append("") },
        try root.observe(way.path + suffix, as: Int.self) { typed.lines.append("\($0.new ?? -1)") },
      ]
      let node = try Self.replace(way, in: root)
      if way.isBracketed {
        #expect(log.lines == ["\(factor) \(2 * factor)"])
        #expect(typed.lines == ["\(2 * factor)"])
      } else {
        #expect(log.lines == ["nil nil"])
        #expect(typed.lines == ["-1"])
      }
      #expect(silent.lines.count == 1)
      way.tell(root)
      log.lines = []
      (factor == 1 ? node : try #require(node.next)).v = 7
      #expect(log.lines == ["\(2 * factor) 7"])
      withExtendedLifetime(tokens) {}
    }
  }

  @Test("LIF.3, WAV.7, DEP.4: a key that depends on the object is notified once", arguments: all)
  func dependent(way: DeathWay, isLocked: Bool) throws {
    guard let label = way.label else { return }
    let root = Self.world(way, isLocked)
    let log = ChangeLines()
    let token = try root.observe(label) { log.lines.append("\($0.old ?? "nil") \($0.new ?? "nil")") }
    let node = try Self.replace(way, in: root)
    #expect(log.lines.count == 1)
    if !way.isBracketed { #expect(log.lines == ["nil nil"]) }
    way.tell(root)
    log.lines = []
    node.v = 7
    #expect(log.lines.count == 1)
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3, BND.3: a binding through the object sets its target once, and follows the new one", arguments: all)
  func binding(way: DeathWay, isLocked: Bool) throws {
    let root = Self.world(way, isLocked)
    let view = DeathNode(0)
    let binding = try view.bind("copy", to: way.path + ".v", of: root)
    #expect(view.copy == 1)
    let log = ChangeLines()
    let token = try view.observe("copy") { log.lines.append("\($0.new ?? "nil")") }
    let node = try Self.replace(way, in: root)
    #expect(log.lines == (way.isBracketed ? ["2"] : []))
    #expect(binding.state == (way.isBracketed ? .active : .unresolved))
    way.tell(root)
    node.v = 7
    #expect(view.copy == 7 && binding.state == .active)
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3, LIF.1: what the object observes or owns ends with it", arguments: ending)
  func owners(way: DeathWay, isLocked: Bool) throws {
    let (root, other) = (Self.world(way, isLocked), DeathNode.make(5))
    let log = ChangeLines()
    func register(_ former: DeathNode) throws {
      // An owner, an observer, a target and a root, and objects that end with them.
      try root.observe(way.path + ".v", owner: former) { _, _ in log.lines.append("owner") }
      try former.observe(other, "v") { _, _, _ in log.lines.append("observer") }
      try other.addTarget(
        former, KVAction("note", perform: { _, _ in log.lines.append("target") }), forKeyPath: "next.v")
      former.kept = [
        try former.observe("next.v") { _ in log.lines.append("root") },
        try former.observeElements(of: "kids", "v") { _ in log.lines.append("element") },
        try former.observe("kids.@sum.v") { _ in log.lines.append("operator") },
      ]
      try former.bind("copy", to: "v", of: other)
    }
    try register(#require(root.value(forKeyPath: way.path) as? DeathNode))
    log.lines = []
    weak let former = try root.value(forKeyPath: way.path) as? DeathNode
    let node = try Self.replace(way, in: root)
    #expect(former == nil)
    // A setter that notifies keeps the former value until it has notified.
    #expect(log.lines.filter { $0 != "owner" } == [] && log.lines.count <= 1)
    log.lines = []
    way.tell(root)
    node.v = 7
    other.v = 7
    other.next?.v = 7
    #expect(log.lines == [])
    #expect(KVDiagnostics.observations(of: other).isEmpty && KVDiagnostics.bindings(of: other).isEmpty)
  }

  @Test("LIF.3, KVO.18: elements and operators behind the object are notified of once", arguments: all)
  func elements(way: DeathWay, isLocked: Bool) throws {
    let root = Self.world(way, isLocked)
    let (sums, elements) = (ChangeLines(), ChangeLines())
    let tokens = [
      try root.observe(way.path + ".kids.@sum.v") { sums.lines.append("\($0.new ?? "nil")") },
      try root.observeElements(of: way.path + ".kids", "v") { elements.lines.append("\($0.new ?? "nil")") },
    ]
    let node = try Self.replace(way, in: root)
    #expect(sums.lines == [way.isBracketed ? "4" : "nil"])
    way.tell(root)
    (sums.lines, elements.lines) = ([], [])
    node.kids[0].v = 7
    #expect(sums.lines == ["9"] && elements.lines == ["7"])
    withExtendedLifetime(tokens) {}
  }

  @Test(
    "LIF.3: what an element or a dependent key behind the object leads to ends in the same change: one notification",
    arguments: all)
  func behindElementsAndKeys(way: DeathWay, isLocked: Bool) throws {
    for (suffix, former, new) in [
      (".kids.@sum.far.v", "200", "400"), (".kids.@lastObject.far.v", "100", "200"),
      (".kids.@max.farLabel", "far 100", "far 200"), (".kids.@lastObject.farLabel", "far 100", "far 200"),
      (".kids[0].farLabel", "far 100", "far 200"), (".next.farLabel", "far 100", "far 200"),
    ] {
      let root = Self.world(way, isLocked)
      let log = ChangeLines()
      let token = try root.observe(way.path + suffix) { log.lines.append("\($0.old ?? "nil") \($0.new ?? "nil")") }
      _ = try Self.replace(way, in: root)
      // Without a change, each of the objects that end on the way is one.
      #expect(way.isBracketed ? log.lines == ["\(former) \(new)"] : Set(log.lines) == ["nil nil"], "\(suffix)")
      withExtendedLifetime(token) {}
    }
  }

  @Test(
    "LIF.3, BND.3: a binding sets no target whose path is changing, and sets it afterwards",
    arguments: [DeathWay.closure, .calls, .byKey], [KVBindingOptions(fallback: -1), .twoWay])
  func sharedKey(way: DeathWay, options: KVBindingOptions) throws {
    let (root, source) = (Self.world(way, true), DeathNode(0))
    source.far = try (root.value(forKeyPath: way.path) as? DeathNode)?.kept.first as? DeathNode
    let binding = try root.bind(way.path + ".copy", to: "far.v", of: source, options: options)
    #expect(try root.value(forKeyPath: way.path + ".copy") as? Int == 100)
    let node = try Self.replace(way, in: root)
    #expect(node.copy == (options.fallback == nil ? 0 : -1))
    #expect(binding.state == .unresolved)
  }

  @Test("LIF.3, BND.3: a one-way binding waits for any change of the key before its target's last one", arguments: all)
  func waitingTarget(way: DeathWay, isLocked: Bool) throws {
    // The former node ends in the change, or when the step of undo or the transaction does.
    guard way.isBracketed, way.endsFormer else { return }
    var skipping = KVBindingOptions(fallback: -1)
    skipping.skipsEqual = false
    for options in [KVBindingOptions(fallback: -1), skipping] {
      for isChained in [false, true] {
        let (root, source, between) = (Self.world(way, isLocked), DeathNode(0), DeathNode(0))
        source.far = try root.value(forKeyPath: way.path) as? DeathNode
        var bindings: [KVPathBinding] = []
        if isChained {
          bindings.append(try between.bind("copy", to: "far.v", of: source, options: options))
          bindings.append(try root.bind(KVKeyPath(way.path + ".copy"), to: "copy", of: between))
        } else {
          bindings.append(try root.bind(KVKeyPath(way.path + ".copy"), to: "far.v", of: source, options: options))
        }
        #expect(try root.value(forKeyPath: way.path + ".copy") as? Int == 1)
        let node = try Self.replace(way, in: root)
        #expect(source.far == nil && node.copy == -1, "\(isChained)")
        withExtendedLifetime(bindings) {}
      }
    }
  }

  @Test("LIF.3, CTR.6: a handler of the end of the former content reads the content")
  func content() throws {
    let (controller, source) = (KVObjectController<DeathNode>(DeathNode(1)), DeathNode(0))
    source.far = controller.content
    var seen: [Int?] = []
    let token = try source.observe("far.v") { _ in seen.append(controller.content?.v) }
    controller.content = DeathNode(2)
    #expect(seen == [2])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3: two objects in a row, each the value of a key that is changed by hand, end in one change")
  func inARow() throws {
    let parent = DeathParent()
    func child(_ v: Int) -> DeathHolder {
      let child = DeathHolder(isLocked: true)
      child.manual = DeathNode.make(v)
      return child
    }
    parent.child = child(1)
    let log = ChangeLines()
    let token = try parent.observe("child.manual.next.v") { log.lines.append("\($0.old ?? "nil") \($0.new ?? "nil")") }
    parent.child = child(2)
    parent.child?.manual = DeathNode.make(3)
    parent.child?.manual?.next = DeathNode(4)
    parent.child?.manual?.next?.v = 5
    parent.child = nil
    #expect(log.lines == ["10 20", "20 30", "30 4", "4 5", "5 nil"])
    withExtendedLifetime(token) {}
  }

  @Test("LIF.3: what ends in a manual change of an object that it does not lead to is notified of at once")
  func others() throws {
    let holder = DeathHolder(isLocked: true)
    var other: DeathNode? = DeathNode(3)
    holder.weakly = other
    let log = ChangeLines()
    let tokens = [
      try holder.observe("weakly.v") { log.lines.append("weak \($0.new ?? "nil")") },
      try holder.observe("label") { log.lines.append("label \($0.new ?? "nil")") },
    ]
    holder.willChangeValue(forKey: "property")
    other = nil
    #expect(log.lines == ["weak nil", "label 0"])
    holder.didChangeValue(forKey: "property")
    log.lines = []
    // A key that depends on both is notified by the change alone.
    other = DeathNode(4)
    holder.manual = DeathNode(5)
    try holder.setValue(other, forKey: "weakly")
    holder.manual?.kept = [other as AnyObject]
    other = nil
    log.lines = []
    holder.manual = DeathNode(6)
    #expect(log.lines == ["weak nil", "label 6"])
    withExtendedLifetime(tokens) {}
  }

  @Test("LIF.3, KVO.16: a path that is registered inside a manual change follows it, and is told of later changes only")
  func registeredInside() throws {
    let holder = DeathHolder(isLocked: true)
    holder.byHand = DeathNode.make(1)
    let log = ChangeLines()
    let first = try holder.observe("byHand.v") { _ in log.lines.append("first") }
    holder.willChangeValue(forKey: "byHand")
    let second = try holder.observe("byHand.next.v") { _ in log.lines.append("second") }
    holder.computed = DeathNode.make(2)
    #expect(log.lines == [])
    holder.didChangeValue(forKey: "byHand")
    #expect(log.lines == ["first"])
    holder.byHand?.next?.v = 7
    #expect(log.lines == ["first", "second"])
    withExtendedLifetime((first, second)) {}
  }

  @Test("LIF.3, KVO.16: an object that ends inside its own manual change is notified of all the same")
  func unended() throws {
    let log = ChangeLines()
    var middle: DeathHolder? = DeathHolder(isLocked: false)
    middle?.byHand = DeathNode.make(1)
    let holder = DeathParent()
    holder.holder = middle
    let token = try holder.observe("holder.byHand.v") { log.lines.append("\($0.new ?? "nil")") }
    middle?.willChangeValue(forKey: "byHand")
    middle = nil
    #expect(log.lines == ["nil"])
    withExtendedLifetime(token) {}
  }
}

/// References a holder weakly, and keeps another one.
private final class DeathParent: KVObject {
  weak var holder: DeathHolder?
  private var stored: DeathHolder?
  var child: DeathHolder? {
    get { stored }
    set { withChange(forKey: "child") { stored = newValue } }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: DeathParent.self) { key in
      key("holder", \.holder)
      key("child", \.child).notifiesManually()
    }
  }
}
