import KVBinding

/// What the customer sees.
@KVModel public final class Display: KVObject {
  /// The line that is shown.
  public var text = ""

  /// Shows the total of a basket from now on.
  @discardableResult
  public func show(_ basket: Basket) throws -> KVPathBinding {
    try bind("text", to: "total", of: basket, options: .init(transformer: .price))
  }
}

extension KVTransformer {
  /// Cents as euros, and back.
  public static let price = KVTransformer(
    forward: { (cents: Int) in "\(cents / 100).\(cents % 100 < 10 ? "0" : "")\(cents % 100) €" },
    reverse: { (text: String) in
      let parts = text.dropLast(2).split(separator: ".")
      guard parts.count == 2, let euros = Int(parts[0]), let cents = Int(parts[1]) else { throw NotAPrice(text: text) }
      return euros * 100 + cents
    })
}

/// A text that names no price.
public struct NotAPrice: Error, CustomStringConvertible {
  let text: String
  /// Which text.
  public var description: String { "\"\(text)\" is not a price" }
}
