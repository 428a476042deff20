import Foundation
import KVBinding

/// A global actor whose name does not end in `Actor`.
@globalActor actor Disk { static let shared = Disk() }

@KVModel(.isolated(to: Disk.self)) @Disk final class File: KVObject {
  var name = "a"
  @Disk var size = 1
  @KVKey(.validated(by: check)) var owner = ""
  var title: String { "\(name) \(size)" }

  nonisolated override init() { super.init() }

  func check(_ owner: String) throws -> KVValidation { owner == name ? .replaced(with: "self") : .valid }
}

/// A root of the main actor.
@KVModel(.root) @MainActor public class Window {
  /// The title.
  public var title = ""
  /// Creates a window.
  public nonisolated init() {}
}

@KVModel @MainActor struct Frame {
  var width = 1
  var area: Int { width * width }
}

struct Outer<Value> {
  @KVModel final class Inner: KVObject {
    var value: Value
    init(_ value: Value) { self.value = value }
  }
}

enum Shapes {}

extension Shapes {
  @KVModel final class Circle: KVObject {
    var radius = 1
    var diameter: Int { radius * 2 }
  }
}

/// Names that the generated code might use itself.
@KVModel final class Clash: KVObject {
  var observed = 1
  var change = [1]
  var key = ""
  var value = 2
  var initialValue = 3
  var newValue = [4]
  var model = 5
  @KVIgnored var kvKeys = 6

  func swap(_ a: inout Int, _ b: inout Int) {}
}

@KVModel final class Person: KVObject, Codable {
  var name = "Ada"
  var age: Int?
  @KVIgnored var note = "n"
  let id: Int
  var initial: String { String(name.prefix(1)) }

  init(id: Int) { self.id = id }
}

@KVModel final class Late: KVObject {}

extension Late {
  private static let stored = Mutable()
  final class Mutable: Sendable { let count = 7 }
  var net: Int { Self.stored.count }
  static func furtherKeys(_ key: KVObjectKeys<Late>) { key("net", \.net) }
}

@KVModel(.listedKeysOnly) final class Vault: KVObject {
  var open = 1
  private var secret = 2
  @KVKey private var counted = 3
  var sum: Int { open + counted }
  func change() { (secret, counted) = (0, 4) }
}

@KVModel final class Guarded: KVObject {
  private(set) var lines = ["a"]
  @KVKey(.readOnly) var names = ["a"]
  lazy var late = 1
  @KVKey lazy var lazyKey = 2
  fileprivate var hidden = 3
  unowned var owner: Guarded?
  unowned(unsafe) var unsafe: Guarded?
  @KVProperty var wrapped = 1
  var twice: Int { wrapped * 2 }
  var shape: Shape = .circle
  var handler: (() -> Int)?
  var pair = (1, "a")
  enum Shape { case circle, square }
}

/// Counts how often an initial value is computed.
@KVModel final class Counted: KVObject {
  nonisolated(unsafe) static var count = 0
  var number = Counted.next()
  var log: [Int] = [] { didSet { changes += 1 } }
  @KVIgnored var changes = 0

  static func next() -> Int {
    count += 1
    return count
  }

  override init() {
    log = [1]
    super.init()
  }
}

class Plain: KVObject {}

@KVModel class Middle: Plain {
  @KVKey("sum") var total = 1
  @KVKey(.alias("other")) var plain = 2
}

@KVModel final class Leaf: Middle {
  var factor = 2
  /// Its source has another key, and is inherited.
  var product: Int { factor * total + plain + count }
  var count: Int { 0 }
}

@KVModel class Shelves<Item>: KVObject {
  var items: [Item] = []
  var name = """
    shelf
      of items
    """
  {
    didSet { changes += 1 }  // "name"
  }
  @KVIgnored var changes = 0
}

/// A generic subclass of a generic model: each has keys of its own.
@KVModel final class LabeledShelves<Item>: Shelves<Item> {
  var label = ""
  var color = ""
  var text: String { "\(label) \(name) \(items.count)" }
}
