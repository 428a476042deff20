import Foundation
import KVControllers
import TestModels
import Testing

/// Handlers that change the controller they observe, before and during each kind of record (CTR.7, 11).
///
/// `KV_CONTROLLER_STEPS` sets another number of steps for each seed, for longer runs.
@Suite struct ArrayReentryTests {
  /// A controller, an observer that applies its records to a copy, and handlers that change it.
  private final class Run {
    var random: SplitMix64
    let list = KVArrayController { Tune() }
    let shelf = Shelf()
    var copy: [Tune] = []
    var faults: [String] = []
    var depth = 0
    var tokens: [KVObservation] = []

    init(seed: UInt64) throws {
      random = SplitMix64(seed: seed)
      try list.bindContent(to: "tunes", of: shelf)
      list.automaticallyRearrangesObjects = true
      tokens.append(try list.observe("arrangedObjects") { [unowned self] change in apply(change) })
      for key in [
        "content", "selectionIndexes", "arrangedObjects", "arrangedObjects.title", "canSelectNext", "selection",
      ] {
        tokens.append(
          try list.observe(key, options: [.prior, .old, .new]) { [unowned self] _ in
            if depth < 3, random.below(4) == 0 { change() }
          })
      }
    }

    private func apply(_ change: KVChange) {
      let (old, new) = (change.old as? [Tune] ?? [], change.new as? [Tune] ?? [])
      let indexes = change.indexes ?? []
      switch change.kind {
      case .setting: copy = new
      case .insertion:
        for (index, tune) in zip(indexes, new) {
          if index <= copy.count { copy.insert(tune, at: index) } else { faults.append("\(change)") }
        }
      case .removal:
        for (index, tune) in zip(indexes, old).reversed() {
          if index < copy.count, copy[index] === tune { copy.remove(at: index) } else { faults.append("\(change)") }
        }
      case .replacement:
        for (index, tune) in zip(indexes, new) {
          if index < copy.count { copy[index] = tune } else { faults.append("\(change)") }
        }
      }
    }

    func change() {
      depth += 1
      defer { depth -= 1 }
      let count = list.arrangedObjects.count
      let tune = Tune(String("abcdef".randomElement(using: &random) ?? "a"), rank: random.below(10))
      let seen = list.arrangedObjects
      switch random.below(13) {
      case 0, 1: try? list.add(tune)
      case 2: try? list.insert(tune, at: random.below(count + 1))
      case 3 where count > 4:
        let indexes = [random.below(count), random.below(count)]
        try? list.remove(at: indexes)
        // Only new tunes come into the content, so that what the caller has read there is gone.
        if indexes.contains(where: { index in list.content.contains { $0 === seen[index] } }) {
          faults.append("remove(at: \(indexes)) has left \(indexes.map { seen[$0] })")
        }
      case 4: list.selectionIndexes = [random.below(count + 1), random.below(count + 1)]
      case 5: list.sortDescriptors = random.below(2) == 0 ? ["rank"] : [.descending("title"), "rank"]
      case 6: list.filterPredicate = random.below(2) == 0 ? nil : "rank < 7"
      case 7: try? shelf.mutableArray(forKey: "tunes").insert([tune], at: [random.below(shelf.tunes.count + 1)])
      case 8: try? list.remove()
      case 12 where count > 0: try? list.setValue(random.below(10), forKeyPath: "selection.rank")
      case 9: list.update { for _ in 0..<2 { change() } }
      default: list.content.randomElement(using: &random)?.rank = random.below(10)
      }
    }

    func check() {
      if !zip(copy, list.arrangedObjects).allSatisfy({ $0 === $1 }) || copy.count != list.arrangedObjects.count {
        faults.append("the records yield \(copy), not \(list.arrangedObjects)")
      }
      let fresh = try? list.content.filter(list.filterPredicate ?? KVPredicate(true)).sorted(by: list.sortDescriptors)
      if fresh?.map(ObjectIdentifier.init) != list.arrangedObjects.map(ObjectIdentifier.init) {
        faults.append("\(list.arrangedObjects) is not arranged as \(fresh ?? [])")
      }
      if list.content.map(ObjectIdentifier.init) != shelf.tunes.map(ObjectIdentifier.init) {
        faults.append("the model has \(shelf.tunes), not \(list.content)")
      }
      let indexes = list.selectionIndexes
      if indexes != Array(Set(indexes)).sorted() || (indexes.last ?? -1) >= list.arrangedObjects.count {
        faults.append("the indexes \(indexes) are wrong")
      }
    }
  }

  @Test("CTR.7, 11: records follow each other whatever handlers change", arguments: Array(1...6) as [UInt64])
  func random(seed: UInt64) throws {
    let run = try Run(seed: seed)
    let steps = ProcessInfo.processInfo.environment["KV_CONTROLLER_STEPS"].flatMap { Int($0) } ?? 150
    for step in 0..<steps {
      run.change()
      run.check()
      if run.faults.isEmpty { continue }
      Issue.record("seed \(seed), step \(step): \(run.faults.prefix(2).joined(separator: "; "))")
      return
    }
  }
}
