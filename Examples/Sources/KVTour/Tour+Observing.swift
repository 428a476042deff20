import KVBinding

extension Tour {
  static let observing = TourStep(
    "An observer is told of each change; options say what it wants to hear",
    code: """
      let sale = Sale()
      let token = try sale.observe("quantity", options: [.old, .new, .initial, .prior]) { show($0) }
      sale.quantity = 2
      token.cancel()
      sale.quantity = 3
      """,
    run: runObserving)

  private static func runObserving(_ show: Show) throws {
    let sale = Sale()
    let token = try sale.observe("quantity", options: [.old, .new, .initial, .prior]) { show($0) }
    sale.quantity = 2
    token.cancel()
    sale.quantity = 3
  }

  static let typedObserving = TourStep(
    "A typed observer gets its values unboxed; with distinct it hears of no change to an equal value",
    code: """
      let sale = Sale()
      let token = try sale.observe("price", as: Double.self, options: [.old, .new, .distinct]) { change in
        let difference = (change.new ?? 0) - (change.old ?? 0)
        show(difference)
      }
      defer { token.cancel() }
      sale.price = 4
      sale.price = 4
      try sale.setValue(5, forKey: "price")
      """,
    run: runTypedObserving)

  private static func runTypedObserving(_ show: Show) throws {
    let sale = Sale()
    let token = try sale.observe("price", as: Double.self, options: [.old, .new, .distinct]) { change in
      let difference = (change.new ?? 0) - (change.old ?? 0)
      show(difference)
    }
    defer { token.cancel() }
    sale.price = 4
    sale.price = 4
    try sale.setValue(5, forKey: "price")
  }

  static let followedPaths = TourStep(
    "A path follows the objects on it; those that have left it are heard no more",
    code: """
      let sale = Sale()
      let token = try sale.observe("buyer.last") { show($0) }
      defer { token.cancel() }
      let ada = sale.buyer
      ada?.last = "King"
      sale.buyer = Buyer("Grace", "Hopper")
      ada?.last = "Byron"
      sale.buyer = nil
      show.error { _ = try Sale().observe("buyer.lsat") { show($0) } }
      """,
    run: runFollowedPaths)

  private static func runFollowedPaths(_ show: Show) throws {
    let sale = Sale()
    let token = try sale.observe("buyer.last") { show($0) }
    defer { token.cancel() }
    let ada = sale.buyer
    ada?.last = "King"
    sale.buyer = Buyer("Grace", "Hopper")
    ada?.last = "Byron"
    sale.buyer = nil
    show.error { _ = try Sale().observe("buyer.lsat") { show($0) } }
  }

  static let owners = TourStep(
    "An observation that has an owner needs no token: it ends when the owner dies",
    declaration: #"""
      final class Display {
        var draws = 0
        func draw() { draws += 1 }
      }
      """#,
    code: """
      let sale = Sale()
      try withExtendedLifetime(Display()) { display in
        try sale.observe("quantity", owner: display) { display, change in
          display.draw()
          show(change)
        }
        sale.quantity = 2
        show(display.draws)
      }
      sale.quantity = 3
      show(KVDiagnostics.observations(of: sale).count)
      """,
    run: runOwners)

  private static func runOwners(_ show: Show) throws {
    let sale = Sale()
    try withExtendedLifetime(Display()) { display in
      try sale.observe("quantity", owner: display) { display, change in
        display.draw()
        show(change)
      }
      sale.quantity = 2
      show(display.draws)
    }
    sale.quantity = 3
    show(KVDiagnostics.observations(of: sale).count)
  }

  static let ownerClosures = TourStep(
    "Every KVObject, and whatever is a KVObserver, observes by closures of its own",
    code: #"""
      let sale = Sale()
      let buyer = Buyer("Charles", "Babbage")
      try buyer.observe(sale, "quantity") { buyer, old, new in show("\(buyer.full): \(old ?? 0), \(new ?? 0)") }
      sale.quantity = 2
      sale.quantity = 2
      buyer.removeObservations(of: sale)
      sale.quantity = 3
      """#,
    run: runOwnerClosures)

  private static func runOwnerClosures(_ show: Show) throws {
    let sale = Sale()
    let buyer = Buyer("Charles", "Babbage")
    try buyer.observe(sale, "quantity") { buyer, old, new in show("\(buyer.full): \(old ?? 0), \(new ?? 0)") }
    sale.quantity = 2
    sale.quantity = 2
    buyer.removeObservations(of: sale)
    sale.quantity = 3
  }

  static let targets = TourStep(
    "Targets and actions",
    declaration: #"""
      extension KVAction<Display> {
        static var draw: KVAction { KVAction("draw", Display.draw) }
      }
      """#,
    code: """
      let sale = Sale()
      let display = Display()
      try sale.addTarget(display, .draw, forKeyPaths: ["quantity", "price"], options: .initial)
      sale.quantity = 2
      sale.price = 3
      show(display.draws)
      try sale.removeTarget(display, .draw, forKeyPath: "quantity")
      sale.quantity = 4
      sale.price = 5
      show(display.draws)
      """,
    run: runTargets)

  private static func runTargets(_ show: Show) throws {
    let sale = Sale()
    let display = Display()
    try sale.addTarget(display, .draw, forKeyPaths: ["quantity", "price"], options: .initial)
    sale.quantity = 2
    sale.price = 3
    show(display.draws)
    try sale.removeTarget(display, .draw, forKeyPath: "quantity")
    sale.quantity = 4
    sale.price = 5
    show(display.draws)
  }

  static let dependents = TourStep(
    "A computed key tells when the keys that affect it do",
    declaration: #"""
      @KVModel final class Buyer: KVObject {
        var first: String
        var last: String
        var full: String { "\(first) \(last)" }

        init(_ first: String, _ last: String) {
          self.first = first
          self.last = last
        }
      }
      """#,
    code: """
      let buyer = Buyer("Ada", "Byron")
      let token = try buyer.observe("full") { show($0) }
      defer { token.cancel() }
      buyer.last = "Lovelace"
      try buyer.setValue("Augusta", forKey: "first")
      """,
    run: runDependents)

  private static func runDependents(_ show: Show) throws {
    let buyer = Buyer("Ada", "Byron")
    let token = try buyer.observe("full") { show($0) }
    defer { token.cancel() }
    buyer.last = "Lovelace"
    try buyer.setValue("Augusta", forKey: "first")
  }

  static let diamonds = TourStep(
    "One that is affected by two ways is heard once, when everything has changed",
    declaration: #"""
      @KVModel final class Sale: KVObject {
        var quantity = 1
        var price = 2.5
        var buyer: Buyer? = Buyer("Ada", "Lovelace")
        var lines: [Line] = []
        var total: Double { Double(quantity) * price }
        var label: String { "\(quantity) for \(total)" }
      }
      """#,
    code: """
      let sale = Sale()
      let token = try sale.observe("label") { show($0) }
      defer { token.cancel() }
      sale.quantity = 4
      sale.price = 2
      """,
    run: runDiamonds)

  private static func runDiamonds(_ show: Show) throws {
    let sale = Sale()
    let token = try sale.observe("label") { show($0) }
    defer { token.cancel() }
    sale.quantity = 4
    sale.price = 2
  }

  static let manualChanges = TourStep(
    "A value that changes behind its key's back is told by hand",
    declaration: #"""
      final class Meter: KVObject {
        var reading = 0 { didSet { readings += 1 } }
        private(set) var readings = 0

        override class var keyTable: KVTable {
          super.keyTable.extended(for: Meter.self) { key in
            key("reading", { $0.reading }).notifiesManually()
          }
        }
      }
      """#,
    code: """
      let meter = Meter()
      let token = try meter.observe("reading") { show($0) }
      defer { token.cancel() }
      meter.reading = 1
      meter.withChange(forKey: "reading") {
        meter.reading = 2
        meter.reading = 3
      }
      show(meter.readings)
      """,
    run: runManualChanges)

  private static func runManualChanges(_ show: Show) throws {
    let meter = Meter()
    let token = try meter.observe("reading") { show($0) }
    defer { token.cancel() }
    meter.reading = 1
    meter.withChange(forKey: "reading") {
      meter.reading = 2
      meter.reading = 3
    }
    show(meter.readings)
  }
}
