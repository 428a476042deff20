import KVBinding
import KVTestSupport
import Testing

@testable import RuleEngine

@MainActor
@Suite("Rules and templates over a model of the main actor") struct RuleEngineTests {
  let invoice = Invoice()

  init() { invoice.customer = Customer("Ada") }

  private func stream(_ lines: [(title: String, amount: Double)]) -> AsyncStream<(title: String, amount: Double)> {
    AsyncStream { continuation in
      for line in lines { continuation.yield(line) }
      continuation.finish()
    }
  }

  @Test("the models comply with key-value coding and observing")
  func compliance() {
    expectCompliant(values: ["customer": Customer("Bea"), "lines": [Line("tea", 4)]]) { Invoice() }
    expectCompliant { Line("tea", 4.5) }
    expectCompliant { Customer("Ada") }
  }

  @Test("a template renders paths, and sections for each element")
  func template() throws {
    invoice.lines = [Line("tea", 4.5), Line("cups", 18)]
    let template = try Template("Dear {{customer.name}}:{{#lines}} {{title}}={{amount}}{{/lines}}; {{total}}")
    #expect(try template.text(of: invoice) == "Dear Ada: tea=4.5 cups=18.0; 22.5")
    invoice.customer = nil
    #expect(try template.text(of: invoice) == "Dear : tea=4.5 cups=18.0; 22.5")
  }

  @Test(
    "a malformed template is refused with its fault",
    arguments: [
      ("{{name", "a {{ has no }}"), ("{{#lines}}", "the section {{#lines}} has no end"),
      ("{{/lines}}", "{{/lines}} ends no section"), ("{{a..b}}", "a..b"), ("{{#a}}{{/b}}", "{{/b}} ends no section"),
    ])
  func malformed(source: String, fault: String) {
    let error = #expect(throws: (any Error).self) { try Template(source) }
    #expect("\(error as Any)".contains(fault))
  }

  @Test("a key that a template misspells is an error with the key that is meant")
  func misspelt() throws {
    let template = try Template("{{custmer.name}}")
    let error = #expect(throws: KVError.self) { try LiveText(template, of: invoice) }
    #expect(error?.suggestion == "customer")
  }

  @Test("a live text follows every path, and each element")
  func live() throws {
    let tea = Line("tea", 4.5)
    invoice.lines = [tea]
    let text = try LiveText(Template("{{customer.name}} {{#lines}}{{title}} {{/lines}}{{total}}"), of: invoice)
    #expect(text.text == "Ada tea 4.5")
    expectChanges(of: text, [.set("text", to: "Ada green tea 4.5")]) { tea.title = "green tea" }
    expectChanges(of: text, [.set("text", to: "Ada green tea 5.0")]) { tea.amount = 5 }
    expectChanges(of: text, [.set("text", to: "Bea green tea 5.0")]) { invoice.customer = Customer("Bea") }
    try expectChanges(of: text, [.set("text", to: "Bea green tea cups 23.0")]) {
      try invoice.mutableArray(forKey: "lines").append(Line("cups", 18))
    }
    expectNoChange(of: text, "text") { invoice.status = "open" }
    expectChanges(of: text, [.set("text", to: "Cid cups 18.0")]) {
      KVCoalescing.coalesce {
        invoice.customer?.name = "Cid"
        invoice.lines.removeFirst()
      }
    }
  }

  @Test("lines that arrive while a task waits are one change")
  func asynchronous() async throws {
    let text = try LiveText(Template("{{lines.@count}}: {{total}}"), of: invoice)
    await expectChanges(of: text, [.set("text", from: "0: 0.0", to: "3: 112.5")]) {
      await #expect(throws: Never.self) {
        try await invoice.receive(stream([("tea", 4.5), ("cups", 18), ("pot", 90)]))
      }
    }
  }

  @Test("what follows from the model is set, now and whenever a condition becomes true")
  func rules() throws {
    let engine = try RuleEngine(
      [
        Rule("lines.@sum.amount >= 100 => discount = 10"), Rule("discount > 0 => status = \"reduced\""),
        Rule("customer.name = \"Eve\" => status = \"blocked\""),
      ], of: invoice)
    let pot = Line("pot", 90)
    invoice.lines = [pot]
    #expect(invoice.discount == 0 && engine.applied.isEmpty)
    expectChanges(
      of: invoice, [.set("discount", from: 0, to: 10), .set("status", to: "reduced")], matching: .anyOrder
    ) {
      pot.amount = 110
    }
    #expect(invoice.total == 99)
    invoice.customer?.name = "Eve"
    #expect(invoice.status == "blocked" && engine.applied.count == 3 && engine.failures.isEmpty)
  }

  @Test("a rule that sets what a property does not take is reported, and changes nothing")
  func failing() throws {
    let engine = try RuleEngine([Rule("status = \"open\" => discount = \"much\"")], of: invoice)
    expectNoChange(of: invoice, "discount") { invoice.status = "open" }
    #expect(engine.failures.count == 1 && engine.failures[0].contains("discount"))
  }

  @Test(
    "a malformed rule is refused with its fault",
    arguments: [
      ("a = 1", "write a rule as"), ("a ~ 1 => b = 1", "has none of the signs"), ("a = 1 => b > 1", "an assignment"),
      ("a = x => b = 1", "not a number"),
    ])
  func malformedRule(source: String, fault: String) {
    let error = #expect(throws: SyntaxError.self) { try Rule(source) }
    #expect(error?.description.contains(fault) == true)
  }

  @Test("neither a text nor an engine keeps its model")
  func lifetime() throws {
    var model: Invoice? = Invoice()
    let text = try LiveText(Template("{{status}}"), of: try #require(model))
    let engine = try RuleEngine([Rule("status = \"open\" => discount = 1")], of: try #require(model))
    expectReleased(&model)
    #expect(text.text == "draft" && engine.applied.isEmpty)
  }
}
