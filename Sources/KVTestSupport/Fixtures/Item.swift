import KVCore

extension KVFixtures {
  /// An item of an order.
  package struct Item: KeyValueCoding, Sendable, Hashable {
    /// The title of the item.
    package var title: String
    /// The price per unit.
    package var price: Double
    /// The number of units.
    package var amount: Int

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - title: The title of the item.
    ///   - price: The price per unit.
    ///   - amount: The number of units.
    package init(_ title: String, price: Double, amount: Int = 1) {
      self.title = title
      self.price = price
      self.amount = amount
    }

    /// The price of all units.
    package var cost: Double { price * Double(amount) }

    /// The keys of an item.
    package static var keyTable: KVTable {
      KVTable(Item.self) { key in
        key("title", \.title)
        key("price", \.price)
        key("amount", \.amount)
        key("cost", \.cost)
      }
    }
  }
}
