import Checkout
import KVTestSupport
import Testing

@Suite("A basket")
struct BasketTests {
  private let basket = Basket()
  private let tea = Item("tea", price: 450)
  private let cups = Item("cups", price: 1800)

  @Test("complies with coding and observing")
  func compliance() {
    expectCompliant {
      let basket = Basket()
      basket.add(tea)
      return basket
    }
    expectCompliant { Item("tea", price: 450) }
    expectCompliant { Display() }
  }

  @Test("is deallocated when nothing references it, though it is shown")
  func release() throws {
    let display = Display()
    try expectReleased {
      let basket = Basket()
      try display.show(basket)
      return basket
    }
    expectNoObserversLeft(on: display)
  }

  @Test("notifies of its items and of the total")
  func changes() {
    basket.add(tea)
    expectChanges(
      of: basket, [.set("items", to: [tea, cups]), .set("total", from: 450, to: 2250)], matching: .anyOrder,
      watching: .all
    ) {
      basket.add(cups)
    }
  }

  @Test("has a total that does not care who buys")
  func customer() { expectNoChange(of: basket, "total") { basket.customer = "Ada" } }

  @Test("is refilled at one stroke")
  func refill() {
    expectCoalesced(of: basket, .set("total", from: 0, to: 2025)) { basket.refill([tea, cups], discount: 10) }
  }

  @Test("takes the discount when it comes")
  func discount() async {
    basket.add(cups)
    await expectChange(of: basket, "total", to: 900, within: .seconds(60)) {
      await basket.lookUpDiscount { await Task.detached { 50 }.value }
    }
  }

  @Test("is shown in euros")
  func display() throws {
    let display = Display()
    try display.show(basket)
    expectNoBindingErrors { basket.add(tea) }
    expectConsistent(bindingsOf: display)
    #expect(display.text == "4.50 €")
  }
}
