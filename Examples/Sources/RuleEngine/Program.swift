import KVBinding

/// An invoice whose letter and status follow from rules, and whose lines arrive later.
@main enum Program {
  @MainActor static func main() async throws {
    let invoice = Invoice()
    invoice.customer = Customer("Ada")
    let letter = try LiveText(
      Template("{{customer.name}}: {{#lines}}{{title}} {{amount}}, {{/lines}}{{total}} ({{status}})"), of: invoice)
    let engine = try RuleEngine(
      [
        Rule("lines.@count > 0 => status = \"open\""),
        Rule("lines.@sum.amount >= 100 => discount = 10"),
        Rule("customer.isLoyal = true => discount = 20"),
      ], of: invoice)
    let printing = try letter.observe("text", as: String.self, options: [.initial, .new]) { print($0.new ?? "") }

    try await invoice.receive(
      AsyncStream { lines in
        for line in [("tea", 4.5), ("cups", 18.0), ("pot", 90.0)] { lines.yield(line) }
        lines.finish()
      })
    invoice.customer?.isLoyal = true
    invoice.customer?.name = "Ada Lovelace"
    for rule in engine.applied { print("applied:", rule) }
    printing.cancel()
  }
}
