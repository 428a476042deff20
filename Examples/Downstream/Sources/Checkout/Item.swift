import KVBinding

/// Something to buy.
public struct Item: KeyValueCoding, Equatable, Sendable {
  /// What it is called.
  public var title: String
  /// What it costs, in cents.
  public var price: Int

  /// Makes an item.
  public init(_ title: String, price: Int) {
    self.title = title
    self.price = price
  }

  /// Its keys.
  public static var keyTable: KVTable {
    KVTable(Item.self) { key in
      key("title", \.title)
      key("price", \.price)
    }
  }
}
