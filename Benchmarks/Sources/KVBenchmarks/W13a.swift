import KVBinding

/// Appends to an array of 10,000 and removes the last element again, and sets an entry of a dictionary of 1,000, in Swift:
/// unobserved, and with an observer that wants the new value only.
func runW13a(_ w13a: Workload) throws {
  let counter = Counter()
  let shop = opaque(NumberShop())
  shop.numbers = Array(0..<10_000)
  for index in 0..<1_000 { shop.prices["\(index)"] = index }
  w13a.measure("unobserved", shop)
  let tokens = [
    try shop.observe("numbers", as: [Int].self, options: .new) { counter.count($0.new?.count) },
    try shop.observe("prices", as: [String: Int].self, options: .new) { counter.count($0.new?.count) },
  ]
  w13a.measure("new_value_observed", shop)
  withExtendedLifetime(tokens) {}

  let plain = opaque(PlainShop())
  plain.numbers = shop.numbers
  plain.prices = shop.prices
  w13a.native.get("append", where: { $0 == 10_000 }) {
    plain.numbers.append(1)
    plain.numbers.removeLast()
    return plain.numbers.count
  }
  w13a.native.get("entry", where: { $0 == 1_000 }) {
    plain.prices["500"] = 7
    return plain.prices.count
  }
}

extension Workload {
  @inline(__always)
  fileprivate func measure(_ row: String, _ shop: NumberShop) {
    get("append_\(row)", where: { $0 == 10_000 }) {
      shop.numbers.append(1)
      shop.numbers.removeLast()
      return shop.numbers.count
    }
    get("entry_\(row)", where: { $0 == 1_000 }) {
      shop.prices["500"] = 7
      return shop.prices.count
    }
  }
}
