import Checkout

let basket = Basket()
let display = Display()
try display.show(basket)
basket.add(Item("tea", price: 450))
basket.add(Item("cups", price: 1800))
basket.discount = 10
print(display.text)
