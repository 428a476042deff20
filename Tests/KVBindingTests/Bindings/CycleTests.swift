import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Bindings in circles")
struct CycleTests {
  let fields = (0..<3).map { _ in Field() }

  @Test("BND.5: a cycle of bindings that agree settles")
  func settles() throws {
    for (index, field) in fields.enumerated() { try fields[(index + 1) % 3].bind("title", to: "title", of: field) }
    fields[1].title = "round"
    #expect(fields.allSatisfy { $0.title == "round" })
    #expect(fields.flatMap(\.bindings).allSatisfy { $0.state == .active })
  }

  @Test("BND.5, WAV.6: a cycle that comes to a fixed point settles there")
  func fixedPoint() throws {
    try fields[1].bind("number", to: "number", of: fields[0]) { (number: Int) in min(number + 1, 50) }
    try fields[0].bind("number", to: "number", of: fields[1])
    #expect(fields[0].number == 50 && fields[1].number == 50)
  }

  @Test("BND.5: one that does not settle stops after 100 rounds, and the error names it")
  func neverSettles() throws {
    try fields[1].bind("number", to: "number", of: fields[0], options: .init(initialSync: .none)) { $0 + 1 }
    try fields[2].bind("number", to: "number", of: fields[1], options: .init(initialSync: .none)) { $0 + 1 }
    try fields[0].bind("number", to: "number", of: fields[2], options: .init(initialSync: .none)) { $0 + 1 }
    let events = capturingEvents { fields[0].number = 1 }
    let failed = fields.flatMap(\.bindings).filter { $0.state == .failed }
    let error = try #require(failed.first?.lastError)
    #expect(error.code == .doesNotSettle)
    #expect(error.message.hasPrefix("the values do not come to rest: after 100 rounds Field.number → Field.number ("))
    let file = failed[0].location.split(separator: ":").first ?? ""
    #expect(error.message.ranges(of: "Field.number → Field.number (\(file):").count == 3)
    #expect(Set(failed).count == 1)
    #expect(fields.flatMap { events.about($0) }.count == 1)
    #expect(fields[0].number == 301)
  }

  @Test("BND.5: a handler that sets the source again and again is stopped, too")
  func handler() throws {
    let binding = try fields[1].bind("number", to: "number", of: fields[0])
    let (source, target) = (fields[0], fields[1])
    let token = try target.observe("number") { [unowned source] _ in source.number += 1 }
    _ = capturingEvents { source.number = 1 }
    #expect(binding.lastError?.code == .doesNotSettle)
    token.cancel()
    source.number = 5
    #expect(binding.state == .active && target.number == 5)
  }

  @Test("BND.5: a handler may set a bound property as often as it likes")
  func busyHandler() throws {
    let (log, mirror) = (Song(), Field())
    let binding = try mirror.bind("number", to: "rating", of: log)
    try fields[1].bind("number", to: "number", of: fields[0])
    let token = try fields[1].observe("number") { _ in for number in 1...5_000 { log.rating = number } }
    fields[0].number = 1
    #expect(mirror.number == 5_000 && binding.state == .active)
    token.cancel()
  }

  @Test("BND.5, WAV.6: two-way bindings over one pair with transformers that disagree stop")
  func disagreement() throws {
    let (left, right) = (fields[0], fields[1])
    try right.bind("number", to: "number", of: left, options: .twoWay)
    let second = KVTransformer(forward: { (number: Int) in number + 1 }, reverse: { $0 - 1 })
    #expect(throws: KVError.self) {
      try right.bind("number", to: "number", of: left, options: .init(.twoWay, transformer: second))
    }
  }

  @Test("BND.6: diamonds end with what the source says")
  func diamond() throws {
    let end = Field()
    for (index, field) in fields.enumerated().dropFirst() {
      try field.bind("number", to: "number", of: fields[0]) { (number: Int) in number * index }
      try end.bind(index == 1 ? "number" : "limited", to: "number", of: field)
    }
    try end.bind(
      "value", toAll: [.init(fields[1], "number"), .init(fields[2], "number")],
      by: .init { values in
        values.compactMap { $0 as? Int }.reduce(0, +)
      })
    fields[0].number = 3
    #expect(end.number == 3 && end.limited == 6 && end.value == 9)
  }

  @Test("BND.5: random graphs settle or say that they do not", arguments: 0..<4)
  func randomGraphs(part: Int) throws {
    var checked = 0
    let seeds = Extent.rounds(60, of: 250)
    for seed in 0..<seeds {
      var graph = RandomBindings(seed: UInt64(part * 250 + seed))
      checked += try graph.check()
    }
    #expect(checked > seeds * 2 / 5)
  }
}

/// A few objects, bound at random, with transformers of which some do not agree.
private struct RandomBindings {
  let seed: UInt64
  var random: SplitMix64

  init(seed: UInt64) {
    self.seed = seed
    random = SplitMix64(seed: seed)
  }

  private static let functions: [(forward: @Sendable (Int) -> Int, reverse: (@Sendable (Int) -> Int)?)] = [
    ({ $0 }, { $0 }), ({ -$0 }, { -$0 }), ({ $0 &+ 1 }, { $0 &- 1 }), ({ min($0, 7) }, nil), ({ $0 / 2 }, nil),
  ]

  /// Returns how many bindings were compared with their sources.
  mutating func check() throws -> Int {
    var checked = 0
    let fields = (0..<Int.random(in: 2...5, using: &random)).map { _ in Field() }
    var bindings: [(KVPathBinding, Int)] = []
    for _ in 0..<Int.random(in: 1...7, using: &random) {
      let (from, to) = (fields.randomElement(using: &random)!, fields.randomElement(using: &random)!)
      if from === to { continue }
      let index = Int.random(in: 0..<Self.functions.count, using: &random)
      let (forward, reverse) = Self.functions[index]
      let transformer = reverse.map { KVTransformer(forward: forward, reverse: $0) } ?? KVTransformer(forward: forward)
      let options = KVBindingOptions(
        reverse != nil && Bool.random(using: &random) ? .twoWay : .oneWay, transformer: transformer)
      // A graph that does not settle is refused as it is made.
      if let binding = try? to.bind("number", to: "number", of: from, options: options) {
        bindings.append((binding, index))
      }
    }
    var touched: Set<ObjectIdentifier> = []
    for _ in 0..<5 {
      let start = fields.randomElement(using: &random)!
      start.number = Int.random(in: -20...20, using: &random)
      touched.insert(ObjectIdentifier(start))
      guard bindings.allSatisfy({ $0.0.state == .active }) else { continue }
      // All has come to rest. Where a target has one source, and was never set itself, it holds what that says.
      let targets = bindings.flatMap { $0.0.options.direction == .twoWay ? [$0.0.source, $0.0.target] : [$0.0.target] }
      let counts = Dictionary(targets.map { (ObjectIdentifier($0.object!), 1) }, uniquingKeysWith: +)
      for (binding, index) in bindings {
        let (source, target) = (binding.source.object as! Field, binding.target.object as! Field)
        guard counts[ObjectIdentifier(target)] == 1, !touched.contains(ObjectIdentifier(target)) else { continue }
        let isOld = Self.functions[index].forward(source.number) != target.number
        if isOld { Issue.record("seed \(seed): \(binding)") }
        checked += 1
      }
    }
    return checked
  }
}

@Suite("Bindings in long circles")
struct LongCycleTests {
  @Test(
    "BND.5: rings longer than the stack allows settle, or stop",
    arguments: [150, 201, 202, 300] + (Extent.isFull ? [1_000] : []))
  func rings(length: Int) throws {
    let fields = (0..<length).map { _ in Field() }
    for (index, field) in fields.enumerated() {
      try fields[(index + 1) % length].bind(
        "number", to: "number", of: field, options: .init(initialSync: .none)
      ) { (number: Int) in index == 0 ? min(number + 1, 50) : number }
    }
    fields[1].number = 3
    #expect(fields.allSatisfy { $0.number == 50 })
    #expect(fields.allSatisfy { $0.bindings.allSatisfy { $0.state == .active } })
    try fields[1].unbind("number", from: "number", of: fields[0])
    let endless = try fields[1].bind(
      "number", to: "number", of: fields[0], options: .init(initialSync: .none)
    ) { (number: Int) in number + 1 }
    _ = capturingEvents { fields[1].number = 100 }
    let failed = fields.flatMap(\.bindings).filter { $0.state == .failed }
    #expect(failed.contains { $0.lastError?.code == .doesNotSettle })
    endless.cancel()
    fields[1].number = 7
    #expect(fields[0].number == 7)
  }

  @Test("BND.5: NaN is not set again and again")
  func notANumber() throws {
    let (left, right) = (Field(), Field())
    try right.bind("value", to: "value", of: left)
    try left.bind("value", to: "value", of: right)
    left.value = .nan
    #expect(right.value.isNaN && right.bindings.allSatisfy { $0.state == .active })
  }
}
