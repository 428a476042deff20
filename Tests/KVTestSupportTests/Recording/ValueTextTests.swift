import Testing

@testable import KVTestSupport

@Suite("TST.2: values in reports")
struct ValueTextTests {
  private struct Point {
    let x = 1
    let name = "a"
  }

  private final class Plain {}

  @Test("TST.2: values are shown as one would write them, without modules, members of sets in order")
  func values() {
    #expect(shown(nil) == "nil")
    #expect(shown("a") == #""a""#)
    #expect(shown(["a", nil] as [String?]) == #"["a", nil]"#)
    #expect(shown([Point()]) == #"[Point(x: 1, name: "a")]"#)
    #expect(shown(Set([3, 1, 2])) == "[1, 2, 3]")
    #expect(shown(["b": 2, "a": [1.5]] as [String: Any]) == #"["a": [1.5], "b": 2]"#)
    #expect(shown([String: Int]()) == "[:]")
    #expect(shown([Int]()) == "[]")
    #expect(shown(Array(0..<103)).hasSuffix("98, 99, … 3 more]"))
  }

  @Test("TST.2: objects of one class are distinguished")
  func objects() throws {
    let record = try KVRecord(["a": 1])
    let (one, other) = (Plain(), Plain())
    #expect(shown(one).wholeMatch(of: #/Plain\(…[0-9a-f]{4}\)/#) != nil)
    #expect(shown(one) == shown(one))
    #expect(shown(one) != shown(other))
    #expect(shown(record) == "\(record)")
  }
}
