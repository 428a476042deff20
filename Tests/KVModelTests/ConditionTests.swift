import KVBinding
import KVTestSupport
import Testing

/// Keys that depend on properties that are compiled under conditions (MOD.4).
@Suite struct ConditionTests {
  @Test("MOD.4: a key depends on those of the properties that it mentions which are compiled")
  func conditions() throws {
    let model = Conditional()
    var seen: [String] = []
    let tokens = try ["sum", "shown"].map { key in try model.observe(key) { seen.append("\(key) \($0.new ?? "nil")") } }
    model.base = 2
    model.key = 3
    tokens.forEach { $0.cancel() }
    #expect(seen == ["sum 3", "shown 2", "sum 5"])
    expectCompliant { Conditional() }
  }
}

/// A model whose properties are compiled under conditions.
@KVModel final class Conditional: KVObject {
  var base = 1
  #if KV_NEVER_DEFINED
    var extra = 1
    @KVKey("first") var key = 1
    private var hidden: Int { extra }
  #else
    @KVKey("second") var key = 1
    private var hidden: Int { base }
  #endif
  var sum: Int {
    #if KV_NEVER_DEFINED
      return base + extra
    #else
      return base + key
    #endif
  }
  var shown: Int { hidden }
}
