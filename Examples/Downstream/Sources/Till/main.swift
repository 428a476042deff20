import Checkout
import KVBinding

let basket = Basket()
let display = Display()
try display.show(basket)
basket.add(Item("tea", price: 450))
basket.add(Item("cups", price: 1800))
basket.discount = 10
print(display.text)
do {
  _ = try KVTransformer.named("archive")
} catch {
  print(error.message)  // this program does not link the library that has it
}

let invoice = Invoice()
let token = try invoice.observe("label") { change in print(change.new ?? "nil") }
invoice.paid = 2
try invoice.setValue(7, forKey: "number")
token.cancel()
