import KVBinding

/// Inserts and removes an object at the middle of an observed array of 1,000, by the array's view.
func runW13(_ w13: Workload) throws {
  let counter = Counter()
  let shop = opaque(Shop.stocked(1_000))
  let token = try shop.observe("items") { counter.count(boxed: $0.new) }
  let item = Item()
  let items = shop.mutableArray(forKey: "items")
  try counter.expect(2, "W13") {
    try items.insert(item, at: 500)
    try items.remove(at: 500)
  }
  try w13.get("mutable_array", where: { $0 == 1_000 }) {
    try items.insert(item, at: 500)
    try items.remove(at: 500)
    return shop.items.count
  }
  try w13.get("mutable_array_made_each_time", where: { $0 == 1_000 }) {
    try shop.mutableArray(forKey: "items").insert(item, at: 500)
    try shop.mutableArray(forKey: "items").remove(at: 500)
    return shop.items.count
  }
  token.cancel()

  let indexed = opaque(IndexedShop())
  indexed.items = shop.items
  let indexedToken = try indexed.observe("items") { counter.count(boxed: $0.new) }
  let indexedItems = indexed.mutableArray(forKey: "items")
  try w13.get("indexed_accessors", where: { $0 == 1_000 }) {
    try indexedItems.insert(item, at: 500)
    try indexedItems.remove(at: 500)
    return indexed.items.count
  }
  indexedToken.cancel()

  let copying = opaque(CopyingShop())
  copying.items = shop.items
  let copyingToken = try copying.observe("items") { counter.count(boxed: $0.new) }
  let copyingItems = copying.mutableArray(forKey: "items")
  try w13.get("key_path_only", where: { $0 == 1_000 }) {
    try copyingItems.insert(item, at: 500)
    try copyingItems.remove(at: 500)
    return copying.items.count
  }
  copyingToken.cancel()

  var array = shop.items
  w13.native.get("array_in_place", where: { $0 == 1_000 }) {
    array.insert(item, at: 500)
    array.remove(at: 500)
    return array.count
  }
  w13.native.get("property", where: { $0 == 1_000 }) {
    shop.items.insert(item, at: 500)
    shop.items.remove(at: 500)
    return shop.items.count
  }
}
