import TestModels
import Testing

@testable import KVBinding

@Suite struct CountedElementsTests {
  @Test("KVO.17, UND.1: what is kept of elements follows edits, as a list does", arguments: 1...4)
  func random(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var counted = CountedElements<Int, Int>()
    var (elements, kept): ([Int], [Int: Int]) = ([], [:])
    var next = 0
    func add(_ element: Int) {
      counted.countOne()
      if counted.addOccurrence(element) { return }
      next += 1
      #expect(counted.keep(next, of: element) == kept.updateValue(next, forKey: element))
    }
    for _ in 0..<2_000 {
      switch random.below(10) {
      case 0:
        elements = (0..<random.below(8)).map { _ in random.below(12) }
        counted.restart()
        elements.forEach(add)
        let gone = kept.filter { !elements.contains($0.key) }
        #expect(counted.removeUncounted().sorted() == gone.values.sorted())
        for id in gone.keys { kept[id] = nil }
      case 1: #expect(counted.remove(99) == nil)
      case 2..<6:
        elements.append(random.below(12))
        add(elements[elements.count - 1])
      default:
        if elements.isEmpty { continue }
        let element = elements.remove(at: random.below(elements.count))
        let isLast = !elements.contains(element)
        #expect(counted.remove(element) == (isLast ? kept.removeValue(forKey: element) : nil))
      }
      #expect(counted.count == elements.count)
      #expect(counted.all.sorted() == kept.values.sorted())
    }
    #expect(counted.takeAll().sorted() == kept.values.sorted() && counted.all.isEmpty)
  }

  @Test("UND.1: what is kept of an object that has ended is not that of another one with its identity")
  func invalid() {
    var counted = CountedElements<Int, String>()
    counted.keep("dead", of: 1)
    #expect(!counted.addOccurrence(1) { $0 != "dead" } && counted.keep("new", of: 1) == "dead")
    #expect(counted.addOccurrence(1) { $0 != "dead" } && counted[1] == "new")
  }
}
