import KVBinding

@KVModel final class Order: KVObject {  // KVObject stores the observers
  var customer = Customer()
  var items = [Item(title: "tea", price: 4.5), Item(title: "cups", price: 18)]
  var total: Double { items.reduce(0) { $0 + $1.price } }  // notifies when items does, since its getter reads items
}

@KVModel struct Customer {
  var name = "Ada"
  var city: String?
}

@KVModel struct Item {
  var title: String
  @KVKey(.lenient) var price: Double  // takes a text, too
}

let order = Order()
let token = try order.observe("total") { print("total:", $0.old ?? "-", "→", $0.new ?? "-") }  // until token is dropped

for argument in CommandLine.arguments.dropFirst() {  // a key path to read, or PATH=VALUE to set
  let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
  do {
    if parts.count == 2 { try order.setValue(parts[1], forKeyPath: parts[0]) }
    print(parts[0], "is", try order.value(forKeyPath: parts[0]) ?? "nil")
  } catch { print(error) }
}
