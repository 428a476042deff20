import KVBinding
import KVQuery
import TestModels
import Testing

/// One meaning of a path, whatever is done with it.
@Suite("Paths: subscripts behind elements mean the same everywhere")
struct SubscriptAgreementTests {
  private static let components: [KVKeyPath.Component] = [
    .key("plots"), .key("plots"), .key("number"), .key("list"), .key("grid"), .key("map"), .key("lists"), .key("c"),
    .index(0), .index(0), .index(1), .entry("a.b"), .entry("@id"), .entry("list"), .operator("count", argument: nil),
    .operator("sum", argument: nil), .operator("unionOfObjects", argument: nil),
    .operator("firstObject", argument: nil),
  ]

  /// Makes a path of up to six components that leads somewhere.
  private func path(from plot: Plot, _ random: inout SplitMix64) -> (KVKeyPath, Any?)? {
    var components: [KVKeyPath.Component] = Bool.random(using: &random) ? [.key("plots")] : []
    var value: Any?
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      for _ in 0..<20 {
        let longer = components + [Self.components.randomElement(using: &random)!]
        guard (try? KVKeyPath(components: longer)) != nil else { continue }
        let needsMore = [.operator("sum", argument: nil), .operator("unionOfObjects", argument: nil)].contains(
          longer.last)
        guard let found = try? NaivePath.read(plot, longer[...]) else {
          if needsMore, Int.random(in: 0..<4, using: &random) == 0 { components = longer }
          continue
        }
        (components, value) = (longer, found)
        break
      }
    }
    guard let path = try? KVKeyPath(components: components), let whole = try? NaivePath.read(plot, components[...])
    else {
      return nil
    }
    value = whole
    return (path, value)
  }

  private func forEachPath(_ count: Int, _ body: (Plot, KVKeyPath, Any?) throws -> Void) throws {
    var random = SplitMix64(seed: 5)
    var made = 0
    while made < count {
      let plot = Plot.random(2, &random)
      for _ in 0..<5 {
        guard let (path, value) = path(from: plot, &random) else { continue }
        made += 1
        try body(plot, path, value)
      }
    }
  }

  @Test("KVC.5: reading, also as a type and from a text, agrees with the simplest reader")
  func reading() throws {
    try forEachPath(2_000) { plot, path, value throws in
      for read in [try plot.value(forKeyPath: path), try plot.value(forKeyPath: path.description)] {
        #expect(KVC.areEqual(read, value), "\(path)")
      }
      if let numbers = value as? [Int] {
        #expect(try plot.value(forKeyPath: path, as: [Int].self) == numbers, "\(path)")
      }
    }
  }

  @Test("KVC.10: a write reaches what a read returns, as writes one by one do, or changes nothing")
  func writing() throws {
    try forEachPath(1_000) { plot, path, value throws in
      guard NaivePath.isOfNumbers(value), !path.components.contains(where: \.isNaiveOperator) else { return }
      let (whole, parts, before) = (plot.copy(), plot.copy(), plot.contents)
      let fits = try KVC.canConvert(99, forKeyPath: path, of: plot)
      do {
        try whole.setValue(99, forKeyPath: path)
        #expect(NaivePath.consists(try whole.value(forKeyPath: path), of: 99), "\(path)")
        try NaivePath.writeOneByOne(99, parts, path.components[...])
        #expect(whole.contents == parts.contents, "\(path)")
        #expect(fits, "\(path)")
      } catch let error as KVError {
        #expect(whole.contents == before, "\(path): \(error)")
        #expect(error.code == .typeMismatch, "\(path): \(error)")
        #expect(!fits, "\(path)")
      }
    }
  }

  @Test("KVO.1: an observer is told what a read returns")
  func observing() throws {
    var random = SplitMix64(seed: 6)
    var observed = 0
    try forEachPath(1_000) { plot, path, value throws in
      var told: Any?
      let token: KVObservation
      do { token = try plot.observe(path, options: [.new, .initial], handler: { told = $0.new }) } catch {
        let error = try #require(error as? KVError, "\(path)")
        #expect(error.code == .notObservable && error.message.contains("through the elements"), "\(error)")
        return
      }
      observed += 1
      #expect(KVC.areEqual(told, value), "\(path)")
      for changed in plot.plots + [plot] {
        changed.fill(&random)
        guard let now = try? NaivePath.read(plot, path.components[...]) else { break }
        #expect(KVC.areEqual(told, now), "\(path)")
      }
      token.cancel()
    }
    #expect(observed > 500)
  }

  @Test("SRT.7, FLT.16: sorting and filtering read what a read returns, an index that is computed included")
  func sortingAndFiltering() throws {
    var random = SplitMix64(seed: 6)
    try forEachPath(1_000) { plot, path, value throws in
      let predicate = try KVPredicate(format: "%K == $value", path)
      #expect(try predicate.evaluate(with: plot, variables: ["value": value]), "\(predicate)")
      #expect(try KVPredicate(format: predicate.description) == predicate, "\(predicate)")
      if case .index(let index) = path.last, let parent = path.parent {
        let computed = try KVPredicate(format: "%K[$index] == $value", parent)
        #expect(try computed.evaluate(with: plot, variables: ["value": value, "index": index]), "\(computed)")
        let bound = computed.with(["index": index])
        #expect(try bound.evaluate(with: plot, variables: ["value": value]), "\(bound)")
      }
      guard value is Int else { return }
      let plots = [plot, .random(2, &random), .random(2, &random)]
      let numbers = plots.map { try? NaivePath.read($0, path.components[...]) as? Int }
      guard let numbers = numbers as? [Int] else { return }
      let sorted = try plots.sorted(by: [KVSortDescriptor(path)])
      #expect(try sorted.map { try $0.value(forKeyPath: path, as: Int.self) } == numbers.sorted(), "\(path)")
    }
  }
}

extension KVKeyPath.Component {
  fileprivate var isNaiveOperator: Bool { if case .operator = self { true } else { false } }
}
