import KVBinding

@KVModel final class Order: KVObject {
  var customer = Customer()
  var items: [Item] = []
  var total: Double { items.reduce(0) { $0 + $1.price } }
}

@KVModel struct Customer {
  var name = "Ada"
  var city: String?
}

struct Item: Equatable {  // no macro: readable by reflection
  var title: String
  var price: Double
}

let order = Order()
order.items = [Item(title: "tea", price: 4.5), Item(title: "cups", price: 18)]

try order.setValue("London", forKeyPath: "customer.city")
print(try order.value(forKeyPath: "items.title", as: [String].self))
print(try order.value(forKeyPath: "items.@sum.price", as: Double.self))

let token = try order.observe("total") { print("total:", $0.old ?? "-", "→", $0.new ?? "-") }
order.items.append(Item(title: "spoon", price: 2.5))

do { try order.setValue(7, forKeyPath: "customer.nmae") } catch { print(error) }
