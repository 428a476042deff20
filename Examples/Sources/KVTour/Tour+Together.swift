import KVBinding

extension Tour {
  static let coalescing = TourStep(
    "Changes are merged for those who ask for it",
    code: """
      let sale = Sale()
      let display = Display()
      try sale.addTarget(display, .draw, forKeyPaths: ["quantity", "price"], options: .coalesced)
      let token = try sale.observe("quantity", options: [.old, .new, .coalesced]) { show($0) }
      defer { token.cancel() }
      KVCoalescing.coalesce {
        sale.quantity = 2
        sale.price = 3
        sale.quantity = 4
        show(display.draws)
      }
      show(display.draws)
      """,
    run: runCoalescing)

  private static func runCoalescing(_ show: Show) throws {
    let sale = Sale()
    let display = Display()
    try sale.addTarget(display, .draw, forKeyPaths: ["quantity", "price"], options: .coalesced)
    let token = try sale.observe("quantity", options: [.old, .new, .coalesced]) { show($0) }
    defer { token.cancel() }
    KVCoalescing.coalesce {
      sale.quantity = 2
      sale.price = 3
      sale.quantity = 4
      show(display.draws)
    }
    show(display.draws)
  }

  static let transactions = TourStep(
    "A transaction that fails is undone, and those who wait for its end hear nothing",
    code: """
      let sale = Sale()
      let token = try sale.observe("quantity", options: [.old, .new, .coalesced]) { show($0) }
      defer { token.cancel() }
      show.error {
        try KVTransaction.run {
          try sale.setValue(12, forKey: "quantity")
          try sale.setValue("a dozen", forKey: "price")
        }
      }
      show(sale.quantity)
      try KVTransaction.run { try sale.setValue(12, forKey: "quantity") }
      """,
    run: runTransactions)

  private static func runTransactions(_ show: Show) throws {
    let sale = Sale()
    let token = try sale.observe("quantity", options: [.old, .new, .coalesced]) { show($0) }
    defer { token.cancel() }
    show.error {
      try KVTransaction.run {
        try sale.setValue(12, forKey: "quantity")
        try sale.setValue("a dozen", forKey: "price")
      }
    }
    show(sale.quantity)
    try KVTransaction.run { try sale.setValue(12, forKey: "quantity") }
  }

  static let sequences = TourStep(
    "Changes are an asynchronous sequence, which ends with the object",
    code: """
      let quantities = try {
        let sale = Sale()
        let changes = try sale.changes(of: "quantity", as: Int.self, options: [.new, .initial])
        sale.quantity = 2
        sale.quantity = 3
        return changes
      }()
      show.waiting {
        for await change in quantities { show(change.new) }
        show("the end")
      }
      """,
    run: runSequences)

  private static func runSequences(_ show: Show) throws {
    let quantities = try {
      let sale = Sale()
      let changes = try sale.changes(of: "quantity", as: Int.self, options: [.new, .initial])
      sale.quantity = 2
      sale.quantity = 3
      return changes
    }()
    show.waiting {
      for await change in quantities { show(change.new) }
      show("the end")
    }
  }

  static let diagnostics = TourStep(
    "Who observes an object, and a trace of what is delivered",
    code: """
      let sale = Sale()
      let display = Display()
      try sale.addTarget(display, .draw, forKeyPath: "price")
      let token = try sale.observe("total", options: .new) { _ in }
      defer { token.cancel() }
      for observation in KVDiagnostics.observations(of: sale).sorted(by: { $0.keyPath < $1.keyPath }) {
        show(observation)
      }

      let id = ObjectIdentifier(sale)
      defer { KVDiagnostics.setHandler(nil) }
      KVDiagnostics.setHandler(level: .verbose) { event in if event.object == id { show(event) } }
      sale.price = 3
      show(display.draws)
      """,
    run: runDiagnostics)

  private static func runDiagnostics(_ show: Show) throws {
    let sale = Sale()
    let display = Display()
    try sale.addTarget(display, .draw, forKeyPath: "price")
    let token = try sale.observe("total", options: .new) { _ in }
    defer { token.cancel() }
    for observation in KVDiagnostics.observations(of: sale).sorted(by: { $0.keyPath < $1.keyPath }) {
      show(observation)
    }

    let id = ObjectIdentifier(sale)
    defer { KVDiagnostics.setHandler(nil) }
    KVDiagnostics.setHandler(level: .verbose) { event in if event.object == id { show(event) } }
    sale.price = 3
    show(display.draws)
  }
}
