import Foundation

nonisolated(unsafe) let (order, label, copy) = (Order(), Label(), Order())
let (tea, cups) = (Item(title: "tea", price: 4.5), Item(title: "cups", price: 18))
nonisolated(unsafe) let basket = Basket()
@KVModel final class Label: KVObject { var text = "" }
@KVModel final class Basket: KVObject {
  var customer = ""
  var total = 0.0
  func add(_ item: Item) {}
}
@KVModel final class AnnotatedOrder: Order { var note = "" }

//@ skip .testTarget(
// A manifest.
//@ skip let paid = try keyValueObservingExpectation
// XCTest, as README's example.
//@ skip func testItIsShownInEuros
// XCTest, as README's example.
//@ in @Test("has a total
struct BasketTests {
//@block
}
//@ in let binding = try copy.bind("number", to: "number", of: self.order)
struct OrderTests { let order = Order()
func leaves() throws {
//@block
}}
//@ in var order: Order? = Order()
func release() throws {
//@block
}
