@KVModel final class Customer: KVObject {
  var name = "Ann"
  var city = "Riga"
  var creditLimit = 100
}
@KVModel final class Item: KVObject {
  var title = ""
  var price = 1.5
}
@KVModel final class Order: KVObject {
  var customer = Customer()
  var items: [Item] = []
  var note = ""
}
nonisolated(unsafe) let order = Order()
nonisolated(unsafe) let orders = [order]
let text = "note LIKE 'p*'"
let definitions: [KVBindingDefinition] = []
