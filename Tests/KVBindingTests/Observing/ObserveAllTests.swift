import KVBinding
import KVCore
import KVTestSupport
import TestModels
import Testing

@Suite("KVO.25: all keys of an object with one handler")
struct ObserveAllTests {
  @Test("KVO.25: every key of the table that can notify, dependent keys included; one token ends all")
  func all() throws {
    let person = Villager("Ada")
    var lines: [String] = []
    var token: KVObservation? = try person.observeAll { lines.append(brief($0)) }
    person.age = 3
    #expect(lines == ["age setting 0 → 3"])
    person.name = "Bea"
    #expect(lines.dropFirst() == ["name setting Ada → Bea", "shout setting Ada → Bea"])
    try person.mutableArray(forKey: "rows").append("x")
    try person.setValue("new", forKey: "plain")
    #expect(lines.dropFirst(3).map { $0.prefix(14) } == ["rows insertion", "plain setting "])
    person.silent = 5
    #expect(lines.count == 5 && token?.isActive == true)
    token = nil
    person.age = 4
    #expect(lines.count == 5 && KVDiagnostics.observations(of: person).isEmpty)
  }

  @Test("KVO.25: options, records, and types without a key that notifies")
  func others() throws {
    var lines: [String] = []
    let record = try KVRecord(["a": 1, "b": 2])
    let token = try record.observeAll(options: [.new, .initial]) { lines.append(brief($0)) }
    #expect(lines.sorted() == ["a setting initial nil → 1", "b setting initial nil → 2"])
    try record.setValue(3, forKey: "a")
    #expect(lines.last == "a setting nil → 3")
    token.cancel()
    #expect(throws: KVError.self) { try Mute().observeAll { _ in } }
  }
}

private final class Mute: KVObject {
  let constant = 1

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Mute.self) { key in key("constant", \.constant) }
  }
}
