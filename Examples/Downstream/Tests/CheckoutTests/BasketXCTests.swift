import Checkout
import KVTestSupport
import XCTest

final class BasketXCTests: XCTestCase {
  private let basket = Basket()
  private let tea = Item("tea", price: 450)

  func testItComplies() { expectCompliant { Basket() } }

  func testItIsDeallocatedWhenUnreferenced() {
    var basket: Basket? = Basket()
    expectReleased(&basket)
  }

  func testItNotifiesOfItsItemsAndOfTheTotal() throws {
    try expectChanges(of: basket, [.inserted([tea], into: "items", at: [0]), .set("total", from: 0, to: 450)]) {
      try basket.mutableArray(forKey: "items").append(tea)
    }
  }

  func testWaitersAreNotifiedOfTheTotal() throws {
    let paid = try keyValueObservingExpectation(for: basket, keyPath: "total", expectedValue: 450)
    basket.add(tea)
    wait(for: [paid], timeout: 60)
  }

  func testTheDiscountIsTakenWhenItComes() async {
    await expectChange(of: basket, "discount", to: 50, within: .seconds(60)) {
      await basket.lookUpDiscount { await Task.detached { 50 }.value }
    }
  }

  func testItIsShownInEuros() throws {
    let display = Display()
    try display.show(basket)
    expectNoBindingErrors { basket.add(tea) }
    expectConsistent(bindingsOf: display)
    XCTAssertEqual(display.text, "4.50 €")
  }
}
