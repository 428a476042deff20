import KVBinding
import Testing

private final class Part: KVObject {
  @KVProperty var name = ""
  @KVProperty var parts: [Part] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Part.self) { key in
      key("name", \.name)
      key("parts", \.parts)
    }
  }
}

@Suite("KVO.7, KVO.17: changes while an observation begins")
struct ElementsInitialTests {
  @Test("KVO.7, KVO.17: an initial handler that removes its element leaves nothing registered with it")
  func removal() throws {
    let whole = Part()
    let parts = [Part(), Part(), Part()]
    whole.parts = parts
    var received: [String] = []
    let token = try whole.observeElements(of: "parts", "name", options: [.new, .initial]) { change in
      received.append("\(change.new ?? "")")
      if change.isInitial, change.object === parts[0] { try? whole.mutableArray(forKey: "parts").remove(at: 0) }
    }
    received = []
    parts[0].name = "gone"
    parts[1].name = "there"
    #expect(received == ["there"])
    #expect(KVDiagnostics.observations(of: parts[0]).isEmpty)
    token.cancel()
  }

  @Test("KVO.19: the old value of a record may read the record in its deinit", arguments: [false, true])
  func dyingValue(isObserved: Bool) throws {
    let record = KVRecord()
    let token = isObserved ? try record.observe("x") { _ in } : nil
    var seen: [Int] = []
    record["x"] = DeinitProbe { [unowned record] in seen.append(record["x"] as? Int ?? 0) }
    record["x"] = 1
    #expect(seen == [1])
    token?.cancel()
  }
}
