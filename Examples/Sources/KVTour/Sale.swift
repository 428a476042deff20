import KVBinding

@KVModel final class Sale: KVObject {
  var quantity = 1
  var price = 2.5
  var buyer: Buyer? = Buyer("Ada", "Lovelace")
  var lines: [Line] = []
  var total: Double { Double(quantity) * price }
  var label: String { "\(quantity) for \(total)" }
}

@KVModel final class Buyer: KVObject {
  var first: String
  var last: String
  var full: String { "\(first) \(last)" }

  init(_ first: String, _ last: String) {
    self.first = first
    self.last = last
  }
}

@KVModel final class Line: KVObject {
  var amount: Int

  init(_ amount: Int) { self.amount = amount }
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
