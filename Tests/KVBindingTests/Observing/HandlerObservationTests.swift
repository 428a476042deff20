import KVBinding
import KVCore
import TestModels
import Testing

@Suite("KVO.22: handlers that receive their observation")
struct HandlerObservationTests {
  private let person = Villager("Ada")
  private let log = ChangeLines()

  @Test("KVO.22: a handler cancels its observation in the initial record")
  func initial() throws {
    let token = try person.observe("name", options: [.initial, .new]) { [log] observation, change in
      log.add(change)
      observation.cancel()
    }
    person.name = "Bea"
    #expect(log.lines == ["name setting initial nil → Ada"] && !token.isActive)
  }

  @Test("KVO.22, KVO.10: later records have the same observation, which its handler does not keep")
  func later() throws {
    var token: KVObservation? = try person.observe("name") { [log] observation, change in
      log.add(change)
      if change.new as? String == "Cyd" { observation.pause() }
    }
    weak let observed = token
    person.name = "Bea"
    person.name = "Cyd"
    person.name = "Dot"
    #expect(log.take() == ["name setting Ada → Bea", "name setting Bea → Cyd"])
    #expect(token?.isPaused == true)
    token = nil
    #expect(observed == nil && KVDiagnostics.observations(of: person).isEmpty)
  }
}
