import KVCore

// The models of W12: an object that holds a thousand elements.

/// An element that is an object.
final class Item: KVObject {
  @KVProperty var value = 0
  @KVProperty var price = 0.0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Item.self) { key in
      key("value", \.value)
      key("price", \.price)
    }
  }
}

/// An element that is a struct.
struct ItemValue: KeyValueCoding {
  var value = 0
  var price = 0.0

  static var keyTable: KVTable {
    KVTable(ItemValue.self) { key in
      key("value", \.value)
      key("price", \.price)
    }
  }
}

/// An element that is reflected.
final class ReflectedItem {
  var value = 0
}

/// The holder of the elements.
final class Shop: KVObject {
  @KVProperty var items: [Item] = []
  @KVProperty var values: [ItemValue] = []
  @KVProperty var reflected: [ReflectedItem] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Shop.self) { key in
      key("items", \.items).inPlace { $1(&$0.items) }
      key("values", \.values)
      key("reflected", \.reflected)
    }
  }

  /// Returns a shop with elements whose values are 0, 1, 2 and so on.
  static func stocked(_ count: Int) -> Shop {
    let shop = Shop()
    for index in 0..<count {
      let item = Item()
      item.value = index
      item.price = Double(index)
      shop.items.append(item)
      shop.values.append(ItemValue(value: index, price: Double(index)))
      let reflected = ReflectedItem()
      reflected.value = index
      shop.reflected.append(reflected)
    }
    return shop
  }
}

/// A holder whose table has nothing but a key path.
final class CopyingShop: KVObject {
  @KVProperty var items: [Item] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: CopyingShop.self) { key in key("items", \.items) }
  }
}

/// A holder without the library.
final class PlainShop {
  var numbers: [Int] = []
  var prices: [String: Int] = [:]
}

/// A holder whose properties notify.
final class NumberShop: KVObject {
  @KVProperty var numbers: [Int] = []
  @KVProperty var prices: [String: Int] = [:]
}

/// A holder whose table edits the array in its place.
final class IndexedShop: KVObject {
  var items: [Item] = []

  override class var keyTable: KVTable {
    super.keyTable.extended(for: IndexedShop.self) { key in
      key("items", \.items).indexed(
        insert: { $0.items.insert($1, at: $2) }, remove: { $0.items.remove(at: $1) })
    }
  }
}
