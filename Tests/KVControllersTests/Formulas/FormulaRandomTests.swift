import Foundation
import KVBinding
import KVControllers
import KVCore
import TestModels
import Testing

@Suite("FRM.2: Random formulas over a random graph")
struct FormulaRandomTests {
  /// How many graphs are tried, each with forty changes.
  static let worlds =
    ProcessInfo.processInfo.environment["KV_FORMULA_WORLDS"].flatMap { Int($0) } ?? Extent.rounds(60, of: 3_000)

  /// A graph of five nodes, and a generator of formulas and changes.
  private struct World {
    var random: SplitMix64
    let nodes = (0..<5).map { FormulaNode($0) }

    init(seed: UInt64) {
      random = SplitMix64(seed: seed)
      for _ in 0..<12 { change() }
    }

    mutating func some<Value>(_ values: [Value]) -> Value { values[random.below(values.count)] }

    /// Returns the text of an expression from a node, or from a variable.
    mutating func number(_ depth: Int, from prefix: String = "") -> String {
      if depth == 0 { return some([prefix + "number", prefix + "factor", prefix + "product", "3"]) }
      let inner = depth - 1
      switch random.below(9) {
      case 0: return "(\(number(inner, from: prefix)) + \(number(inner, from: prefix)))"
      case 1: return "(\(number(inner, from: prefix)) * \(number(inner, from: prefix)))"
      case 2: return "\(prefix)next.\(number(0).replacing("3", with: "number"))"
      case 3:
        let first = number(inner, from: prefix)
        return "TERNARY(\(condition(inner, from: prefix)), \(first), \(number(0, from: prefix)))"
      case 4: return "sum(\(prefix)kids.\(some(["number", "next.number", "product", "next.product"])))"
      case 5:
        let name = some(["sum", "max", "min"])
        return "\(prefix)\(some(["kids", "spares"])).@\(name).\(some(["number", "product"]))"
      case 6:
        let collection = prefix + some(["kids", "spares"])
        return "count(SUBQUERY(\(collection), $v\(depth), \(condition(inner, from: "$v\(depth).")))" + ")"
      case 7:
        return prefix
          + some(["entries.a", "numbers[0]", "numbers.@sum.self", "kids[0].number", "kids[LAST].number"])
      default: return "max(\(number(inner, from: prefix)), \(prefix)next.next.number)"
      }
    }

    mutating func condition(_ depth: Int, from prefix: String) -> String {
      switch random.below(5) {
      case 0: "\(prefix)isOpen == YES"
      case 1: "\(number(depth, from: prefix)) > \(random.below(6))"
      case 2: "ANY \(prefix)\(some(["kids.number", "spares.product", "kids.kids.number"])) == \(random.below(4))"
      case 3: "\(prefix)name BEGINSWITH 'a'"
      default: "NOT \(prefix)next.isOpen == YES"
      }
    }

    /// Changes one property of one node.
    mutating func change() {
      let node = some(nodes)
      switch random.below(10) {
      case 0, 1: node.number = random.below(4)
      case 2: node.factor = random.below(3)
      case 3: node.isOpen.toggle()
      case 4: node.name = some(["a", "b", nil])
      case 5: node.next = random.below(4) == 0 ? nil : some(nodes)
      case 6: node.kids = (0..<random.below(4)).map { _ in some(nodes) }
      case 7: node.spares = random.below(3) == 0 ? nil : (0..<random.below(3)).map { _ in some(nodes) }
      case 8: node.entries = random.below(2) == 0 ? [:] : ["a": random.below(4)]
      default: node.numbers = (0..<random.below(3)).map { _ in random.below(4) }
      }
    }

    /// Changes some properties, as one change of several objects or as several changes.
    mutating func step() throws {
      switch random.below(6) {
      case 0: KVCoalescing.coalesce { for _ in 0..<3 { change() } }
      case 1:
        let node = some(nodes)
        let count = node.kids.count
        let kids = node.mutableArray(forKey: "kids")
        if count > 0, random.below(2) == 0 {
          try kids.remove(at: random.below(count))
        } else {
          try kids.append(some(nodes))
        }
      default: change()
      }
    }
  }

  @Test("FRM.2, FRM.3: the value is that of a fresh evaluation, and each change of the value notifies once")
  func values() throws {
    for seed in 0..<Self.worlds {
      var world = World(seed: UInt64(seed))
      let format = world.number(3)
      let expression = try KVExpression(format: format)
      let root = world.nodes[0]
      let (label, distinct, all) = (FormulaLabel(), Recorder(), Recorder())
      var tokens = [try root.observe(expression, options: [.old, .new, .distinct, .coalesced]) { distinct.add($0) }]
      let formula = try KVFormula(expression, of: root)
      tokens.append(try formula.observe("value", options: [.old, .new]) { all.add($0) })
      // A binding is not made while the expression has no value, as with an index that does not exist.
      let binding = try? label.bind("anything", to: expression, of: root)
      var value = Result { try expression.value(of: root) }
      var changes = 0
      for step in 0..<40 {
        try world.step()
        let fresh = Result { try expression.value(of: root) }
        if text(fresh) != text(value) { changes += 1 }
        let place = "seed \(seed), step \(step): \(format)"
        if case .success = fresh, binding != nil { #expect(brief(label.anything) == text(fresh), "\(place)") }
        if !distinct.isEmpty { #expect(brief(distinct.last) == text(fresh), "\(place)") }
        #expect(distinct.count == changes, "\(place): \(value) → \(fresh)")
        if !all.isEmpty { #expect(brief(all.last) == text(fresh), "\(place)") }
        value = fresh
        if distinct.count != changes { return }
      }
      #expect(distinct.isContinuous && all.isContinuous, "seed \(seed): \(format)")
      tokens = []
      label.unbindAll()
      for node in world.nodes { #expect(KVDiagnostics.observations(of: node).isEmpty) }
    }
  }

  /// The text of a value; that of an error is the text of nil, which observers get.
  private func text(_ result: Result<Any?, any Error>) -> String { brief((try? result.get()) ?? nil) }

  /// The values that an observer was notified of.
  private final class Recorder {
    private(set) var count = 0
    private(set) var last: Any?
    /// Whether each old value is the new one of the notification before.
    private(set) var isContinuous = true
    var isEmpty: Bool { count == 0 }

    func add(_ change: KVChange) {
      if count > 0, brief(change.old) != brief(last) { isContinuous = false }
      count += 1
      last = change.new
    }
  }
}
