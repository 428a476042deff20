import KVBinding

/// Something to buy.
@KVModel public struct Item: Equatable, Sendable {
  /// What it is called.
  public var title: String
  /// What it costs, in cents.
  public var price: Int

  /// Makes an item.
  public init(_ title: String, price: Int) {
    self.title = title
    self.price = price
  }
}
