import KVBinding

/// What a customer is about to buy.
@KVModel public final class Basket: KVObject {
  /// Who buys.
  public var customer: String?
  /// What lies in the basket.
  public var items: [Item] = []
  /// What is let off, in percent.
  @KVKey(.validated(by: limited)) public var discount = 0

  /// What is to be paid, in cents.
  public var total: Int { items.reduce(0) { $0 + $1.price } * (100 - discount) / 100 }

  private func limited(_ discount: Int) -> KVValidation {
    (0...100).contains(discount) ? .valid : .replaced(with: min(max(discount, 0), 100))
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
