import KVCore

extension KVFixtures {
  /// An item of an order.
  public struct Item: KeyValueCoding, Sendable, Hashable {
    /// What it is.
    public var title: String
    /// What one costs.
    public var price: Double
    /// How many.
    public var amount: Int

    /// Makes an item.
    ///
    /// - Parameters:
    ///   - title: What it is.
    ///   - price: What one costs.
    ///   - amount: How many.
    public init(_ title: String, price: Double, amount: Int = 1) {
      self.title = title
      self.price = price
      self.amount = amount
    }

    /// What all of them cost.
    public var cost: Double { price * Double(amount) }

    /// The keys of an item.
    public static var keyTable: KVTable {
      KVTable(Item.self) { key in
        key("title", \.title)
        key("price", \.price)
        key("amount", \.amount)
        key("cost", \.cost)
      }
    }
  }
}
