import KVBinding
import KVTestSupport

extension KVFixtures {
  /// An order of a shop, with a total that depends on its items.
  class Order: KVObject {
    /// The number of the order.
    @KVProperty var number: Int
    /// The customer.
    @KVProperty var customer: Person?
    /// The items, which are values, so that a write to `items[0].price` notifies the observers of `items`.
    @KVProperty var items: [Item]
    /// The discount on the total.
    @KVProperty var discount = 0.0

    /// Creates an order.
    ///
    /// - Parameters:
    ///   - number: The number of the order.
    ///   - items: The items.
    init(_ number: Int = 1, items: [Item] = []) {
      self.number = number
      self.items = items
    }

    /// The amount to pay: dependent on `items` and `discount`.
    var total: Double { items.reduce(-discount) { $0 + $1.cost } }

    /// The keys of an order.
    override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("number", \.number)
        key("customer", \.customer)
        key("items", \.items)
        key("discount", \.discount)
        key("total", \.total).affected(by: "items", "discount")
      }
    }

    /// Creates the order 1815 of Ada: tea for 4.5 and two cups for 9 each, which is 22.5.
    ///
    /// - Returns: A new order.
    static func sample() -> Order {
      let order = Order(1815, items: [Item("tea", price: 4.5), Item("cup", price: 9, amount: 2)])
      order.customer = Person()
      return order
    }
  }
}
