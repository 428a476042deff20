import KVBinding

@KVModel final class Order: KVObject {
  var number = 1
  var customer = Customer()
  var items: [Item] = []
  var total: Double { items.reduce(0) { $0 + $1.price } }
}

@KVModel struct Customer {
  var name = "Ada"
  var city: String?
}

struct Item: Equatable {  // no table: readable by reflection
  var title: String
  var price: Double
}

let order = Order()
let tea = Item(title: "tea", price: 4.5)
order.items = [tea, Item(title: "cups", price: 18)]

try order.setValue("London", forKeyPath: "customer.city")
print(try order.value(forKeyPath: "customer.city", as: String.self))
print(try order.value(forKeyPath: "items.title", as: [String].self))
print(try order.value(forKeyPath: "items.@sum.price", as: Double.self))
print(try order.value(forKeyPath: "items[0].price", as: Int.self))  // the fraction is truncated

let token = try order.observe("total") { change in
  print("total:", change.old ?? "-", "→", change.new ?? "-")
}
order.items.append(Item(title: "spoon", price: 2.5))
token.cancel()

do {
  try order.setValue(7, forKeyPath: "customer.nmae")
} catch {
  print(error)
}
