import KVTestSupport

// The models of Docs/Testing.md.

class Order: KVObject {
  @KVProperty var number = 1
  @KVProperty var items: [Item] = []
  @KVProperty var discount = 0
  var total: Double { items.reduce(0) { $0 + $1.price } * Double(100 - discount) / 100 }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Order.self) { key in
      key("number", \.number)
      key("items", \.items)
      key("discount", \.discount)
      key("total", \.total).affected(by: "items", "discount")
    }
  }
}

struct Item: KeyValueCoding, Equatable {
  var title: String
  var price: Double

  static var keyTable: KVTable {
    KVTable(Item.self) { key in
      key("title", \.title)
      key("price", \.price)
    }
  }
}

final class Label: KVObject {
  @KVProperty var text = ""

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Label.self) { key in key("text", \.text) }
  }
}

final class AnnotatedOrder: Order {
  var note = "none"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: AnnotatedOrder.self) { key in key("note", \.note) }
  }
}
