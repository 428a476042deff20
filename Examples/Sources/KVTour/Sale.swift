import KVBinding

final class Sale: KVObject {
  @KVProperty var quantity = 1
  @KVProperty var price = 2.5
  @KVProperty var buyer: Buyer? = Buyer("Ada", "Lovelace")
  @KVProperty var lines: [Line] = []
  var total: Double { Double(quantity) * price }
  var label: String { "\(quantity) for \(total)" }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Sale.self) { key in
      key("quantity", \.quantity)
      key("price", \.price)
      key("buyer", \.buyer)
      key("lines", \.lines)
      key("total", \.total).affected(by: "quantity", "price")
      key("label", \.label).affected(by: "quantity", "total")
    }
  }
}

final class Buyer: KVObject {
  @KVProperty var first: String
  @KVProperty var last: String
  var full: String { "\(first) \(last)" }

  init(_ first: String, _ last: String) {
    self.first = first
    self.last = last
  }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Buyer.self) { key in
      key("first", \.first)
      key("last", \.last)
      key("full", \.full).affected(by: "first", "last")
    }
  }
}

final class Line: KVObject {
  @KVProperty var amount: Int

  init(_ amount: Int) { self.amount = amount }

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Line.self) { key in
      key("amount", \.amount)
    }
  }
}

final class Meter: KVObject {
  var reading = 0 { didSet { readings += 1 } }
  private(set) var readings = 0

  override class var keyTable: KVTable {
    super.keyTable.extended(for: Meter.self) { key in
      key("reading", { $0.reading }).notifiesManually()
    }
  }
}

final class Display {
  var draws = 0
  func draw() { draws += 1 }
}

extension KVAction<Display> {
  static var draw: KVAction { KVAction("draw", Display.draw) }
}
