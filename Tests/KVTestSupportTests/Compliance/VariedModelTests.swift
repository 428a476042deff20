import Foundation
import KVTestSupport
import Testing

@Suite("TST.2: models of many kinds comply")
struct VariedModelTests {
  @Test("TST.2: generic classes comply")
  func generic() {
    expectCompliant { Box(1) }
    expectCompliant { Box<String?>(nil) }
    expectCompliant { Box([Box(1)]) }
  }

  @Test("TST.2: values of which nothing is known comply") func curious() { expectCompliant { Curious() } }

  @Test("TST.2: optionals comply that are nil, and that are not")
  func hollow() {
    expectCompliant { Hollow() }
    expectCompliant {
      let hollow = Hollow()
      (hollow.number, hollow.text, hollow.truth, hollow.list, hollow.shape) = (1, "", true, [], .circle(2))
      hollow.next = Hollow()
      return hollow
    }
  }

  @Test("TST.2: paths of dependence through objects comply")
  func deep() {
    expectCompliant { Leaf() }
    expectCompliant { Branch() }
    expectCompliant { Trunk() }
    expectCompliant { Bounds() }
  }

  @Test("TST.2: listed keys with bounds comply") func strict() { expectCompliant { Strict() } }

  @Test("TST.2: sixty keys that depend on one are looked at in time")
  func wide() {
    expectCompliant { Wide() }
  }

  @Test("TST.2: models of the main actor comply") @MainActor func screen() { expectCompliant { Screen() } }

  @Test("TST.2: values comply") func postcard() { expectCompliant { Postcard() } }

  @Test("TST.2, TST.3: the fixtures comply")
  func fixtures() {
    expectCompliant(ignoring: [.setterNotObservable: ["plain", "mentor"]]) { KVFixtures.Person.sample() }
    expectCompliant { KVFixtures.Address() }
    expectCompliant { KVFixtures.Order.sample() }
    expectCompliant { KVFixtures.Item("tea", price: 4.5) }
    expectCompliant { KVFixtures.Download() }
    expectCompliant { KVFixtures.Note() }
    expectCompliant { KVFixtures.Slider() }
    expectCompliant { KVFixtures.Panel.sample() }
    expectCompliant { KVFixtures.Shelf() }
    expectCompliant(values: ["hooked": 5]) { KVFixtures.Faulty() }
    expectCompliant { KVFixtures.Mortal() }
  }
}
