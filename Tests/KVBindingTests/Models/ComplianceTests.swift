import KVBinding
import KVTestSupport
import TestModels
import Testing

/// The models of these tests are what they say, but for what they lack on purpose.
@Suite("TST.2: the models of the tests comply")
struct ModelComplianceTests {
  @Test("TST.2: people, and nodes that are made and deallocated")
  func people() {
    expectCompliant(ignoring: [.setterNotObservable: ["plain"]]) {
      let person = Villager("Ada", age: 36, next: Villager("Bob"))
      person.kids = [Villager("Cid")]
      person.rows = ["a", "b"]
      return person
    }
    expectCompliant(ignoring: [.setterNotObservable: ["companion"]]) { LifeNode("a", next: LifeNode("b")) }
    expectCompliant { VillageHome() }
    expectCompliant { VillageStreet() }
  }
}
