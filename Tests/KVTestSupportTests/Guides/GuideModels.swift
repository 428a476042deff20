import KVTestSupport

// The models of Docs/Testing.md.

@KVModel class Order: KVObject {
  var number = 1
  var items: [Item] = []
  var discount = 0
  var total: Double { items.reduce(0) { $0 + $1.price } * Double(100 - discount) / 100 }
}

@KVModel struct Item: Equatable {
  var title: String
  var price: Double
}

@KVModel final class Label: KVObject {
  var text = ""
}

final class AnnotatedOrder: Order {
  var note = "none"

  override class var keyTable: KVTable {
    super.keyTable.extended(for: AnnotatedOrder.self) { key in key("note", \.note) }
  }
}
