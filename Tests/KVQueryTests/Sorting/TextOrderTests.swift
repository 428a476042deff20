import KVCore
import KVQuery
import TestModels
import Testing

@Suite struct TextOrderTests {
  private let texts = [
    "e\u{301}e\u{301}", "éé", "ééa", "éé\u{302}", "e\u{301}e\u{301}a", "ée\u{302}", "e", "é", "f", "e\u{301}\u{302}",
    "",
    "é\0", "e\u{301}\0", "é\0\0", "é\u{1}", "é\0a", "\0", "z", "\u{1EF}", "\u{292}", "\u{212A}", "K", "Kelvin", "가",
    "\u{1100}\u{1161}", "\u{1100}", "가\u{11A8}", "a\u{301}\u{323}", "ạ\u{301}", "ab", "a",
  ]

  @Test("SRT.3: the order of texts of any normal forms is one, total and transitive, and agrees with equality")
  func transitive() throws {
    let order: [KVSortDescriptor] = ["self"]
    let predicate = try KVPredicate(format: "a < b")
    for left in texts {
      for right in texts {
        let ordering = try order.compare(left, right)
        let opposite = try order.compare(right, left)
        #expect((ordering == .same) == (left == right), "\(left.debugDescription) \(right.debugDescription)")
        #expect((ordering == .less) == (opposite == .greater), "\(left.debugDescription) \(right.debugDescription)")
        #expect(try predicate.evaluate(with: ["a": left, "b": right]) == (ordering == .less))
        for third in texts where ordering != .greater {
          let next = try order.compare(right, third)
          guard next != .greater else { continue }
          let whole = try order.compare(left, third)
          #expect(whole == (ordering == .same ? next : .less))
        }
      }
    }
    let sorted = try texts.sorted(by: order)
    #expect(try texts.reversed().sorted(by: order) == sorted && sorted.isSorted(by: order))
    #expect(try order.compare("e\u{301}e\u{301}", "ééa") == .less && order.compare("éé", "e\u{301}e\u{301}") == .same)
  }

  @Test("SRT.8: NaN is one group, and collections group by their elements")
  func groups() throws {
    let many = (0..<20_000).map { _ in Double.nan } + [1]
    #expect(try many.grouped(by: "self").count == 2)
    #expect(try [Float.nan, 1, .nan].grouped(by: "self").count == 2)
    let collections: [Any] = [
      [1, 2], [1.0, 2.0], [true, 2] as [Any], Set([1]), Set([1.0]), [1], [Int?.none, 1], [Int?.none, 1.0] as [Any?],
    ]
    #expect(try collections.grouped(by: "self").map(\.elements.count) == [3, 2, 1, 2])
    let nested: [Any] = [[[1]], [[1.0]], [[2]]]
    #expect(try nested.uniqued(by: "self").count == 2)
  }

  @Test("SRT.3: an error of a registered comparison has the key path and both indexes")
  func failures() throws {
    let failing = try KVComparison.register("test order fails") { _, _ in throw SongFailure.closed }
    defer { KVComparison.unregister("test order fails") }
    let songs = [Song("a", 1), Song("b", 2)]
    let error = #expect(throws: KVError.self) { try songs.sorted(by: [.ascending("title", failing)]) }
    #expect(
      error?.keyPath == "title" && error?.message.contains("elements 1 and 0") == true
        || error?.message.contains("elements 0 and 1") == true)
    #expect(error?.underlying is SongFailure)
  }
}
