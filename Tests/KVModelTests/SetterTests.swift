import KVBinding
import KVCore
import Testing

/// What the setters of a model do (MOD.10).
@Suite struct SetterTests {
  #if DEBUG
    @Test("MOD.10 an observed setter knows its key: nothing is looked up") func lookUps() throws {
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
