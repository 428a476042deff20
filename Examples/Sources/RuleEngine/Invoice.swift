import KVBinding

/// An invoice, which belongs to the main actor, as models of a user interface do.
@MainActor
final class Invoice: KVObject {
  @KVProperty var customer: Customer?
  @KVProperty var lines: [Line] = []
  @KVProperty var discount = 0
  @KVProperty var status = "draft"
  var total: Double { lines.reduce(0) { $0 + $1.amount } * Double(100 - discount) / 100 }

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: Invoice.self) { @MainActor key in
      key("customer", \.customer)
      key("lines", \.lines)
      key("discount", \.discount)
      key("status", \.status)
      key("total", \.total).affected(by: "lines.@sum.amount", "discount")
    }
  }
}

/// One line of an invoice.
@MainActor
final class Line: KVObject {
  @KVProperty var title = ""
  @KVProperty var amount = 0.0

  convenience init(_ title: String, _ amount: Double) {
    self.init()
    self.title = title
    self.amount = amount
  }

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: Line.self) { @MainActor key in
      key("title", \.title)
      key("amount", \.amount)
    }
  }
}

/// Who pays.
@MainActor
final class Customer: KVObject {
  @KVProperty var name = ""
  @KVProperty var isLoyal = false

  convenience init(_ name: String) {
    self.init()
    self.name = name
  }

  override nonisolated class var keyTable: KVTable {
    super.keyTable.extended(for: Customer.self) { @MainActor key in
      key("name", \.name)
      key("isLoyal", \.isLoyal)
    }
  }
}

extension Invoice {
  /// Appends lines as they arrive; what shows the invoice follows once, at the end.
  func receive(_ lines: AsyncStream<(title: String, amount: Double)>) async throws {
    try await KVCoalescing.coalesce {
      for await (title, amount) in lines {
        try mutableArray(forKey: "lines").append(Line(title, amount))
      }
    }
  }
}
