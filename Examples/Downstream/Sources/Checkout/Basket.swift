import KVBinding

/// What a customer is about to buy.
public final class Basket: KVObject {
  /// Who buys.
  @KVProperty public var customer: String?
  /// What lies in the basket.
  @KVProperty public var items: [Item] = []
  /// What is let off, in percent.
  @KVProperty public var discount = 0

  /// What is to be paid, in cents.
  public var total: Int { items.reduce(0) { $0 + $1.price } * (100 - discount) / 100 }

  public override class var keyTable: KVTable {
    super.keyTable.extended(for: Basket.self) { key in
      key("customer", \.customer)
      key("items", \.items)
      key("discount", \.discount).validated { discount in
        (0...100).contains(discount) ? .valid : .replaced(with: min(max(discount, 0), 100))
      }
      key("total", \.total).affected(by: "items", "discount")
    }
  }

  /// Puts an item into the basket.
  public func add(_ item: Item) { items.append(item) }

  /// Changes the whole basket; observers who asked for that hear once.
  public func refill(_ items: [Item], discount: Int) {
    KVCoalescing.coalesce {
      self.items = items
      self.discount = discount
    }
  }

  /// Asks another thread for the discount of a customer.
  public func lookUpDiscount(_ ask: @escaping @Sendable () async -> Int) async { discount = await ask() }
}
