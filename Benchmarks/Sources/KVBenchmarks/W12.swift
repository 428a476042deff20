import KVCore

/// Computes an operator over the key of a thousand elements; the time is that of all of them together.
func runW12(_ w12: Workload) throws {
  let count = 1_000
  let sum = 499_500
  let shop = opaque(Shop.stocked(count))

  try w12.get("sum_int", sum) { try shop.value(forKeyPath: "items.@sum.value", as: Int.self) }
  try w12.get("sum_int_any", where: { $0 as? Int == sum }) { try shop.value(forKeyPath: "items.@sum.value") }
  try w12.get("sum_double", Double(sum)) { try shop.value(forKeyPath: "items.@sum.price", as: Double.self) }
  try w12.get("avg_int", Double(sum) / Double(count)) {
    try shop.value(forKeyPath: "items.@avg.value", as: Double.self)
  }
  try w12.get("sum_int_of_array", sum) { [items = shop.items] in
    try items.value(forKeyPath: "@sum.value", as: Int.self)
  }
  try w12.get("sum_int_structs", sum) { try shop.value(forKeyPath: "values.@sum.value", as: Int.self) }
  try w12.get("sum_double_structs", Double(sum)) { try shop.value(forKeyPath: "values.@sum.price", as: Double.self) }
  try w12.get("sum_int_reflected", sum) { try shop.value(forKeyPath: "reflected.@sum.value", as: Int.self) }
  try w12.get("count", count) { try shop.value(forKeyPath: "items.@count", as: Int.self) }
  try w12.get("max_int", count - 1) { try shop.value(forKeyPath: "items.@max.value", as: Int.self) }
  try w12.get("max_double", Double(count - 1)) { try shop.value(forKeyPath: "items.@max.price", as: Double.self) }
  try w12.get("values_int", where: { $0.count == count && $0[7] == 7 }) {
    try shop.value(forKeyPath: "items.value", as: [Int].self)
  }

  w12.native.get("reduce_int", sum) { shop.items.reduce(0) { $0 + $1.value } }
  w12.native.get("reduce_double", Double(sum)) { shop.items.reduce(0) { $0 + $1.price } }
  w12.native.get("reduce_int_structs", sum) { shop.values.reduce(0) { $0 + $1.value } }
  w12.native.get("max_int", count - 1) { shop.items.reduce(Int.min) { max($0, $1.value) } }
}
