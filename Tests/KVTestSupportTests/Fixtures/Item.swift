import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An item of an order.
  struct Item: KeyValueCoding, Sendable, Hashable {
    /// The title of the item.
    var title: String
    /// The price per unit.
    var price: Double
    /// The number of units.
    var amount: Int

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - title: The title of the item.
    ///   - price: The price per unit.
    ///   - amount: The number of units.
    init(_ title: String, price: Double, amount: Int = 1) {
      self.title = title
      self.price = price
      self.amount = amount
    }

    /// The price of all units.
    var cost: Double { price * Double(amount) }

    /// The keys of an item.
    static var keyTable: KVTable {
      KVTable(Item.self) { key in
        key("title", \.title)
        key("price", \.price)
        key("amount", \.amount)
        key("cost", \.cost)
      }
    }
  }
}
