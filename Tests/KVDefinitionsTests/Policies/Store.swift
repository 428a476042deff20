import KVBinding
import KVControllers
import KVCore
import Observation

// The models of the test of all calls: whatever leads to keys that a policy permits, `open`, beside keys that it denies: a
// computed key, a private property and a name that only a hook answers.

/// The number of times that something denied was read or written.
final class Probe {
  static let canary = 987_654
  private(set) var count = 0

  /// Returns what must not come out, in the form that a key of the name promises.
  func value(forKey key: String) -> Any {
    count += 1
    if key.hasSuffix("List") { return [Probe.canary] }
    return key.hasSuffix("Set") ? Set([Probe.canary]) as Any : Probe.canary
  }

  func write() { count += 1 }
}

final class Drawer: KVObject, Hashable {
  @KVProperty var open = 1
  @KVProperty var openList = [1]
  @KVProperty var openSet: Set = [1]
  private let hidden = Probe.canary
  private let hiddenList = [Probe.canary]
  private let hiddenSet: Set = [Probe.canary]
  let probe: Probe

  init(_ probe: Probe) { self.probe = probe }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Drawer.self) { key in
      key("open", \.open)
      key("openList", \.openList)
      key("openSet", \.openSet)
      key("secret") {
        $0.probe.value(forKey: "secret") as? Int
      } set: { drawer, _ in
        drawer.probe.write()
      }
      key("secretList") {
        $0.probe.value(forKey: "secretList") as? [Int]
      } set: { drawer, _ in
        drawer.probe.write()
      }
      key("secretSet") {
        $0.probe.value(forKey: "secretSet") as? Set<Int>
      } set: { drawer, _ in
        drawer.probe.write()
      }
    }
  }

  override func value(forUndefinedKey key: String) throws(KVError) -> Any? { probe.value(forKey: key) }
  override func setValue(_ value: Any?, forUndefinedKey key: String) throws(KVError) { probe.write() }

  static func == (left: Drawer, right: Drawer) -> Bool { left === right }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

struct Box: KeyValueCoding {
  var open = 1
  var openList = [1]
  var openSet: Set = [1]
  private let hidden = Probe.canary
  private let hiddenList = [Probe.canary]
  private let hiddenSet: Set = [Probe.canary]
  let probe: Probe

  init(_ probe: Probe) { self.probe = probe }

  static var keyTable: KVTable {
    KVTable(Box.self) { key in
      key("open", \.open)
      key("openList", \.openList)
      key("openSet", \.openSet)
      key("secret") {
        $0.probe.value(forKey: "secret") as? Int
      } set: { box, _ in
        box.probe.write()
      }
      key("secretList") {
        $0.probe.value(forKey: "secretList") as? [Int]
      } set: { box, _ in
        box.probe.write()
      }
      key("secretSet") {
        $0.probe.value(forKey: "secretSet") as? Set<Int>
      } set: { box, _ in
        box.probe.write()
      }
    }
  }

  func value(forUndefinedKey key: String) throws(KVError) -> Any? { probe.value(forKey: key) }
}

/// A control, which is read and set by its own functions.
final class Dial: KVControl {
  var open = 1
  var openList = [1]
  var openSet: Set = [1]
  private let hidden = Probe.canary
  private let handlers = KVControlHandlers()
  let probe: Probe

  init(_ probe: Probe) { self.probe = probe }

  static var keyTable: KVTable {
    KVTable(Dial.self) { key in
      key("open", \.open)
      key("openList", \.openList)
      key("openSet", \.openSet)
      key("secret") {
        $0.probe.value(forKey: "secret") as? Int
      } set: { dial, _ in
        dial.probe.write()
      }
    }
  }

  func addControlHandler(for event: KVControlEvent, _ handler: @escaping () -> Void) -> Any? {
    handlers.add(for: event, handler)
  }
  func removeControlHandler(_ token: Any) { handlers.remove(token) }
  func send() { handlers.send(.valueChanged) }

  func controlValue(forKey key: String) throws(KVError) -> Any? {
    key.hasPrefix("open") ? try value(forKey: key) : probe.value(forKey: key)
  }

  func setControlValue(_ value: Any?, forKey key: String) throws(KVError) {
    if key.hasPrefix("open") { try setValue(value, forKey: key) } else { probe.write() }
  }
}

/// The root of all paths.
final class Store: KVObject {
  @KVProperty var drawer: Drawer
  @KVProperty var box: Box
  @KVProperty var drawers: [Drawer]
  @KVProperty var boxes: [Box]
  @KVProperty var anything: Any?
  @KVProperty var drawerSet: Set<Drawer>
  @KVProperty var entries: [String: Any]
  @KVProperty var record: KVRecord
  let dial: Dial
  let list = KVArrayController<Drawer>()
  let probe = Probe()

  override init() {
    let probe = probe
    drawer = Drawer(probe)
    box = Box(probe)
    drawers = [Drawer(probe), Drawer(probe)]
    boxes = [Box(probe), Box(probe)]
    drawerSet = [Drawer(probe)]
    entries = Self.entries
    record = KVRecord()
    dial = Dial(probe)
    super.init()
    for (key, value) in entries { record[key] = value }
    anything = [drawer, box, [entries]] as [Any]
    list.content = [Drawer(probe), Drawer(probe)]
    list.selectionIndexes = [0, 1]
  }

  private static var entries: [String: Any] {
    let open: [String: Any] = ["open": 1, "openList": [1], "openSet": Set([1])]
    let canary = [Probe.canary]
    let denied: [String: Any] = ["secret": canary[0], "secretList": canary, "secretSet": Set(canary)]
    return open.merging(denied) { $1 }
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Store.self) { key in
      key("drawer", \.drawer)
      key("box", \.box)
      key("drawers", \.drawers)
      key("boxes", \.boxes)
      key("anything", \.anything)
      key("drawerSet", \.drawerSet)
      key("entries", \.entries)
      key("record", \.record)
      key("dial", \.dial)
      key("list", \.list)
    }
  }

  /// The policy, which lets the keys named `open…` be read and written, and all that leads to them.
  static func policy() throws -> KVPolicy {
    let open: KVPolicy.Keys = ["open", "openList", "openSet"]
    let ways: KVPolicy.Keys = [
      "drawer", "box", "drawers", "boxes", "anything", "drawerSet", "entries", "record",
    ]
    var policy = KVPolicy("stores", operators: ["self", "firstObject", "lastObject", "count", "max", "unionOfObjects"])
    try policy.allow(Store.self, keys: ["dial", "list"], writing: ways)
    try policy.allow(Drawer.self, keys: [], writing: open)
    try policy.allow(Box.self, keys: [], writing: open)
    try policy.allow(Dial.self, keys: [], writing: open)
    try policy.allow([String: Any].self, keys: [], writing: open)
    try policy.allow(KVRecord.self, keys: [], writing: open)
    try policy.allow(StoreDepot.self, keys: ["store"])
    try policy.allow(Tag.self, keys: [], writing: ["anything"])
    try policy.allow(StoreCrate.self, keys: [], writing: ["store"])
    try policy.allow(ObservedCrate.self, keys: ["store"])
    try policy.allow(
      KVArrayController<Drawer>.self, keys: [],
      writing: ["selection", "arrangedObjects", "selectedObjects", "content"])
    return policy
  }

  /// What leads to a key.
  static let ways = [
    "drawer", "box", "drawers", "boxes", "drawerSet", "anything", "entries", "record", "drawers[0]", "boxes[1]",
    "drawer.self", "@self.drawer", "drawers.@firstObject", "boxes.@lastObject", "drawers.@max", "boxes.@max",
    "drawers.@unionOfObjects", "list.selection", "@self.list.selection", "list.arrangedObjects", "list.selectedObjects",
    "list.content.@firstObject", "dial", "@self.dial",
  ]
}

/// What begins at an object and leads to a store.
final class StoreDepot: KVObject {
  @KVProperty var store: Store
  @KVProperty var stores: [Store]

  init(_ store: Store) {
    self.store = store
    stores = [store, Store()]
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: StoreDepot.self) { key in
      key("store", \.store)
      key("stores", \.stores)
    }
  }
}

/// A struct that leads to a store.
struct StoreCrate: KeyValueCoding {
  var store: Store
  static var keyTable: KVTable { KVTable(StoreCrate.self) { key in key("store", \.store) } }
}

/// An object of Swift's Observation that leads to a store.
@Observable final class ObservedCrate: KeyValueCoding {
  var store: Store
  init(_ store: Store) { self.store = store }
  static var keyTable: KVTable { KVTable(ObservedCrate.self) { key in key("store", \.store) } }
}

/// An executor that runs what it is given at once.
struct ImmediateExecutor: KVExecutor {
  var isCurrent: Bool { true }
  func enqueue(_ job: @escaping @Sendable () -> Void) { job() }
}

/// The other end of bindings, and a target.
final class Tag: KVNode {
  @KVProperty var anything: Any?
  override class var keyTable: KVTable {
    super.keyTable.extended(for: Tag.self) { key in key("anything", \.anything) }
  }
}
