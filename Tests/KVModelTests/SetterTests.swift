import KVBinding
import KVCore
import Testing

/// What the setters of a model do (MOD.10).
@Suite struct SetterTests {
  @Test("MOD.10, KVO.1: a handler that takes no values is called for each set, and one beside it gets both")
  func withoutValues() throws {
    let (order, copy) = (Order(), Order())
    var lines: [String] = []
    let plain = try order.observe("comment", options: []) { lines.append("\($0.old == nil && $0.new == nil)") }
    let binding = try copy.bind("comment", to: "comment", of: order)
    let text = String(repeating: "x", count: 40)
    order.comment = text
    order.comment = text
    #expect(lines == ["true", "true"] && copy.comment == text)
    let full = try order.observe("comment", options: [.old, .new]) {
      lines.append("\($0.old as? String ?? "-") → \($0.new as? String ?? "-")")
    }
    order.comment = nil
    order.comment = "y"
    #expect(lines[2...] == ["true", "\(text) → -", "true", "- → y"] && copy.comment == "y")
    full.cancel()
    order.comment = "z"
    #expect(lines[6...] == ["true"] && copy.comment == "z")
    plain.cancel()
    binding.cancel()
    order.comment = "end"
    #expect(lines.count == 7 && copy.comment == "z")
  }

  @Test("LIF.3, MOD.10: an object that a property alone retained ends after the set: its observers may read that")
  func lastReference() throws {
    let (order, list) = (Order(), Box<[Order]>([Order()]))
    order.clerk = list.content[0]
    var counts: [Int] = []
    let token = try order.observe("clerk.number", options: []) { _ in counts.append(list.content.count) }
    list.content = []
    #expect(counts == [0])
    list.content = [Order()]
    order.clerk = list.content[0]
    try list.setValue([Order](), forKey: "content")
    #expect(counts == [0, 1, 0])
    token.cancel()
  }

  #if DEBUG
    @Test("MOD.10: an observed setter knows its key: nothing is looked up") func lookUps() throws {
      let order = Order()
      var count = 0
      let token = try order.observe("number", options: []) { _ in count += 1 }
      let lookUps = LookUpCount.of {
        order.number = 2
        order.lines.append(Line())
        order.comment = "x"
      }
      #expect((lookUps.keys, lookUps.texts, count) == (0, 0, 1))
      token.cancel()
    }
  #endif
}
