import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

/// Random edits of a graph of objects, values and collections: what an observer of a path hears is what somebody sees who
/// reads the path before and after each edit.
@Suite("KVO.11: random edits against polling")
struct RandomPathTests {
  /// The paths; each is told of an edit if and only if a key on the way to its value was set, or one that its operator reads.
  private static let paths: [KVKeyPath] = [
    "name", "next.name", "next.next.name", "next.next.next.age", "home.street.number", "next.home.city",
    "post.holder.name", "next.post.holder.next.name", "kids[0].name", "kids[1].next.name", "next.kids[0].home.city",
    "scores.a", "next.scores.b", "kids.@count", "next.kids.@sum.age", "shout", "next.shout", "anything.name",
    "anything.next.anything.name",
  ]

  @Test("KVO.11: random edits of eight objects", arguments: [1, 2] as [UInt64])
  func edits(_ seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let people = (0..<8).map { Villager("\($0)") }
    let roots = [people[0], people[1]]
    let log = ChangeLines()
    var tokens: [KVObservation] = []
    for root in roots {
      for path in Self.paths { tokens.append(try log.watch(root, path, as: root === people[0] ? "0" : "1")) }
    }
    func poll() -> [String] {
      roots.flatMap { root in Self.paths.map { brief((try? root.value(forKeyPath: $0)) ?? nil) } }
    }
    var received = 0
    var before = poll()
    let rounds = Extent.rounds(700, of: 5_000)
    for step in 0..<rounds {
      let person = people[random.below(people.count)]
      let model = NotificationModel(person, roots)
      let key = try edit(person, people, &random)
      let after = poll()
      let expected = model.expected(key, before, after)
      before = after
      let lines = log.take()
      received += lines.count
      #expect(lines.sorted() == expected.sorted(), "edit \(step) of \(key) of \(brief(person)), seed \(seed)")
      if lines.sorted() != expected.sorted() { break }
    }
    #expect(received > rounds * 4 / 5)
    tokens.forEach { $0.cancel() }
    for person in people {
      person.next = nil
      person.kids = []
      person.post = nil
      person.anything = nil
      expectNoObserversLeft(on: person)
    }
  }

  /// Makes one edit, and returns the key that was set.
  private func edit(_ person: Villager, _ people: [Villager], _ random: inout SplitMix64) throws -> String {
    let other = people[random.below(people.count)]
    let number = random.below(100)
    switch random.below(14) {
    case 0: person.name = random.below(5) == 0 ? nil : "n\(number)"
    case 1: try person.setValue(number, forKey: "age"); return "age"
    case 2: person.next = random.below(4) == 0 ? nil : other; return "next"
    case 3: person.home.street.number = number; return "home"
    case 4: try person.setValue("c\(number)", forKeyPath: "home.city"); return "home"
    case 5: person.post = random.below(4) == 0 ? nil : VillagePost(holder: other); return "post"
    case 6: person.kids = random.below(3) == 0 ? [] : [other, people[number % 8]]; return "kids"
    case 7:
      try person.mutableArray(forKey: "kids").insert(other, at: random.below(person.kids.count + 1)); return "kids"
    case 8:
      guard !person.kids.isEmpty else { return "" }
      try person.mutableArray(forKey: "kids").remove(at: random.below(person.kids.count))
      return "kids"
    case 9:
      guard !person.kids.isEmpty else { return "" }
      try person.mutableArray(forKey: "kids").replace(at: random.below(person.kids.count), with: other)
      return "kids"
    case 10: person.scores[["a", "b"][number % 2]] = random.below(4) == 0 ? nil : number; return "scores"
    case 11: person.anything = random.below(3) == 0 ? nil : other; return "anything"
    case 12: person.withChange(forKey: "name") {}
    default: person.anything = ["name": "entry \(number)"]; return "anything"
    }
    return "name"
  }

  /// Finds out before an edit which paths it concerns, by reading and without the observing machinery.
  private struct NotificationModel {
    /// For each root and path the keys of the person that stand on the way.
    private let keys: [Set<String>]
    private let names: [String]

    init(_ person: Villager, _ roots: [Villager]) {
      var keys: [Set<String>] = []
      for root in roots {
        for path in RandomPathTests.paths { keys.append(Self.keys(of: person, on: path, from: root)) }
      }
      self.keys = keys
      names = roots.indices.flatMap { root in RandomPathTests.paths.map { "\(root): \($0)" } }
    }

    func expected(_ key: String, _ before: [String], _ after: [String]) -> [String] {
      names.indices.filter { keys[$0].contains(key) }.map { "\(names[$0]) setting \(before[$0]) → \(after[$0])" }
    }

    private static func keys(of person: Villager, on path: KVKeyPath, from root: Villager) -> Set<String> {
      var keys: Set<String> = []
      var current: Any? = root
      for (index, component) in path.components.enumerated() {
        if case .operator = component {
          // The operator reads the key behind it of each element (KVO.18).
          let elements = current as? [Villager] ?? []
          if index + 1 < path.count, elements.contains(where: { $0 === person }) {
            keys.insert(path.components[index + 1].description)
          }
          break
        }
        if let villager = current as? Villager, villager === person, case .key(let key) = component {
          keys.insert(key == "shout" ? "name" : key)
        }
        guard let value = current, let step = try? KVKeyPath(components: [component]) else { break }
        current = (try? KVC.value(of: value, forKeyPath: step)) ?? nil
      }
      return keys
    }
  }
}
