import KVCore

// A shop: its goods, its shelves, and what it sells. The models of the suites on coercion, operators, collections,
// validation, records and observing.

enum ShopKind: String { case tea, coffee }

enum ShopSize: Int { case small = 1, large = 2 }

enum ShopMood { case open, closed }

struct ShopPoint: Hashable {
  var x = 0
  var y = 0
}

/// A value with a table.
struct ShopPrice: KeyValueCoding, Equatable {
  var amount = 10
  var currency: String? = "EUR"

  static var keyTable: KVTable {
    KVTable(ShopPrice.self) { key in
      key("amount", \.amount).validated { $0 < 0 ? .replaced(with: 0) : .valid }
      key("currency", \.currency)
    }
  }
}

/// A value in a value.
struct ShopOffer: KeyValueCoding, Equatable {
  var price = ShopPrice()
  var title = "offer"
  var extras: [String] = ["bag"]

  static var keyTable: KVTable {
    KVTable(ShopOffer.self) { key in
      key("price", \.price)
      key("title", \.title)
      key("extras", \.extras)
    }
  }
}

protocol ShopSellable {
  var price: Double { get }
}

class ShopItem: KVObject, ShopSellable {
  @KVProperty var name: String
  @KVProperty var price: Double
  var quantity: Int
  var note: String?
  var offer = ShopOffer()
  @KVProperty var parts: [ShopItem] = []
  @KVProperty var twin: ShopItem?

  init(_ name: String = "tea", price: Double = 1, quantity: Int = 1) {
    self.name = name
    self.price = price
    self.quantity = quantity
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopItem.self) { key in
      key("name", \.name).alias("title", "label")
      key("price", \.price)
      key("quantity", \.quantity).alias("stock")
      key("note", \.note)
      key("offer", \.offer)
      key("parts", \.parts)
      key("twin", \.twin)
    }
  }
}

/// A subclass, and one of that.
class ShopBook: ShopItem {
  @KVProperty var pages = 100

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopBook.self) { key in key("pages", \.pages) }
  }
}

final class ShopAtlas: ShopBook {
  @KVProperty var maps = 7
  @KVProperty private var secret = "none"
  var reveal: String { secret }
  func hide(_ text: String) { secret = text }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopAtlas.self) { key in
      key("maps", \.maps)
      key("secret", \.secret)
    }
  }
}

/// A generic class: one property of any type.
class ShopCell<Value>: KVObject {
  @KVProperty var value: Value
  var plain: Value
  var lenient: Value

  init(_ value: Value) {
    self.value = value
    plain = value
    lenient = value
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopCell<Value>.self) { key in
      key("value", \.value)
      key("plain", \.plain)
      key("lenient", \.lenient).lenient()
    }
  }
}

/// A class that stores the slot itself.
final class ShopTill: KVObservable {
  let registrarSlot = KVRegistrarSlot()
  @KVProperty var total = 0
  var drawer = "closed"

  static var keyTable: KVTable {
    KVTable(ShopTill.self) { key in
      key("total", \.total)
      key("drawer", \.drawer)
    }
  }
}

/// A line of an order: a value, and small.
struct ShopLine: KeyValueCoding, ShopSellable {
  var count: Int
  var price: Double
  var discount: Int?

  static var keyTable: KVTable {
    KVTable(ShopLine.self) { key in
      key("count", \.count)
      key("price", \.price)
      key("discount", \.discount)
    }
  }
}

/// To-many keys with every kind of accessor; `calls` lists what was called.
final class ShopShelf: KVObject {
  var plain = ["a", "b", "c"]
  var single = ["a", "b", "c"]
  var halfSingle = ["a", "b", "c"]
  var bulk = ["a", "b", "c"]
  var halfBulk = ["a", "b", "c"]
  @KVProperty var watched = ["a", "b", "c"]
  var manual = ["a", "b", "c"]
  var silent: Set<String> = ["a", "b"]
  var numbers = [1.0, 2.0]
  var bulkNumbers = [1.0, 2.0]
  var maybe: [String]?
  var gaps: [String?] = ["a", nil]
  var tags: Set<String> = ["a", "b"]
  var labels: Set<String> = ["a", "b"]
  @KVProperty var marks: Set<Int> = [1, 2]
  var offer = ShopOffer()
  @KVProperty var below: ShopShelf?
  var calls: [String] = []
  let sealed = ["a"]

  override class var keyTable: KVTable {
    super.keyTable.extended(for: ShopShelf.self) { key in
      key("plain", \.plain).alias("rows")
      key("single", \.single).indexed(
        insert: {
          $0.calls.append("insert \($1) at \($2)")
          $0.single.insert($1, at: $2)
        },
        remove: {
          $0.calls.append("remove at \($1)")
          $0.single.remove(at: $1)
        },
        replace: {
          $0.calls.append("replace at \($1) with \($2)")
          $0.single[$1] = $2
        })
      key("halfSingle", \.halfSingle).indexed(
        insert: {
          $0.calls.append("insert \($1) at \($2)")
          $0.halfSingle.insert($1, at: $2)
        },
        remove: {
          $0.calls.append("remove at \($1)")
          $0.halfSingle.remove(at: $1)
        })
      key("bulk", \.bulk).indexedInBulk(
        insert: {
          $0.calls.append("insert \($1) at \($2)")
          for (element, index) in zip($1, $2) { $0.bulk.insert(element, at: index) }
        },
        remove: {
          $0.calls.append("remove at \($1)")
          for index in $1.reversed() { $0.bulk.remove(at: index) }
        },
        replace: {
          $0.calls.append("replace at \($1) with \($2)")
          for (index, element) in zip($1, $2) { $0.bulk[index] = element }
        })
      key("halfBulk", \.halfBulk).indexedInBulk(
        insert: {
          $0.calls.append("insert \($1) at \($2)")
          for (element, index) in zip($1, $2) { $0.halfBulk.insert(element, at: index) }
        },
        remove: {
          $0.calls.append("remove at \($1)")
          for index in $1.reversed() { $0.halfBulk.remove(at: index) }
        })
      key("bulkNumbers", \.bulkNumbers).indexedInBulk(
        insert: { for (element, index) in zip($1, $2) { $0.bulkNumbers.insert(element, at: index) } },
        remove: { for index in $1.reversed() { $0.bulkNumbers.remove(at: index) } })
      key("watched", \.watched)
      key("manual", \.manual).notifiesManually()
      key("silent", \.silent).notifiesManually()
      key("numbers", \.numbers)
      key("maybe", \.maybe)
      key("gaps", \.gaps)
      key("tags", \.tags)
      key("labels", \.labels).unordered(
        add: {
          $0.calls.append("add \($1.sorted())")
          $0.labels.formUnion($1)
        },
        remove: {
          $0.calls.append("remove \($1.sorted())")
          $0.labels.subtract($1)
        })
      key("marks", \.marks)
      key("offer", \.offer)
      key("below", \.below)
      key("computed") { shelf in shelf.plain }
      key("sealed", \.sealed)
    }
  }
}
