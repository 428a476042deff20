import KVCore
import TestModels
import Testing

@Suite("Random models")
struct PropertyModelTests {
  @Test(
    "KVC.9, KVC.11: what is set at a random path is what is read there, and nothing else has changed",
    arguments: [11, 12, 13, 14] as [UInt64])
  func setAndGet(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var shapes: Set<String> = []
    for _ in 0..<2_500 {
      var maker = RandomModel(random: random)
      var root = maker.container(at: [], depth: 3)
      random = maker.random
      let chosen = random.below(maker.leaves.count)
      let path = try KVKeyPath(components: maker.leaves[chosen].components)
      let new: AnyHashable = maker.leaves[chosen].value is Int ? -1 : "new"
      let lists = try maker.lists.map { try KVKeyPath(components: $0) }
      let before = try lists.map { try KVC.value(of: root, forKeyPath: $0, as: [Int].self) }

      try KVC.setValue(new.base, forKeyPath: path, in: &root)

      for (index, leaf) in maker.leaves.enumerated() {
        let value = try KVC.value(of: root, forKeyPath: KVKeyPath(components: leaf.components)) as? AnyHashable
        if value != (index == chosen ? new : leaf.value) {
          Issue.record("set \(path): \(leaf.components) is \(String(describing: value)), seed \(seed)")
        }
      }
      for (list, old) in zip(lists, before) {
        let value = try KVC.value(of: root, forKeyPath: list, as: [Int].self)
        if Self.address(value) != Self.address(old) { Issue.record("set \(path): \(list) was copied, seed \(seed)") }
      }
      shapes.insert(maker.leaves[chosen].shape)
    }
    #expect(shapes.count > 100, "the models must be of many kinds")
  }

  @Test("KVC.9: a write into a nested value leaves the buffers of its siblings where they are")
  func siblingBuffers() throws {
    let author = Author()
    author.titles = ["one", "two"]
    author.town.streets = ["Dean", "Greek"]
    let titles = Self.address(author.titles)
    let streets = Self.address(author.town.streets)
    try author.setValue("Paris", forKeyPath: "town.district.name")
    try author.setValue("Paris", forKeyPath: "town.city")
    #expect(Self.address(author.titles) == titles && Self.address(author.town.streets) == streets)
    var town = author.town
    try town.setValue(3, forKeyPath: "district.inhabitants")
    #expect(Self.address(town.streets) == streets)
  }

  private static func address<Element>(_ array: [Element]) -> UnsafeRawPointer? {
    array.withUnsafeBufferPointer { UnsafeRawPointer($0.baseAddress) }
  }
}

/// Makes trees of values, objects, dictionaries, arrays and records, and remembers the ways to their leaves.
private struct RandomModel {
  struct Leaf {
    let components: [KVKeyPath.Component]
    let value: AnyHashable
    let shape: String
  }

  var random: SplitMix64
  var leaves: [Leaf] = []
  /// The ways to arrays that are never written.
  var lists: [[KVKeyPath.Component]] = []
  private var shape = ""

  init(random: SplitMix64) { self.random = random }

  mutating func container(at components: [KVKeyPath.Component], depth: Int) -> Any {
    let outer = shape
    defer { shape = outer }
    switch random.below(5) {
    case 0:
      shape += "s"
      return Parcel(
        number: leaf(at: components + [.key("number")]), list: list(at: components + [.key("list")]),
        child: child(at: components + [.key("child")], depth: depth))
    case 1:
      shape += "c"
      let crate = Crate()
      crate.number = leaf(at: components + [.key("number")])
      crate.list = list(at: components + [.key("list")])
      crate.child = child(at: components + [.key("child")], depth: depth)
      return crate
    case 2:
      shape += "d"
      return entries(at: components, depth: depth)
    case 3:
      shape += "r"
      guard let record = try? KVRecord(entries(at: components, depth: depth)) else {
        preconditionFailure("nested too deeply")
      }
      return record
    default:
      shape += "a"
      return (0...random.below(3)).map { child(at: components + [.index($0)], depth: depth) }
    }
  }

  private mutating func entries(at components: [KVKeyPath.Component], depth: Int) -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for index in 0...random.below(3) {
      let isPlain = random.below(3) > 0
      let name = isPlain ? "key\(index)" : "a.b[\"\(index)\"]"
      dictionary[name] = child(at: components + [isPlain ? .key(name) : .entry(name)], depth: depth)
    }
    return dictionary
  }

  private mutating func child(at components: [KVKeyPath.Component], depth: Int) -> Any {
    if depth > 0, random.below(3) > 0 { return container(at: components, depth: depth - 1) }
    if random.below(2) == 0 { return leaf(at: components) }
    let text = "text\(leaves.count)"
    leaves.append(Leaf(components: components, value: text, shape: shape))
    return text
  }

  private mutating func leaf(at components: [KVKeyPath.Component]) -> Int {
    let number = leaves.count
    leaves.append(Leaf(components: components, value: number, shape: shape))
    return number
  }

  private mutating func list(at components: [KVKeyPath.Component]) -> [Int] {
    lists.append(components)
    return [lists.count, 0, 0]
  }
}

private struct Parcel: KeyValueCoding {
  var number: Int
  var list: [Int]
  var child: Any

  static var keyTable: KVTable {
    KVTable(Parcel.self) { key in
      key("number", \.number)
      key("list", \.list)
      key("child", \.child)
    }
  }
}

private final class Crate: KVObject {
  @KVProperty var number = 0
  var list: [Int] = []
  var child: Any = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Crate.self) { key in
      key("number", \.number)
      key("list", \.list)
      key("child", \.child)
    }
  }
}
