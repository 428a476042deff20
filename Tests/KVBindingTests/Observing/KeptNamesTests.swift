import KVBinding
import KVCore
import Testing

@Suite("What stays in memory after use")
struct KeptNamesTests {
  @Test("KVO.19: names that are read, written or refused are not kept; one that was observed is")
  func names() throws {
    let (record, node) = (KVRecord(), LifeNode())
    let token = try record.observe("kept name", options: []) { _ in }
    for number in 0..<100 {
      let name = "unkept name \(number)"
      try record.setValue(number, forKey: name)
      #expect(try record.value(forKey: name, as: Int.self) == number)
      #expect(throws: KVError.self) { try node.value(forKey: name) }
      #expect(throws: KVError.self) { try node.setValue(1, forKey: name) }
      #expect(throws: KVError.self) { try node.observe(name, options: []) { _ in } }
      #expect(InternedKey.existing(name) == nil)
    }
    token.cancel()
    #expect(InternedKey.existing("kept name") != nil)
  }

  @Test("LIF.1: observations of owners that are gone do not pile up, though nothing changes")
  func owners() throws {
    let (node, captures) = (LifeNode(), LifeCapture.Count())
    for _ in 0..<50_000 {
      let capture = LifeCapture(captures)
      try node.observe("name", options: [], owner: LifeOwner()) { _, _ in withExtendedLifetime(capture) {} }
    }
    // They are looked for when their number has doubled, together with those of other tests, which may be many thousands.
    #expect(captures.alive < 40_000)
  }
}
