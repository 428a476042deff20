import Foundation
import Testing

@testable import KVCore
@testable import KVQuery

@Suite struct PredicateOracleTests {
  /// The number of evaluations; `KV_ORACLE=1000000` for more.
  private static let evaluations = ProcessInfo.processInfo.environment["KV_ORACLE"].flatMap { Int($0) } ?? 20_000

  @Test("FLT.2, FLT.5–FLT.11: FLT.16 compiled predicates agree with a naive interpreter of their syntax trees")
  func agreement() throws {
    var generator = PredicateGenerator(seed: 2026)
    var (differences, failures, matches) = (0, 0, 0)
    let elements = (0..<200).map { _ in generator.element() }
    for round in 0..<Self.evaluations / 20 {
      let node = generator.predicate(3)
      let predicate = KVPredicate(node)
      if round % 10 == 0 {
        let text = predicate.description
        #expect(try KVPredicate(format: text) == predicate, "\(text)")
      }
      for offset in 0..<20 {
        let element = elements[(round * 7 + offset * 11) % elements.count]
        let expected = try? NaiveInterpreter(subject: element).test(node)
        let found = try? predicate.evaluate(with: element)
        if expected == nil { failures += 1 }
        if expected == true { matches += 1 }
        guard found != expected else { continue }
        differences += 1
        if differences < 5 { Issue.record("\(predicate) of \(element): \(found as Any), not \(expected as Any)") }
      }
    }
    #expect(differences == 0)
    // The predicates must be neither all faulty nor all alike.
    #expect(failures < Self.evaluations / 2 && matches > Self.evaluations / 20, "\(failures) \(matches)")
  }
}
