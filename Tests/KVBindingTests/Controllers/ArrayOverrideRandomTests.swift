import Foundation
import KVBinding
import TestModels
import Testing

/// Random operations on controllers with an override of `arrange(_:)`, whose elements occur several times (CTR.7, 17, 23).
///
/// `KV_CONTROLLER_STEPS` sets another number of steps for each seed, for longer runs.
@Suite struct ArrayOverrideRandomTests {
  /// Arranges more than five elements in reverse, and fewer as its superclass does.
  private final class Turning<Element>: KVArrayController<Element> {
    override func arrange(_ objects: [Element]) -> [Element] {
      let own = super.arrange(objects)
      return objects.count > 5 ? own.reversed() : own
    }
  }

  /// A controller, the content that the rules yield, and a copy of the arrangement that follows its records.
  private final class Run<Element> {
    var random: SplitMix64
    let list = Turning<Element>()
    private var content: [Element] = []
    private var copy: [Element] = []
    private let make: (inout SplitMix64) -> Element
    private let areSame: (Element, Element) -> Bool
    private let write: ((Element, Int) -> Element)?
    private var tokens: [KVObservation] = []
    private var pending: (() -> Void)?
    var log: [String] = []
    var faults: [String] = []

    init(
      seed: UInt64, _ make: @escaping (inout SplitMix64) -> Element, _ areSame: @escaping (Element, Element) -> Bool,
      write: ((Element, Int) -> Element)? = nil
    ) throws {
      random = SplitMix64(seed: seed)
      (self.make, self.areSame, self.write) = (make, areSame, write)
      tokens = [
        try list.observe("arrangedObjects", options: [.prior, .old, .new]) { [unowned self] in follow($0) },
        try list.observe("selectionIndexes") { [unowned self] _ in check("in a handler") },
      ]
    }

    private func follow(_ change: KVChange) {
      if change.isPrior {
        let change = pending
        pending = nil
        change?()
        return
      }
      let (old, new) = (change.old as? [Element] ?? [], change.new as? [Element] ?? [])
      switch change.kind {
      case .setting:
        if !isSame(old, copy) { faults.append("the old array of a setting") }
        copy = new
      case .insertion: for (index, element) in zip(change.indexes ?? [], new) { copy.insert(element, at: index) }
      case .removal: for index in (change.indexes ?? []).reversed() { copy.remove(at: index) }
      case .replacement: for (index, element) in zip(change.indexes ?? [], new) { copy[index] = element }
      }
    }

    private func isSame(_ left: [Element], _ right: [Element]) -> Bool {
      left.count == right.count && zip(left, right).allSatisfy(areSame)
    }

    // MARK: The rules

    private func arranged(_ content: [Element]) -> [Element] { content.count > 5 ? content.reversed() : content }

    /// The content index of an element of another array: the occurrence with the same number, or the last one.
    private func place(_ index: Int, in array: [Element]) -> Int? {
      guard array.indices.contains(index) else { return nil }
      let number = array[...index].filter { areSame($0, array[index]) }.count
      let places = content.indices.filter { areSame(content[$0], array[index]) }
      return places.isEmpty ? nil : places[min(number, places.count) - 1]
    }

    private func remove(_ indexes: [Int], seenIn seen: [Element]) {
      for index in Set(indexes.compactMap { place($0, in: seen) }).sorted().reversed() { content.remove(at: index) }
    }

    // MARK: Steps

    func step() throws {
      log.append("")
      if random.below(5) == 0 {
        // Within a handler of the prior record of the step's change.
        pending = { [unowned self] in
          log[log.count - 1] += " (prior)"
          do { try change(inHandler: true) } catch { faults.append("\(error)") }
        }
      }
      if random.below(6) == 0 {
        pending = nil
        try list.update { for _ in 0..<(1 + random.below(3)) { try change() } }
      } else {
        try change()
      }
      pending = nil
      check("after the step")
    }

    private func check(_ name: String) {
      let indexes = list.selectionIndexes
      if indexes != Array(Set(indexes)).sorted() || (indexes.last ?? -1) >= list.arrangedObjects.count {
        faults.append("\(name): the indexes \(indexes)")
      }
      guard name == "after the step" else { return }
      if !isSame(list.content, content) { faults.append("content \(list.content), not \(content)") }
      let arranged = arranged(content)
      if !isSame(list.arrangedObjects, arranged) { faults.append("arranged \(list.arrangedObjects), not \(arranged)") }
      if !isSame(copy, arranged) { faults.append("the records yield \(copy), not \(arranged)") }
    }

    private func change(inHandler: Bool = false) throws {
      // What the caller reads; the rest of an update precedes the change, and the model of the rules has it already.
      let seen = list.arrangedObjects
      let indexes = seen.indices.filter { _ in random.below(4) == 0 }
      let isOccurring = !content.isEmpty && random.below(3) == 0
      let element = isOccurring ? content[random.below(content.count)] : make(&random)
      let kind = random.below(inHandler ? 3 : 8)
      log[log.count - 1] += " \(kind) \(indexes) \(element)"
      switch kind {
      case 0, 4:
        remove(indexes, seenIn: seen)
        try list.remove(at: indexes)
      case 1:
        let selected = list.selectionIndexes
        if selected.isEmpty { return }
        remove(selected, seenIn: seen)
        try list.remove()
      case 2, 3:
        content.append(element)
        try list.add(element)
      case 5:
        let index = random.below(seen.count + 1)
        content.insert(element, at: place(index, in: seen) ?? content.count)
        try list.insert(element, at: index)
      case 6:
        content = (0..<random.below(9)).map { _ in make(&random) } + content.shuffled(using: &random).prefix(4)
        list.content = content
      default:
        list.selectionIndexes = indexes
        guard let write, let first = indexes.first else { return }
        let value = random.below(4)
        let places = Set(indexes.compactMap { place($0, in: seen) })
        for place in places { content[place] = write(content[place], value) }
        try list.setValue(value, forKeyPath: "selection.n")
        _ = first
      }
    }
  }

  private func repeats<Element>(_ run: Run<Element>, _ seed: UInt64) throws {
    let steps = ProcessInfo.processInfo.environment["KV_CONTROLLER_STEPS"].flatMap { Int($0) } ?? 300
    for step in 0..<steps {
      try run.step()
      if run.faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.log.suffix(4)): \(run.faults.prefix(3).joined(separator: "; "))")
      return
    }
  }

  @Test("CTR.7, 17, 23: objects, some of which occur several times", arguments: Array(1...5) as [UInt64])
  func objects(seed: UInt64) throws {
    try repeats(Run(seed: seed, { Tune("t", rank: $0.below(100)) }, { $0 === $1 }), seed)
  }

  @Test("CTR.7, 17, 23, 36: values, some of which are equal", arguments: Array(1...5) as [UInt64])
  func values(seed: UInt64) throws {
    try repeats(Run(seed: seed, { ["n": $0.below(4)] }, { $0 == $1 }, write: { _, value in ["n": value] }), seed)
  }
}
