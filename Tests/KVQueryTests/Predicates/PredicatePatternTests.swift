import Testing

@testable import KVCore
@testable import KVQuery

@Suite("FLT.6, FLT.20: regular expressions that are no literals")
struct PredicatePatternTests {
  private let rows: [[String: String]] = (0..<500).map { index in
    ["text": "item \(index)", "pattern": "item .*\(index % 10)"]
  }

  private func matcher(_ format: String) throws -> Matcher {
    guard case .comparison(let comparison) = try KVPredicate(format: format).node else { fatalError("\(format)") }
    return try Matcher(comparison)
  }

  @Test("FLT.20: a regular expression is compiled once for each text, also by several threads")
  func compiledOnce() async throws {
    let matcher = try matcher("text MATCHES pattern")
    let first = try matcher.pattern("a+")
    #expect(try matcher.pattern("a+") === first && matcher.pattern("b+") !== first)
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for index in 0..<200 {
            let text = "\((index + task) % 100)"
            #expect((try? matcher.pattern(text).matches(text)) == true)
          }
        }
      }
    }
    #expect(try matcher.pattern("a+").matches("aaa"))
  }

  @Test("FLT.6: the result for each element is that of its own pattern, and options count")
  func results() throws {
    let hits = try rows.filter("text MATCHES pattern")
    #expect(hits.count == rows.count)
    let (variable, cased): (KVPredicate, KVPredicate) = ("text MATCHES $p", "text MATCHES[c] $p")
    for index in 0..<300 {
      let pattern = "ITEM \(index % 90)"
      #expect(try !variable.evaluate(with: rows[index], variables: ["p": pattern]))
      #expect(try cased.evaluate(with: rows[index], variables: ["p": pattern]) == (index < 90))
    }
    for _ in 0..<2 {
      let error = #expect(throws: KVError.self) { try variable.evaluate(with: rows[0], variables: ["p": "("]) }
      #expect(error?.code == .invalidPredicate)
    }
  }
}
