import KVCore

enum State: String { case paid }

enum Kind { case express }

@KVModel final class Order: KVObject {
  var number = 7
  var customer = Customer()
  var items = [Item(title: "tea", price: 4.5, tags: ["hot"]), Item(title: "cup", price: 2, tags: ["hot", "new"])]
  var note: String?
  var boss: Customer?
  var maybe: [Int?] = [1, nil]
  var none: [String] = []
  var state = State.paid
  var kind = Kind.express
  var info: [String: Any] = ["public": 1, "private": 2]
  var record: KVRecord = ["public": 1, "private": 2, "nested": ["deep": 1], "with.dots": 2]
  var secret = "1234"
  private var storedSecret = "1234"
}

@KVModel struct Customer {
  var name = "Ada"
  var pin = "1234"
  var address = Address()
}

@KVModel struct Address {
  var city = "London"
  var street = "1234"
}

@KVModel struct Item {
  var title: String
  var price: Double
  var cost = 1234
  var size = Size()
  var tags: [String] = []
}

@KVModel struct Size {
  var width = 2
}
