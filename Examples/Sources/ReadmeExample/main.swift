import KVBinding

final class Order: KVObject {
  @KVProperty var number = 1
  @KVProperty var customer = Customer()
  @KVProperty var items: [Item] = []
  var total: Double { items.reduce(0) { $0 + $1.price } }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Order.self) { key in
      key("number", \.number)
      key("customer", \.customer)
      key("items", \.items)
      key("total", \.total).affected(by: "items")
    }
  }
}

struct Customer: KeyValueCoding {
  var name = "Ada"
  var city: String?

  static var keyTable: KVTable {
    KVTable(Customer.self) { key in
      key("name", \.name)
      key("city", \.city)
    }
  }
}

struct Item {  // no table: readable by reflection
  var title: String
  var price: Double
}

let order = Order()
order.items = [Item(title: "tea", price: 4.5), Item(title: "cups", price: 18)]

try order.setValue("London", forKeyPath: "customer.city")
print(try order.value(forKeyPath: "customer.city", as: String.self))
print(try order.value(forKeyPath: "items.title", as: [String].self))
print(try order.value(forKeyPath: "items.@sum.price", as: Double.self))
print(try order.value(forKeyPath: "items[0].price", as: Int.self))

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
