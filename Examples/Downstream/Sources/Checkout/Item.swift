import KVBinding

/// Something to buy.
public struct Item: KeyValueCoding, Equatable, Sendable {
  public var title: String
  /// In cents.
  public var price: Int

  public init(_ title: String, price: Int) {
    self.title = title
    self.price = price
  }

  public static var keyTable: KVTable {
    KVTable(Item.self) { key in
      key("title", \.title)
      key("price", \.price)
    }
  }
}
