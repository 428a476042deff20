import KVCore

extension KVFixtures {
  /// An order of a shop, with a sum that depends on its items.
  open class Order: KVObject {
    /// The number.
    @KVProperty public var number: Int
    /// Who ordered.
    @KVProperty public var customer: Person?
    /// What was ordered: values, so that `items[0].price` writes through and tells `items`.
    @KVProperty public var items: [Item]
    /// What is taken off the sum.
    @KVProperty public var discount = 0.0

    /// Makes an order.
    ///
    /// - Parameters:
    ///   - number: The number.
    ///   - items: What is ordered.
    public init(_ number: Int = 1, items: [Item] = []) {
      self.number = number
      self.items = items
    }

    /// What is to be paid: dependent on `items` and `discount`.
    public var total: Double { items.reduce(-discount) { $0 + $1.cost } }

    /// The keys of an order.
    open override class var keyTable: KVTable {
      super.keyTable.extended(for: Order.self) { key in
        key("number", \.number)
        key("customer", \.customer)
        key("items", \.items)
        key("discount", \.discount)
        key("total", \.total).affected(by: "items", "discount")
      }
    }

    /// Makes the order 1815 of Ada: tea for 4.5 and two cups for 9, which is 22.5.
    ///
    /// - Returns: A new order.
    public static func sample() -> Order {
      let order = Order(1815, items: [Item("tea", price: 4.5), Item("cup", price: 9, amount: 2)])
      order.customer = Person()
      return order
    }
  }
}
