import KVBinding

/// An invoice, which belongs to the main actor, as models of a user interface do.
@MainActor
@KVModel final class Invoice: KVObject {
  var customer: Customer?
  var lines: [Line] = []
  var discount = 0
  var status = "draft"
  @KVKey(.affected(by: "lines.@sum.amount", "discount"))
  var total: Double { lines.reduce(0) { $0 + $1.amount } * Double(100 - discount) / 100 }
}

/// One line of an invoice.
@MainActor
@KVModel final class Line: KVObject {
  var title = ""
  var amount = 0.0

  convenience init(_ title: String, _ amount: Double) {
    self.init()
    self.title = title
    self.amount = amount
  }
}

/// Who pays.
@MainActor
@KVModel final class Customer: KVObject {
  var name = ""
  var isLoyal = false

  convenience init(_ name: String) {
    self.init()
    self.name = name
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
