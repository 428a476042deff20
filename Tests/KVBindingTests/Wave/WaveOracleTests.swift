import Foundation
import KVBinding
import KVCore
import TestModels
import Testing

@Suite("Waves and their oracle")
struct WaveOracleTests {
  @Test("WAV.1–6, KVO.6, KVO.8, DEP.2, BND.6: random graphs behave as the contract says", arguments: 0..<4)
  func randomGraphs(part: Int) throws {
    let rounds =
      ProcessInfo.processInfo.environment["KV_WAVE_WORLDS"].flatMap { Int($0) } ?? Extent.rounds(60, of: 1_500)
    for seed in part * rounds..<(part + 1) * rounds {
      var world = WaveRandomWorld(seed: UInt64(seed))
      var difference: String?
      // Values that do not come to rest are reported.
      _ = capturingEvents { difference = world.run() }
      if let difference { return _ = Issue.record("\(difference)") }
    }
  }
}

@KVModel private final class WaveNode: KVObject {
  var a = 0
  var b = 0
  var c = 0
  var next: WaveNode?
  var sum: Int { a + 2 * b }
  var mix: Int { c + sum }
  @KVKey(.affected(by: "a", "next.b")) var far: Int { a - (next?.b ?? 0) }
  @KVKey(.affected(by: "b", "next.sum")) var deep: Int { b + (next?.sum ?? 0) }
}

/// The objects of a random world in the library, and what its observers and bindings log.
private final class WaveLibrary {
  let nodes: [WaveNode]
  private var ends: [() -> Void] = []
  private var hasActed: Set<Int> = []
  private(set) var log: [String] = []
  private(set) var failure: (any Error)?

  init(count: Int) { nodes = (0..<count).map { _ in WaveNode() } }

  deinit {
    for end in ends { end() }
    for node in nodes { node.next = nil }
  }

  func take() -> [String] {
    defer { log = [] }
    return log
  }

  func value(_ slot: WaveSlot) -> Int {
    let node = nodes[slot.object]
    return switch slot.key {
    case "a": node.a
    case "b": node.b
    case "c": node.c
    default: nodes.firstIndex { $0 === node.next } ?? -1
    }
  }

  func perform(_ action: WaveAction) {
    do {
      switch action {
      case .set(let slot, let value): set(slot, value)
      case .end(let id): if id < ends.count { ends[id]() }
      case .add(.observer(let observer)): try add(observer, ends.count)
      case .add(.binding(let binding)): try add(binding, ends.count)
      }
    } catch { failure = error }
  }

  private func set(_ slot: WaveSlot, _ value: Int) {
    let node = nodes[slot.object]
    switch slot.key {
    case "a": node.a = value
    case "b": node.b = value
    case "c": node.c = value
    default: node.next = value < 0 ? nil : nodes[value]
    }
  }

  private func add(_ observer: WaveStep.Observer, _ id: Int) throws {
    var options: KVObservingOptions = []
    if observer.wantsOld { options.insert(.old) }
    if observer.wantsNew { options.insert(.new) }
    if observer.hasPrior { options.insert(.prior) }
    if observer.isDistinct { options.insert(.distinct) }
    let token = try nodes[observer.path.root].observe(observer.path.text, options: options) { [unowned self] change in
      let phase = change.isPrior ? " prior" : ""
      log.append("o\(id)\(phase) \(change.old.map { "\($0)" } ?? "-") → \(change.new.map { "\($0)" } ?? "-")")
      if !change.isPrior, let action = observer.action, hasActed.insert(id).inserted { perform(action) }
    }
    ends.append { token.cancel() }
  }

  private func add(_ binding: WaveStep.Binding, _ id: Int) throws {
    var made: KVPathBinding?
    ends.append { made?.cancel() }
    let (target, key, path) = (nodes[binding.target.object], binding.target.key, binding.sources[0])
    let source = nodes[path.root]
    if binding.isTwoWay {
      made = try target.bind(key, to: path.text, of: source) { (number: Int) in
        number + binding.addend
      } reverse: { (number: Int) in
        number - binding.addend
      }
    } else if binding.sources.count == 1 {
      made = try target.bind(key, to: path.text, of: source) { [unowned self] (number: Int) in
        value(of: number, binding, id)
      }
    } else {
      let sources = try binding.sources.map { try KVBindingSource(nodes[$0.root], $0.text) }
      let combiner = KVCombiner { [unowned self] in value(of: $0.compactMap { $0 as? Int }.reduce(0, +), binding, id) }
      made = try target.bind(key, toAll: sources, by: combiner)
    }
  }

  private func value(of sum: Int, _ binding: WaveStep.Binding, _ id: Int) -> Int {
    log.append("b\(id) of \(sum)")
    return binding.value(of: sum)
  }
}

/// A random world, which a library and an interpreter change in the same way.
private struct WaveRandomWorld {
  /// What a world may have, by its seed: each kind has all of those before.
  enum Kind: Int, CaseIterable {
    case plain, replacements, twoWay, cycles, setting, registering, binding
  }

  let seed: UInt64
  private let kind: Kind
  private var random: SplitMix64
  private let library: WaveLibrary
  private let interpreter = WaveInterpreter()
  /// What was done, as code.
  private var code: [String] = []
  private(set) var changes = 0

  init(seed: UInt64, _ kind: Kind? = nil) {
    self.seed = seed
    self.kind = kind ?? Kind.allCases[Int(seed % UInt64(Kind.allCases.count))]
    random = SplitMix64(seed: seed)
    library = WaveLibrary(count: 2 + random.below(random.below(3) == 0 ? 11 : 4))
  }

  private func has(_ kind: Kind) -> Bool { self.kind.rawValue >= kind.rawValue }

  /// Returns what differs, after up to 30 steps.
  mutating func run() -> String? {
    for object in library.nodes.indices where random.below(4) > 0 { _ = perform(replacement(of: object)) }
    let adding = 4 + random.below(14)
    for step in 0..<adding + 10 {
      let action = step < adding || has(.binding) && random.below(6) == 0 ? WaveAction.add(self.step()) : change()
      if let difference = perform(action) { return difference }
      // The values do not come to rest: which turns there are is not specified.
      if interpreter.turnsLeft < 0 { return nil }
    }
    return nil
  }

  /// Performs an action in both worlds; returns how they differ then.
  private mutating func perform(_ action: WaveAction) -> String? {
    changes += 1
    code.append(action.code)
    library.perform(action)
    interpreter.perform(action)
    if interpreter.turnsLeft < 0 { return nil }
    let (found, expected) = (library.take(), interpreter.take())
    let differing = interpreter.values.filter { library.value($0.key) != $0.value }.keys
    if found == expected, differing.isEmpty, library.failure == nil { return nil }
    let values = differing.map { "\($0.code): \(library.value($0)), not \(interpreter.values[$0] ?? 0)" }
    return """
      seed \(seed), \(kind)
      \(code.map { "  \($0)" }.joined(separator: "\n"))
      library:  \(found.joined(separator: ", "))
      contract: \(expected.joined(separator: ", "))
      \(values.joined(separator: "; ")) \(library.failure.map { "\($0)" } ?? "")
      """
  }

  // MARK: Random choices

  private mutating func replacement(of object: Int) -> WaveAction {
    let target = has(.cycles) ? random.below(library.nodes.count) : random.below(object + 1)
    return .set(WaveSlot(object: object, key: "next"), !has(.cycles) && target == object ? -1 : target)
  }

  private mutating func slot() -> WaveSlot {
    WaveSlot(object: random.below(library.nodes.count), key: ["a", "b", "c"][random.below(3)])
  }

  private mutating func change() -> WaveAction {
    if has(.replacements), random.below(8) == 0 { return replacement(of: random.below(library.nodes.count)) }
    return .set(slot(), random.below(12))
  }

  private mutating func path() -> WavePath {
    let name = ["a", "b", "c", "sum", "mix", "far", "deep"][random.below(7)]
    let hops = random.below(3) > 0 ? 0 : 1 + random.below(2)
    return WavePath(root: random.below(library.nodes.count), names: Array(repeating: "next", count: hops) + [name])
  }

  private mutating func step() -> WaveStep { random.below(2) == 0 ? .binding(binding()) : .observer(observer()) }

  private mutating func observer() -> WaveStep.Observer {
    let mayAct = has(.setting) && random.below(3) == 0
    return WaveStep.Observer(
      path: path(), wantsOld: random.below(4) > 0, wantsNew: random.below(4) > 0, hasPrior: random.below(4) == 0,
      isDistinct: random.below(4) == 0, action: mayAct ? reaction() : nil)
  }

  /// What a handler does.
  private mutating func reaction() -> WaveAction {
    switch random.below(has(.binding) ? 6 : has(.registering) ? 4 : 2) {
    case 2: .add(.observer(observer()))
    case 3: .end(random.below(interpreter.steps.count + 1))
    case 4: .add(.binding(binding()))
    default: change()
    }
  }

  private mutating func binding() -> WaveStep.Binding {
    while true {
      let isTwoWay = has(.twoWay) && random.below(3) == 0
      var sources = (0..<(isTwoWay || random.below(3) > 0 ? 1 : 2 + random.below(2))).map { _ in path() }
      let target = slot()
      if isTwoWay { sources = [WavePath(root: sources[0].root, names: [["a", "b", "c"][random.below(3)]])] }
      let binding = WaveStep.Binding(
        sources: sources, target: target, addend: random.below(7) - 3, limit: [5, 99][random.below(2)],
        isTwoWay: isTwoWay)
      if sources.allSatisfy({ has(.cycles) || $0.root < target.object }), !interpreter.isCircle(binding) {
        return binding
      }
      if random.below(20) == 0 {
        return WaveStep.Binding(
          sources: [WavePath(root: 0, names: ["a"])], target: WaveSlot(object: 1, key: "b"), addend: 1, limit: 99,
          isTwoWay: false)
      }
    }
  }
}

// MARK: Worlds as code

extension WaveSlot {
  fileprivate var code: String { "n\(object).\(key)" }
}

extension WaveAction {
  fileprivate var code: String {
    switch self {
    case .set(let slot, let value):
      return "\(slot.code) = \(slot.key != "next" ? "\(value)" : value < 0 ? "nil" : "n\(value)")"
    case .end(let id): return "tokens[\(id)].cancel()"
    case .add(.observer(let observer)):
      let flags = [
        (observer.wantsOld, ".old"), (observer.wantsNew, ".new"), (observer.hasPrior, ".prior"),
        (observer.isDistinct, ".distinct"),
      ]
      let options = flags.filter(\.0).map(\.1).joined(separator: ", ")
      return
        "n\(observer.path.root).observe(\"\(observer.path.text)\", [\(options)]) { \(observer.action?.code ?? "") }"
    case .add(.binding(let binding)):
      let sources = binding.sources.map { "n\($0.root).\($0.text)" }.joined(separator: " + ")
      return
        binding.isTwoWay
        ? "\(binding.target.code) ⇄ \(sources) + \(binding.addend)"
        : "\(binding.target.code) ← min(\(sources) + \(binding.addend), \(binding.limit))"
    }
  }
}
